// All printers, and the way to one more.
import { Button, Group, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { base64Of } from '#gateway/web/admin/base64.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { FileField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function Printers() {
  const { t } = useSpeech()
  const { topics, hasData } = useLive()
  const isTechnician = useIsTechnician()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  const printers = Object.values(topics.printers)
  const add = isTechnician && (
    <Button component={Link} to="/printers/add">
      {t.printers.add}
    </Button>
  )
  return (
    <Page title={t.nav.printers} actions={add}>
      {printers.length === 0 && <p className="soft">{t.printers.none}</p>}
      <div className="cards">
        {printers.map((printer) => (
          <PrinterCard key={printer.printerId} printer={printer} />
        ))}
      </div>
      {isTechnician && (
        <Part title={t.logo.title}>
          <ReceiptLogo />
        </Part>
      )}
    </Page>
  )
}

/** What the box takes. */
const MOST_BYTES = 512 * 1024

/** The picture on receipts: how it is now, another one, none. */
function ReceiptLogo() {
  const { t } = useSpeech()
  const say = useNotice()
  const [file, setFile] = useState<File | null>(null)
  const logo = useRead('logo.get', {})
  const put = useChange('logo.put', () => say(t.common.saved))
  const remove = useChange('logo.remove', () => say(t.common.done))
  const isTooBig = file !== null && file.size > MOST_BYTES
  const send = async (chosen: File) => put.mutate({ png: base64Of(new Uint8Array(await chosen.arrayBuffer())) })
  const png = logo.data?.png ?? null
  return (
    <div className="stack narrow">
      <p>{t.logo.explain}</p>
      {png === null ? (
        <p className="soft">{t.logo.none}</p>
      ) : (
        <img className="logo" src={`data:image/png;base64,${png}`} alt={t.logo.title} />
      )}
      {put.data && png !== null && <p className="soft">{t.logo.size(put.data.widthDots, put.data.heightDots)}</p>}
      <FileField label={t.logo.file} accept="image/png" choose={setFile} />
      {isTooBig && <p role="alert">{t.logo.tooBig}</p>}
      <Group>
        <Button disabled={file === null || isTooBig} loading={put.isPending} onClick={() => file && void send(file)}>
          {t.logo.put}
        </Button>
        {png !== null && (
          <AskButton color="red" label={t.logo.remove} question={t.logo.removeQuestion} act={() => remove.mutate({})} />
        )}
      </Group>
      <Problem error={put.error ?? remove.error ?? logo.error} />
    </div>
  )
}
