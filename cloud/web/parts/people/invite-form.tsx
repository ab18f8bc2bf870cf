// Invites a person: address, role, and the language of the mail.
import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { InvitedAnswer } from '#cloud/control/people-list.ts'
import type { Role } from '#cloud/control/roles.ts'
import { peopleWords } from '#cloud/web/messages/people.ts'
import { useChange } from '#cloud/web/operations.ts'
import { LanguageField } from '#cloud/web/parts/language-field.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { RoleChoice } from './role-choice.tsx'

interface InviteFormProps {
  close: () => void
  invited: (answer: InvitedAnswer) => void
}

export function InviteForm({ close, invited }: InviteFormProps) {
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
