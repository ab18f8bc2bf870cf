// A screen more: its name and stations, then a QR code for the tablet; green when the tablet is there.
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { QrPicture } from '#shared/ui/parts/qr-picture.tsx'
import { type DisplayDraft, DisplayFields, displayOf } from './display-fields.tsx'

export function AddDisplay({ added }: { added: (displayId: string, code: CodeAnswer) => void }) {
  const { t, language } = useSpeech()
  const empty: DisplayDraft = {
    ...{ name: '', kind: 'expo', stations: '', showNames: false, language },
    ...{ backupPrinter: '', buzzAfter: '' },
  }
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

export function DisplayCode({ code }: { code: CodeAnswer }) {
  const { t, formats } = useSpeech()
  const url = useDisplayUrl(code.path)
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

/**
 * Under the name by which this page was opened: the tablet must reach the box under it too. By plain http where the box itself speaks
 * https: old tablets cannot pass the warning of its certificate. What speaks https in front of the box stays in front of it.
 */
function useDisplayUrl(path: string): string {
  const status = useLive().topics.status['box']
  const [first] = status?.displayUrls ?? []
  const isOfTheBox = location.protocol === 'https:' && Number(location.port || 443) === status?.https.port
  if (!isOfTheBox || first === undefined) return `${location.origin}${path}`
  const url = new URL(path, first)
  url.hostname = location.hostname
  return url.href
}
