// People who may use this page.
import { Group } from '@mantine/core'
import { useState } from 'react'
import type { UserAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { AskButton } from '#gateway/web/admin/parts/ask-button.tsx'
import { ChoiceField, Form, NameField, NewPasswordField } from '#gateway/web/admin/parts/fields.tsx'
import { useNotice } from '#gateway/web/admin/parts/notices.tsx'
import { Page, Part } from '#gateway/web/admin/parts/page.tsx'
import { Problem } from '#gateway/web/admin/parts/problem.tsx'
import { useSession } from '#gateway/web/admin/session.ts'

const ROLES = ['technician', 'manager'] as const

export function Users() {
  const { t } = useSpeech()
  const users = useRead('users.list', {})
  return (
    <Page title={t.nav.users}>
      <p>{t.users.explain}</p>
      <Problem error={users.error} />
      <ul className="cards">
        {(users.data ?? []).map((user) => (
          <User key={user.userId} user={user} />
        ))}
      </ul>
      <Part title={t.users.add}>
        <AddUser />
      </Part>
    </Page>
  )
}

function User({ user }: { user: UserAnswer }) {
  const { t, formats } = useSpeech()
  const say = useNotice()
  const self = useSession()?.user?.userId
  const update = useChange('users.update', () => say(t.common.saved))
  const remove = useChange('users.remove', () => say(t.common.done))
  return (
    <li className="card">
      <h2>{user.name}</h2>
      <p className="soft">{t.users.since(formats.dateTime(user.createdAt))}</p>
      {user.userId === self ? (
        <p>
          {t.users.roles[user.role]} · {t.users.you}
        </p>
      ) : (
        <>
          <ChoiceField
            label={t.users.role}
            aria-label={`${t.users.role}: ${user.name}`}
            value={user.role}
            set={(role) => update.mutate({ userId: user.userId, role })}
            choices={ROLES.map((one) => [one, t.users.roles[one]] as const)}
          />
          <Group>
            <AskButton
              color="red"
              label={t.users.remove}
              question={t.users.removeQuestion(user.name)}
              act={() => remove.mutate({ userId: user.userId })}
            />
          </Group>
        </>
      )}
      <Problem error={update.error ?? remove.error} />
    </li>
  )
}

function AddUser() {
  const { t } = useSpeech()
  const say = useNotice()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<UserAnswer['role']>('manager')
  const add = useChange('users.add', () => {
    setName('')
    setPassword('')
    say(t.common.saved)
  })
  return (
    <Form label={t.users.add} act={() => add.mutate({ name, role, password })} change={add}>
      <NameField label={t.signIn.name} autoComplete="off" value={name} set={setName} />
      <ChoiceField
        label={t.users.role}
        value={role}
        set={setRole}
        choices={ROLES.map((one) => [one, t.users.roles[one]] as const)}
      />
      <NewPasswordField label={t.signIn.password} value={password} set={setPassword} />
    </Form>
  )
}
