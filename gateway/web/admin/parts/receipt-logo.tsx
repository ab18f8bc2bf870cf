// The picture on receipts: how it is now, another one, none.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { base64Of } from '#gateway/web/admin/base64.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { FileField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

/** What the box takes. */
const MOST_BYTES = 512 * 1024

export function ReceiptLogo() {
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
