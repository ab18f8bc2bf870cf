// One thing that is wrong, in the page's language where it has a sentence for it, with the button that mends it.
import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { RepairAnswer } from '#gateway/control/answers.ts'
import { post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import type { ApiError } from '#shared/ui/api.ts'
import type { Formats } from '#shared/ui/languages.ts'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { focusHeading } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { entry, filled } from '#shared/ui/sentences.ts'
import { lookup } from './words.ts'

const TONES: Readonly<Record<RepairAnswer['severity'], Tone>> = { error: 'bad', warning: 'warn', info: 'idle' }

export function RepairItem({ repair }: { repair: RepairAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const say = useNotice()
  const navigate = useNavigate()
  const isTechnician = useIsTechnician()
  const { fix } = repair
  const ticketId = repair.values['ticketId']
  const mend = useMutation<unknown, ApiError>({
    mutationFn: () => post(fix?.operation ?? '', fix?.input ?? {}),
    onSuccess: () => {
      say(t.common.done)
      focusHeading()
      // What is found shows up there.
      if (fix?.operation === 'discover.start') void navigate({ to: '/printers/add' })
    },
  })
  const { title, text } = repairWords(repair, t, formats)
  return (
    <li className="card">
      <h3>
        <Mark tone={TONES[repair.severity]}>
          <span className="hidden">{t.repairs.severities[repair.severity]}: </span>
          {title}
        </Mark>
      </h3>
      <p>{text}</p>
      {repair.since !== null && <p className="soft">{t.common.changed(formats.ago(repair.since, now))}</p>}
      {typeof ticketId === 'string' && (
        <Anchor component={Link} to="/jobs/$ticketId" params={{ ticketId } as never}>
          {t.repairs.lookAtTicket}
          <span className="hidden"> {title}</span>
        </Anchor>
      )}
      <Problem error={mend.error} />
      {fix && (isTechnician || fix.role === 'manager') && (
        <Button variant="default" loading={mend.isPending} onClick={() => mend.mutate()}>
          {fixWords(repair, t, formats)}
        </Button>
      )}
    </li>
  )
}

/** What the page has no sentence for is shown as the box says it. */
export function repairWords(
  { key, values, title, text }: RepairAnswer,
  t: Messages,
  formats: Formats,
): { title: string; text: string } {
  const reason = String(values['reason'] ?? '')
  const why = entry(t.printer.notes, String(values['note'] ?? ''))
  if (key === 'printer-down' || key === 'printer-warning' || key === 'paper-low')
    return {
      title: `${filled(key === 'printer-down' ? t.repairs.printerDown : t.repairs.printerWarns, values, formats)}: ${lookup(t.printer.reasons, reason)}`,
      text: [...(why === undefined ? [] : [filled(why, values, formats)]), entry(t.printer.hints, reason) ?? text].join(
        ' ',
      ),
    }
  if (key === 'printer-note') {
    const note = String(values['note'] ?? '')
    const own = { title: entry(t.repairs.notes, note), text: entry(t.printer.notes, note) }
    const or = (words: string | undefined, said: string) =>
      words === undefined ? said : filled(words, values, formats)
    return { title: or(own.title, title), text: or(own.text, text) }
  }
  const own = entry(t.repairs.sentences, key)
  return own ? { title: filled(own.title, values, formats), text: filled(own.text, values, formats) } : { title, text }
}

function fixWords({ fix, values }: RepairAnswer, t: Messages, formats: Formats): string {
  if (!fix) return ''
  const own = entry(t.repairs.fixes, fix.operation)
  return own === undefined ? fix.label : filled(own, values, formats)
}
