// A printer by its address: asks the device what it is before it is added; prints nothing.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { IdentifyAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { useChange } from '#gateway/web/admin/operations.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { entry } from '#shared/ui/sentences.ts'
import { type DeviceDraft, DeviceFields } from './device-fields.tsx'
import { lookup } from './words.ts'

const TONES: Readonly<Record<string, Tone>> = { identified: 'ok', silent: 'warn', unreachable: 'bad' }
const EMPTY: DeviceDraft = { name: '', host: '', port: '9100', profileId: 'generic-80' }

export function AddByAddress({ added }: { added?: (printerId: string) => void }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [draft, setDraft] = useState(EMPTY)
  const set = (part: Partial<DeviceDraft>) => setDraft((before) => ({ ...before, ...part }))
  const identify = useChange('printers.identify', ({ suggestedProfileId }) => {
    if (suggestedProfileId !== null) set({ profileId: suggestedProfileId })
  })
  const add = useChange('printers.add', (printer) => {
    say(t.find.addedAs(printer.name))
    set({ name: '', host: '' })
    added?.(printer.printerId)
  })
  const address = { host: draft.host.trim(), port: Number(draft.port) }
  const change = { error: add.error ?? identify.error, isPending: add.isPending }
  const answer = identify.data
  return (
    <Form
      label={t.printers.add}
      act={() => {
        identify.reset()
        add.mutate({ ...draft, ...address })
      }}
      change={change}
      buttons={
        <Button
          variant="default"
          loading={identify.isPending}
          disabled={address.host === ''}
          onClick={() => {
            add.reset()
            identify.mutate(address)
          }}
        >
          {t.printer.identify}
        </Button>
      }
    >
      <DeviceFields draft={draft} set={set} />
      <div role="status">
        {answer && (
          <p>
            <Mark tone={TONES[answer.answer] ?? 'idle'}>
              {[answer.maker, answer.model].filter(Boolean).join(' ') || t.printer.answers[answer.answer]}
            </Mark>
            {answerLines(answer, t).map((line) => (
              <span key={line}>
                <br />
                {line}
              </span>
            ))}
          </p>
        )}
      </div>
    </Form>
  )
}

/** What it answered, in the language of the page; the words of the box where that has no sentence. */
function answerLines({ confirm, reasons, words, answer }: IdentifyAnswer, t: Messages): string[] {
  const troubles = reasons.filter((reason) => reason !== 'none')
  const hints = troubles.map((reason) => entry(t.printer.hints, reason) ?? lookup(t.printer.reasons, reason))
  const level = answer === 'identified' && confirm ? [t.printer.levels[confirm.level]] : []
  const lines = [...hints, ...level]
  return lines.length > 0 ? lines : [words]
}
