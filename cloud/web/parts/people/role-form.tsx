// Changes the role of a member.
import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { PersonOfAccount } from '#cloud/control/people-list.ts'
import { peopleWords } from '#cloud/web/messages/people.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { RoleChoice } from './role-choice.tsx'

export function RoleForm({
  person: { userId, name, role: now },
  close,
}: {
  person: PersonOfAccount
  close: () => void
}) {
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
