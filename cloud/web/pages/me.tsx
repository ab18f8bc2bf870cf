// What is one's own: name, language of mail, password, passkeys, browsers that are signed in.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MeAnswer } from '#cloud/control/me-list.ts'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { meWords } from '#cloud/web/messages/me.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { LanguageField } from '#cloud/web/parts/language-field.tsx'
import { Devices } from '#cloud/web/parts/me/devices.tsx'
import { Passkeys } from '#cloud/web/parts/me/passkeys.tsx'
import { useSession, useShowSession } from '#cloud/web/session.ts'
import { setPassword } from '#cloud/web/sign-in/door.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { useStepUp } from '#cloud/web/step-up.tsx'
import { isLanguage } from '#shared/languages.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { NameField, NewPasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

export function Me() {
  const { t: frame } = useSpeech()
  const me = useRead('me.get', {})
  return (
    <Page title={frame.nav.pages.me}>
      <div className="two-cards">
        <Answer of={me}>{(answer) => <You key={answer.name + answer.language} me={answer} />}</Answer>
        <Password />
      </div>
      <Passkeys />
      <Devices />
    </Page>
  )
}

function You({ me }: { me: MeAnswer }) {
  const t = usePageWords(meWords)
  const { t: frame, language: shown } = useSpeech()
  const say = useNotice()
  const queries = useQueryClient()
  const [name, setName] = useState(me.name)
  const [language, setLanguage] = useState(isLanguage(me.language) ? me.language : shown)
  const save = useChange('me.save', () => {
    say(frame.common.saved)
    void queries.invalidateQueries({ queryKey: ['session'] })
  })
  return (
    <Part title={t.you}>
      <Form label={frame.common.save} act={() => save.mutate({ name, language })} change={save}>
        <TextField name="email" label={t.email} readOnly value={me.email} set={() => undefined} />
        <NameField label={t.name} autoComplete="name" maxLength={80} value={name} set={setName} />
        <LanguageField label={t.mailLanguage} value={language} set={setLanguage} />
      </Form>
    </Part>
  )
}

function Password() {
  const t = usePageWords(meWords)
  const say = useNotice()
  const stepUp = useStepUp()
  const queries = useQueryClient()
  const show = useShowSession()
  const { person } = useSession()
  const [password, setTyped] = useState('')
  const change = useMutation<SessionAnswer, ApiError>({
    mutationFn: () => stepUp(() => setPassword(password)),
    onSuccess: (session) => {
      setTyped('')
      void show(session)
      void queries.invalidateQueries({ queryKey: ['me'] })
      say(t.passwordSet)
    },
  })
  return (
    <Part title={t.password}>
      <p>{person?.hasPassword ? t.hasPassword : t.noPassword}</p>
      <Form label={t.setPassword} act={() => change.mutate()} change={change}>
        <NewPasswordField label={t.newPassword} value={password} set={setTyped} />
      </Form>
    </Part>
  )
}
