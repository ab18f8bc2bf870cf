// Files for support and for a rainy day: diagnostics, backup, restore.
import { Alert, Button, Checkbox, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BackupAnswer, BackupPreviewAnswer, FileAnswer, RestoreAnswer } from '#gateway/control/backup-answers.ts'
import type { OperationBody } from '#gateway/control/operations.ts'
import { base64Of, blobOf } from '#gateway/web/admin/base64.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { NewPassphraseField, OwnPasswordField } from '#gateway/web/admin/parts/secret-fields.tsx'
import { sameThresholds } from '#shared/kitchen-times.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { saveFile } from '#shared/ui/page-browser.ts'
import { FileField, PasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const save = ({ base64, mediaType, fileName }: FileAnswer | BackupAnswer) =>
  saveFile(blobOf(base64, mediaType), fileName)

export function Care() {
  const { t } = useSpeech()
  const diagnostics = useChange('diagnostics.export', save)
  return (
    <Page title={t.nav.care}>
      <div className="columns even">
        <div>
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
            <BackupForm />
          </Part>
        </div>
        <Part title={t.care.restore}>
          <RestoreForm />
        </Part>
      </div>
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

function BackupForm() {
  const { t } = useSpeech()
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [ownPassword, setOwnPassword] = useState('')
  const isUnlike = again !== '' && again !== passphrase
  const backup = useChange('backup.make', (file) => {
    for (const clear of [setPassphrase, setAgain, setOwnPassword]) clear('')
    save(file)
  })
  return (
    <>
      <p>{t.care.backupHint}</p>
      <Form
        label={t.care.saveBackup}
        act={() => {
          if (!isUnlike) backup.mutate({ passphrase, ownPassword })
        }}
        change={backup}
      >
        <NewPassphraseField value={passphrase} set={setPassphrase} />
        <PasswordField
          name="again"
          label={t.care.passphraseAgain}
          autoComplete="off"
          error={isUnlike ? t.wizard.unlike : null}
          value={again}
          set={setAgain}
        />
        <OwnPasswordField description={t.care.ownPasswordHint} value={ownPassword} set={setOwnPassword} />
      </Form>
      {backup.data && (
        <p role="status">
          {t.care.saved(backup.data.fileName)} {t.care.holds(backup.data.holds)}
        </p>
      )}
    </>
  )
}

/** What opens the file, and the file. */
type Chosen = OperationBody<'backup.preview'>

/** First the content of the file, then its people, then the restore: nothing is taken over without being shown. */
function RestoreForm() {
  const { t } = useSpeech()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [isPlain, setPlain] = useState(false)
  const [looked, setLooked] = useState<Chosen | null>(null)
  const preview = useChange('backup.preview')
  const restore = useChange('backup.restore', () => {
    preview.reset()
    void queries.invalidateQueries()
  })
  const look = async (chosen: File) => {
    const base64 = base64Of(new Uint8Array(await chosen.arrayBuffer()))
    const body = isPlain ? { base64, plain: true as const } : { base64, passphrase }
    // The very bytes that are shown are taken over.
    setLooked(body)
    restore.reset()
    preview.mutate(body)
  }
  return (
    <div className="stack">
      <p>{t.care.restoreHint}</p>
      <Form label={t.care.look} act={() => void (file && look(file))} change={preview}>
        <FileField
          label={t.care.file}
          choose={(chosen) => {
            preview.reset()
            setFile(chosen)
          }}
        />
        <PasswordField
          name="passphrase"
          label={t.care.passphrase}
          autoComplete="off"
          required={!isPlain}
          disabled={isPlain}
          value={passphrase}
          set={setPassphrase}
        />
        <Checkbox
          label={t.care.isPlain}
          checked={isPlain}
          onChange={(event) => setPlain(event.currentTarget.checked)}
        />
      </Form>
      {preview.data && looked && (
        <TakeOver preview={preview.data} act={(chosen) => restore.mutate({ ...looked, ...chosen })} change={restore} />
      )}
      {restore.data && <Restored answer={restore.data} />}
    </div>
  )
}

function TakeOver({
  preview,
  act,
  change,
}: {
  preview: BackupPreviewAnswer
  act: (chosen: { people: string[]; ownPassword: string }) => void
  change: { error: ApiError | null; isPending: boolean }
}) {
  const { t, formats } = useSpeech()
  const [people, setPeople] = useState<readonly string[]>([])
  const [ownPassword, setOwnPassword] = useState('')
  const { settings, settingsNow } = preview
  const changed = (['name', 'timeZone', 'language'] as const).filter((key) => settings[key] !== settingsNow[key])
  return (
    <div className="stack">
      <p role="status">{t.care.preview(formats.dateTime(preview.madeAt), preview.app)}</p>
      {!preview.isProtected && <Alert color="red">{t.care.unprotected}</Alert>}
      <ul>
        {preview.printers.map(({ name, host, port, profileId, standing }) => (
          <li key={name}>
            <strong>{name}</strong> <code>{port === 0 ? host : `${host}:${port}`}</code> {profileId} ·{' '}
            {t.care.standings[standing]}
          </li>
        ))}
        <li>{t.care.rules(preview.rules, preview.rulesReplaced)}</li>
        {changed.map((key) => (
          <li key={key}>{t.care.changes[key](settings[key], settingsNow[key])}</li>
        ))}
        {changed.length === 0 && <li>{t.care.settingsStay}</li>}
        {!sameThresholds(settings.thresholds, settingsNow.thresholds) && <li>{t.care.lateMinutes}</li>}
        <li>{preview.hasLogo ? t.care.logo : t.care.logoStays}</li>
      </ul>
      <Form label={t.care.restore} act={() => act({ people: [...people], ownPassword })} change={change}>
        <fieldset>
          <legend>{t.care.people}</legend>
          <p className="soft">{preview.people.length === 0 ? t.care.nobody : t.care.peopleHint}</p>
          {preview.people.map(({ name, role, standing }) => (
            <Checkbox
              key={name}
              label={`${name} · ${t.users.roles[role]} · ${t.care.standings[standing]}`}
              checked={people.includes(name)}
              disabled={!preview.isProtected || standing === 'here'}
              onChange={(event) =>
                setPeople(event.currentTarget.checked ? [...people, name] : people.filter((one) => one !== name))
              }
            />
          ))}
        </fieldset>
        <OwnPasswordField value={ownPassword} set={setOwnPassword} />
      </Form>
    </div>
  )
}

function Restored({ answer }: { answer: RestoreAnswer }) {
  const { t } = useSpeech()
  return (
    <div role="status">
      <p>{t.care.restored(answer.printersAdded + answer.printersChanged, answer.rules, answer.users)}</p>
      {answer.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
