// A screen more: its name and stations, then a QR code for the tablet; green when the tablet is there.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { LANGUAGES } from '#shared/ui/languages.ts'
import { stationsOf } from './printer-draft.ts'
import { Problem } from './problem.tsx'
import { QrPicture } from './qr-picture.tsx'

export function AddDisplay({ added }: { added: (displayId: string, code: CodeAnswer) => void }) {
  const { t, language: spoken } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  const [name, setName] = useState('')
  const [stations, setStations] = useState('')
  const [language, setLanguage] = useState<string>(spoken)
  const [backupPrinter, setBackup] = useState('')
  const add = useChange('displays.add', ({ displayId, ...code }) => {
    setName('')
    setStations('')
    added(displayId, code)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({
      name,
      stations: stationsOf(stations),
      language: language as 'en',
      ...(backupPrinter === '' ? {} : { backupPrinter }),
    })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <TextInput
        label={t.displays.name}
        required
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t.printer.stations}
        description={t.displays.stationsHint}
        value={stations}
        onChange={(event) => setStations(event.currentTarget.value)}
      />
      <NativeSelect
        label={t.settings.language}
        value={language}
        onChange={(event) => setLanguage(event.currentTarget.value)}
        data={LANGUAGES.map(({ id, name: own }) => ({ value: id, label: own }))}
      />
      <NativeSelect
        label={t.displays.backup}
        description={t.displays.backupHint}
        value={backupPrinter}
        onChange={(event) => setBackup(event.currentTarget.value)}
        data={[
          { value: '', label: t.displays.noBackup },
          ...printers.map((printer) => ({ value: printer.printerId, label: printer.name })),
        ]}
      />
      <Problem error={add.error} />
      <Group>
        <Button type="submit" loading={add.isPending}>
          {t.displays.add}
        </Button>
      </Group>
    </form>
  )
}

/** By the address at which this page was opened: the tablet must reach the box under it too. */
export function DisplayCode({ code }: { code: CodeAnswer }) {
  const { t, formats } = useSpeech()
  const url = `${location.origin}${code.path}`
  return (
    <div role="status" className="stack">
      <p>{t.displays.scan}</p>
      <QrPicture text={url} label={t.displays.qr} />
      <p>
        <code>{url}</code>
      </p>
      <p className="soft">{t.displays.codeUntil(formats.time(code.expiresAt))}</p>
      {/^(localhost|127\.)/.test(location.hostname) && <p>{t.displays.localAddress}</p>}
    </div>
  )
}
