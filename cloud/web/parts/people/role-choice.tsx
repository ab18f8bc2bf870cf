// The roles, each with what it may do.
import { ROLES, type Role } from '#cloud/control/roles.ts'
import { peopleWords } from '#cloud/web/messages/people.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'

export function RoleChoice({ value, set }: { value: Role; set: (role: Role) => void }) {
  const t = usePageWords(peopleWords)
  const { t: frame } = useSpeech()
  return (
    <fieldset>
      <legend>{t.role}</legend>
      {ROLES.map((role) => (
        <label key={role} className="role-choice">
          <input type="radio" name="role" value={role} checked={role === value} onChange={() => set(role)} />
          <span>
            <strong>{frame.roles[role]}</strong>
            <br />
            <span className="soft">{t.rights[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
