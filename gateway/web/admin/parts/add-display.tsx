// A screen more: its name and stations, then a QR code for the tablet; green when the tablet is there.
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { type DisplayDraft, DisplayFields, displayOf } from './display-fields.tsx'
import { Form } from './fields.tsx'
import { QrPicture } from './qr-picture.tsx'

export function AddDisplay({ added }: { added: (displayId: string, code: CodeAnswer) => void }) {
  const { t, language } = useSpeech()
  const empty: DisplayDraft = { name: '', stations: '', language, backupPrinter: '', buzzAfter: '' }
  const [draft, setDraft] = useState(empty)
  const add = useChange('displays.add', ({ displayId, ...code }) => {
    setDraft(empty)
    added(displayId, code)
  })
  return (
    <Form label={t.displays.add} act={() => add.mutate(displayOf(draft))} change={add}>
      <DisplayFields draft={draft} set={(part) => setDraft((before) => ({ ...before, ...part }))} />
    </Form>
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
