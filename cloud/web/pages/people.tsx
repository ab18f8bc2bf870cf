// People of the account and invitations that wait.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { InvitationAnswer, InvitedAnswer, PersonOfAccount } from '#cloud/control/people-list.ts'
import type { Role } from '#cloud/control/roles.ts'
import { useNow } from '#cloud/web/live.tsx'
import { peopleWords } from '#cloud/web/messages/people.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { LanguageField } from '#cloud/web/parts/language-field.tsx'
import { RoleChoice } from '#cloud/web/parts/people/role-choice.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function People() {
  const t = usePageWords(peopleWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const mayChange = useMay('govern')
  const [isInviting, setInviting] = useState(false)
  const [toHandOver, setToHandOver] = useState<{ email: string; link: string } | null>(null)
  const people = useRead('people.list', {})
  const invited = ({ email, link }: InvitedAnswer) => {
    setInviting(false)
    if (link === null) say(t.sent(email))
    setToHandOver(link === null ? null : { email, link })
  }
  const invite = mayChange && <Button onClick={() => setInviting(true)}>{t.invite}</Button>
  return (
    <Page title={frame.nav.pages.people} actions={invite}>
      <p>{t.explain}</p>
      {toHandOver && (
        <section className="card shown-once" aria-label={t.handOver}>
          <h2>{t.handOver}</h2>
          <p>{t.handOverHint(toHandOver.email)}</p>
          <CodeBlock label={t.link} text={toHandOver.link} />
        </section>
      )}
      <Answer of={people}>
        {({ people: all, invitations }) => (
          <>
            <PersonList people={all} />
            {all.length === 1 && invitations.length === 0 && <Empty words={t.onlyYou}>{invite}</Empty>}
            {invitations.length > 0 && <Waiting invitations={invitations} />}
          </>
        )}
      </Answer>
      {isInviting && <InviteForm close={() => setInviting(false)} invited={invited} />}
    </Page>
  )
}

function PersonList({ people }: { people: readonly PersonOfAccount[] }) {
  const t = usePageWords(peopleWords)
  const { t: frame, formats } = useSpeech()
  const now = useNow()
  const mayChange = useMay('govern')
  const columns: Column<PersonOfAccount>[] = [
    {
      key: 'name',
      label: t.name,
      isTitle: true,
      cell: ({ name, email, isYou }) => (
        <>
          <bdi>{name}</bdi>
          {isYou && <span className="soft"> ({t.you})</span>}
          <br />
          <bdi className="soft">{email}</bdi>
        </>
      ),
      text: ({ name, email }) => `${name} <${email}>`,
    },
    { key: 'role', label: t.role, cell: ({ role }) => frame.roles[role], text: ({ role }) => role },
    {
      key: 'lastSeen',
      label: t.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t.nowhere : formats.ago(lastSeenAt, now)),
      text: ({ lastSeenAt }) => lastSeenAt,
    },
    { key: 'since', label: t.since, cell: ({ since }) => formats.date(since), text: ({ since }) => since },
  ]
  return (
    <DataList
      label={frame.nav.pages.people}
      columns={columns}
      rows={people}
      keyOf={({ userId }) => userId}
      {...(mayChange && { actions: (person: PersonOfAccount) => <PersonActs person={person} /> })}
      empty={null}
      file="people"
    />
  )
}

function PersonActs({ person }: { person: PersonOfAccount }) {
  const t = usePageWords(peopleWords)
  const say = useNotice()
  const [isChanging, setChanging] = useState(false)
  const remove = useChange('people.remove', () => say(t.removed(person.name)))
  return (
    <>
      <Button variant="default" size="xs" aria-label={t.changeRoleOf(person.name)} onClick={() => setChanging(true)}>
        {t.changeRole}
      </Button>
      <AskButton
        size="xs"
        color="red"
        label={t.remove}
        aria-label={t.removeOf(person.name)}
        question={t.removeQuestion(person.name)}
        loading={remove.isPending}
        act={() => remove.mutate({ userId: person.userId })}
      />
      <Problem error={remove.error} />
      {isChanging && <RoleForm person={person} close={() => setChanging(false)} />}
    </>
  )
}

function Waiting({ invitations }: { invitations: readonly InvitationAnswer[] }) {
  const t = usePageWords(peopleWords)
  const { t: frame, formats } = useSpeech()
  const mayChange = useMay('govern')
  const columns: Column<InvitationAnswer>[] = [
    { key: 'email', label: t.email, isTitle: true, cell: ({ email }) => <bdi>{email}</bdi> },
    { key: 'role', label: t.role, cell: ({ role }) => frame.roles[role] },
    { key: 'by', label: t.invitedBy, cell: ({ invitedBy }) => <bdi>{invitedBy}</bdi> },
    { key: 'expires', label: t.expires, cell: ({ expiresAt }) => formats.dateTime(expiresAt) },
  ]
  return (
    <Part title={t.waiting}>
      <DataList
        label={t.waiting}
        columns={columns}
        rows={invitations}
        keyOf={({ invitationId }) => invitationId}
        {...(mayChange && { actions: (invitation: InvitationAnswer) => <TakeBack invitation={invitation} /> })}
        empty={null}
      />
    </Part>
  )
}

function TakeBack({ invitation: { invitationId, email } }: { invitation: InvitationAnswer }) {
  const t = usePageWords(peopleWords)
  const revoke = useChange('people.invitations.revoke')
  return (
    <>
      <AskButton
        size="xs"
        label={t.revoke}
        aria-label={t.revokeOf(email)}
        question={t.revokeQuestion(email)}
        loading={revoke.isPending}
        act={() => revoke.mutate({ invitationId })}
      />
      <Problem error={revoke.error} />
    </>
  )
}

interface InviteFormProps {
  close: () => void
  invited: (answer: InvitedAnswer) => void
}

/** Invites a person: address, role, and the language of the mail. */
function InviteForm({ close, invited }: InviteFormProps) {
  const t = usePageWords(peopleWords)
  const { language: own } = useSpeech()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('staff')
  const [language, setLanguage] = useState(own)
  const invite = useChange('people.invite', invited)
  return (
    <Modal opened onClose={close} title={t.invite}>
      <Form label={t.send} act={() => invite.mutate({ email, role, language })} change={invite} isWide>
        <TextField
          name="email"
          type="email"
          label={t.email}
          autoComplete="off"
          required
          data-autofocus
          value={email}
          set={setEmail}
        />
        <RoleChoice value={role} set={setRole} />
        <LanguageField label={t.language} value={language} set={setLanguage} />
      </Form>
    </Modal>
  )
}

/** Changes the role of a member. */
function RoleForm({ person: { userId, name, role: now }, close }: { person: PersonOfAccount; close: () => void }) {
  const t = usePageWords(peopleWords)
  const [role, setRole] = useState(now)
  const change = useChange('people.role', close)
  return (
    <Modal opened onClose={close} title={t.changeRoleOf(name)}>
      <Form label={t.changeRole} act={() => change.mutate({ userId, role })} change={change} isWide>
        <RoleChoice value={role} set={setRole} />
        <p className="soft">{t.changeRoleHint(name)}</p>
      </Form>
    </Modal>
  )
}
