// Files for support and for a rainy day: diagnostics, backup, restore.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { FileAnswer } from '#gateway/control/backup-answers.ts'
import { base64Of, blobOf } from '#gateway/web/admin/base64.ts'
import { saveFile } from '#gateway/web/admin/browser.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { AskButton } from '#gateway/web/admin/parts/ask-button.tsx'
import { FileField } from '#gateway/web/admin/parts/fields.tsx'
import { Page, Part } from '#gateway/web/admin/parts/page.tsx'
import { Problem } from '#gateway/web/admin/parts/problem.tsx'

const save = ({ base64, mediaType, fileName }: FileAnswer) => saveFile(blobOf(base64, mediaType), fileName)

export function Care() {
  const { t } = useSpeech()
  const diagnostics = useChange('diagnostics.export', save)
  const backup = useChange('backup.make', save)
  return (
    <Page title={t.nav.care}>
      <Part title={t.care.diagnostics}>
        <p>{t.care.diagnosticsHint}</p>
        <Group>
          <Button loading={diagnostics.isPending} onClick={() => diagnostics.mutate({})}>
            {t.care.saveDiagnostics}
          </Button>
        </Group>
        <Contents file={diagnostics.data} />
        <Problem error={diagnostics.error} />
      </Part>
      <Part title={t.care.backup}>
        <p>{t.care.backupHint}</p>
        <Group>
          <Button loading={backup.isPending} onClick={() => backup.mutate({})}>
            {t.care.saveBackup}
          </Button>
        </Group>
        <Contents file={backup.data} />
        <Problem error={backup.error} />
      </Part>
      <Part title={t.care.restore}>
        <RestoreForm />
      </Part>
    </Page>
  )
}

function Contents({ file }: { file: FileAnswer | undefined }) {
  const { t, formats } = useSpeech()
  if (!file) return null
  return (
    <div role="status">
      <p>{t.care.saved(file.fileName)}</p>
      <ul>
        {file.contents.map(({ name, bytes }) => (
          <li key={name}>
            <code>{name}</code> {formats.bytes(bytes)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function RestoreForm() {
  const { t } = useSpeech()
  const [file, setFile] = useState<File | null>(null)
  const restore = useChange('backup.restore')
  const act = async (chosen: File) => restore.mutate({ base64: base64Of(new Uint8Array(await chosen.arrayBuffer())) })
  return (
    <div className="stack">
      <p>{t.care.restoreHint}</p>
      <FileField label={t.care.file} choose={setFile} />
      {file && (
        <Group>
          <AskButton
            label={t.care.restore}
            question={t.care.restoreQuestion(file.name)}
            loading={restore.isPending}
            act={() => void act(file)}
          />
        </Group>
      )}
      {restore.data && (
        <div role="status">
          <p>
            {t.care.restored(
              restore.data.printersAdded + restore.data.printersChanged,
              restore.data.rules,
              restore.data.users,
            )}
          </p>
          {restore.data.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      <Problem error={restore.error} />
    </div>
  )
}
