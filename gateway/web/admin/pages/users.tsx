// The people with access to this page.
import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { UserAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { OwnPasswordField } from '#gateway/web/admin/parts/secret-fields.tsx'
import { useSession } from '#gateway/web/admin/session.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { ChoiceField, NameField, NewPasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const ROLES = ['technician', 'manager'] as const

export function Users() {
  const { t } = useSpeech()
  const users = useRead('users.list', {})
  return (
    <Page title={t.nav.users}>
      <p>{t.users.explain}</p>
      <Problem error={users.error} />
      <div className="columns even">
        <ul className="cards">
          {(users.data ?? []).map((user) => (
            <User key={user.userId} user={user} />
          ))}
        </ul>
        <Part title={t.users.add}>
          <AddUser />
        </Part>
      </div>
    </Page>
  )
}

function User({ user }: { user: UserAnswer }) {
  const { t, formats } = useSpeech()
  const self = useSession()?.user?.userId
  return (
    <li className="card">
      <h2>
        <bdi>{user.name}</bdi>
      </h2>
      <p className="soft">{t.users.since(formats.dateTime(user.createdAt))}</p>
      <p>
        {t.users.roles[user.role]}
        {user.userId === self && ` · ${t.users.you}`}
      </p>
      {user.userId !== self && (
        <Group>
          <ChangeRole user={user} />
          <SetPassword user={user} />
          <RemoveUser user={user} />
        </Group>
      )}
    </li>
  )
}

function ChangeRole({ user: { userId, name, role: now } }: { user: UserAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [role, setRole] = useState(now)
  const update = useChange('users.update', () => say(t.common.saved))
  return (
    <OwnPasswordButton
      label={t.users.changeRole}
      fullLabel={t.users.of(t.users.changeRole, name)}
      question={t.users.changeRoleQuestion(name)}
      act={(ownPassword) => update.mutateAsync({ userId, role, ownPassword })}
      change={update}
      opens={() => setRole(now)}
    >
      <ChoiceField
        data-autofocus
        name="role"
        label={t.users.role}
        value={role}
        set={setRole}
        choices={ROLES.map((one) => [one, t.users.roles[one]] as const)}
      />
    </OwnPasswordButton>
  )
}

function SetPassword({ user: { userId, name } }: { user: UserAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [password, setPassword] = useState('')
  const update = useChange('users.update', () => {
    setPassword('')
    say(t.common.saved)
  })
  return (
    <OwnPasswordButton
      label={t.users.setPassword}
      fullLabel={t.users.of(t.users.setPassword, name)}
      question={t.users.setPasswordQuestion(name)}
      act={(ownPassword) => update.mutateAsync({ userId, password, ownPassword })}
      change={update}
      opens={() => setPassword('')}
    >
      <NewPasswordField data-autofocus label={t.settings.newPassword} value={password} set={setPassword} />
    </OwnPasswordButton>
  )
}

function RemoveUser({ user: { userId, name } }: { user: UserAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const remove = useChange('users.remove', () => say(t.common.done))
  return (
    <OwnPasswordButton
      color="red"
      label={t.users.remove}
      fullLabel={t.users.of(t.users.remove, name)}
      question={t.users.removeQuestion(name)}
      act={(ownPassword) => remove.mutateAsync({ userId, ownPassword })}
      change={remove}
    />
  )
}

function AddUser() {
  const { t } = useSpeech()
  const say = useNotice()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [ownPassword, setOwnPassword] = useState('')
  const [role, setRole] = useState<UserAnswer['role']>('manager')
  const add = useChange('users.add', () => {
    setName('')
    setPassword('')
    setOwnPassword('')
    say(t.common.saved)
  })
  return (
    <Form label={t.users.add} act={() => add.mutate({ name, role, password, ownPassword })} change={add}>
      <NameField label={t.signIn.name} autoComplete="off" value={name} set={setName} />
      <ChoiceField
        name="role"
        label={t.users.role}
        value={role}
        set={setRole}
        choices={ROLES.map((one) => [one, t.users.roles[one]] as const)}
      />
      <NewPasswordField label={t.signIn.password} value={password} set={setPassword} />
      <OwnPasswordField value={ownPassword} set={setOwnPassword} />
    </Form>
  )
}

interface OwnPasswordButtonProps extends ButtonProps {
  label: string
  /** The full label, for a page with several such buttons. */
  fullLabel: string
  /** What will happen, for the person who decides. */
  question: string
  /** Ends when the box has done it, or has refused. */
  act: (ownPassword: string) => Promise<unknown>
  change: { error: ApiError | null; isPending: boolean; reset: () => void }
  /** Called when the dialog opens: earlier choices in its fields that were not sent are discarded. */
  opens?: () => void
  /** Further fields; the first one carries `data-autofocus`. */
  children?: ReactNode
}

/** A button for a change of access: a dialog shows what will happen, and asks the signed-in person for their own password again. */
function OwnPasswordButton({
  label,
  fullLabel,
  question,
  act,
  change,
  opens,
  children,
  ...button
}: OwnPasswordButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [ownPassword, setOwnPassword] = useState('')
  const open = () => {
    setOwnPassword('')
    opens?.()
    change.reset()
    setOpen(true)
  }
  const send = () =>
    act(ownPassword).then(
      () => setOpen(false),
      // The form shows why.
      () => setOwnPassword(''),
    )
  return (
    <>
      <Button variant="default" {...button} aria-label={fullLabel} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={fullLabel}>
        <Form label={label} act={() => void send()} change={change} isWide>
          <Text>{question}</Text>
          {children}
          {/* The dialog opens in its first field: else its keyboard starts at the button that closes it, where a space typed early closes it. */}
          <OwnPasswordField
            data-autofocus={children === undefined || undefined}
            value={ownPassword}
            set={setOwnPassword}
          />
        </Form>
      </Modal>
    </>
  )
}
