// A screen more: its name and what it is for, then a QR code for the tablet; green when the tablet is there.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import type { StationAnswer } from '#gateway/control/station-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { QrPicture } from '#shared/ui/parts/qr-picture.tsx'
import { type DisplayDraft, DisplayFields, displayOf } from './display-fields.tsx'
import { purposeOfNew } from './screen-purpose.ts'

export function AddDisplay({ added }: { added: (displayId: string, code: CodeAnswer) => void }) {
  const stations = useRead('stations.list', {})
  if (!stations.data) return <Problem error={stations.error} />
  return <NewDisplay known={stations.data.stations} added={added} />
}

interface NewDisplayProps {
  known: readonly StationAnswer[]
  added: (displayId: string, code: CodeAnswer) => void
}

function NewDisplay({ known, added }: NewDisplayProps) {
  const { t, language } = useSpeech()
  const queries = useQueryClient()
  const proposed: DisplayDraft = {
    ...{ name: '', ...purposeOfNew(known), showNames: false, language },
    ...{ backupPrinter: '', buzzAfter: '' },
  }
  // The person's own choices; fields without one follow the proposal for what is known now.
  const [own, setOwn] = useState<Partial<DisplayDraft>>({})
  const draft = { ...proposed, ...own }
  const add = useChange('displays.add', ({ displayId, ...code }) => {
    setOwn({})
    void queries.invalidateQueries({ queryKey: ['stations'] })
    added(displayId, code)
  })
  return (
    <Form label={t.displays.add} act={() => add.mutate(displayOf(draft))} change={add}>
      <DisplayFields draft={draft} set={(part) => setOwn((before) => ({ ...before, ...part }))} />
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
 * Below the host name of this page: the tablet must reach the box by it too. By plain http if the box itself serves https: old tablets cannot pass the warning about its certificate. An https proxy in front of the box is kept in the address.
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
