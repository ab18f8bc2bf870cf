// One printer: health, what can be done with it, its settings.
import { Button, Group, NativeSelect } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { DeviceComparison } from '#gateway/web/admin/parts/device-comparison.tsx'
import { NotFound } from '#gateway/web/admin/parts/not-found.tsx'
import { PrinterSettingsForm } from '#gateway/web/admin/parts/printer-settings-form.tsx'
import { PrinterTest } from '#gateway/web/admin/parts/printer-test.tsx'
import { noteWords, printerStanding } from '#gateway/web/admin/parts/words.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function PrinterPage() {
  const { printerId = '' } = useParams({ strict: false }) as { printerId?: string }
  const { topics, hasData } = useLive()
  const isTechnician = useIsTechnician()
  const { t } = useSpeech()
  const printer = topics.printers[printerId]
  if (!hasData) return null
  if (!printer) return <NotFound />
  return (
    <Page title={printer.name}>
      <div className={isTechnician ? 'columns' : ''}>
        <div>
          <Health printer={printer} />
          <DeviceComparison printer={printer} />
          <Part title={t.printer.test.title}>
            <PrinterTest printer={printer} />
          </Part>
          <Part title={t.printer.queue}>
            <QueueActs printer={printer} />
          </Part>
          {isTechnician && (
            <Part title={t.printer.remove}>
              <RemovePrinter printer={printer} />
            </Part>
          )}
        </div>
        {isTechnician && (
          <Part title={t.printer.settings}>
            <PrinterSettingsForm key={printer.printerId} printer={printer} />
          </Part>
        )}
      </div>
    </Page>
  )
}

function Health({ printer }: { printer: PrinterAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { tone, words, hint } = printerStanding(printer, t)
  return (
    <section className="card">
      <Mark tone={tone}>{words}</Mark>
      {hint && <p>{hint}</p>}
      {printer.told.map((note) => (
        <p key={note.text}>{noteWords(note, t, formats)}</p>
      ))}
      <dl className="facts">
        <dt>{t.printer.address}</dt>
        <dd>{printer.port === 0 ? printer.host : `${printer.host}:${printer.port}`}</dd>
        <dt>{t.printer.profile}</dt>
        <dd>{printer.profileId}</dd>
        <dt>{t.printer.confirm}</dt>
        <dd>
          {printer.confirm.isAsked
            ? printer.confirm.level + t.common.colon + t.printer.levels[printer.confirm.level]
            : t.printer.notAsked}
        </dd>
        <dt>{t.printer.tested}</dt>
        <dd>{printer.testedAt === null ? t.common.never : formats.dateTime(printer.testedAt)}</dd>
        <dt>{t.printer.inThisState}</dt>
        <dd>{formats.ago(printer.since, now)}</dd>
      </dl>
    </section>
  )
}

function QueueActs({ printer }: { printer: PrinterAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const others = Object.values(useLive().topics.printers).filter(({ printerId }) => printerId !== printer.printerId)
  const [to, setTo] = useState('')
  const done = () => say(t.common.done)
  const pause = useChange('printers.pause', done)
  const resume = useChange('printers.resume', done)
  const move = useChange('printers.move', ({ tickets }) => say(t.printer.moved(tickets)))
  const release = useChange('printers.release', ({ tickets }) => say(t.printer.released(tickets)))
  const one = { printer: printer.printerId }
  const target = others.find(({ printerId }) => printerId === to) ?? others[0]
  return (
    <div className="stack">
      <p>{[t.printer.queued(printer.queued), t.printer.parked(printer.parked)].join(' · ')}</p>
      <Group>
        {printer.settings.paused ? (
          <Button onClick={() => resume.mutate(one)} loading={resume.isPending}>
            {t.printer.resume}
          </Button>
        ) : (
          <AskButton label={t.printer.pause} question={t.printer.pauseQuestion} act={() => pause.mutate(one)} />
        )}
        {printer.parked > 0 && (
          <AskButton label={t.printer.release} question={t.printer.releaseQuestion} act={() => release.mutate(one)} />
        )}
      </Group>
      {target && (
        <Group align="end">
          <NativeSelect
            label={t.printer.moveTo}
            value={target.printerId}
            onChange={(event) => setTo(event.currentTarget.value)}
            data={others.map(({ printerId, name }) => ({ value: printerId, label: name }))}
          />
          <AskButton
            label={t.printer.move}
            question={t.printer.moveQuestion(target.name)}
            act={() => move.mutate({ from: printer.printerId, to: target.printerId })}
          />
        </Group>
      )}
      <Problem error={pause.error ?? resume.error ?? move.error ?? release.error} />
    </div>
  )
}

function RemovePrinter({ printer }: { printer: PrinterAnswer }) {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const remove = useChange('printers.remove', () => void navigate({ to: '/printers' }))
  return (
    <div className="stack">
      <Group>
        <AskButton
          color="red"
          label={t.printer.remove}
          question={t.printer.removeQuestion(printer.name)}
          act={() => remove.mutate({ printer: printer.printerId })}
        />
      </Group>
      <Problem error={remove.error} />
    </div>
  )
}
