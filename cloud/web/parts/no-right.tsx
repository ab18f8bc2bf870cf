// The person's role does not reach here: which roles do.
import { useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { problemWords } from '#shared/ui/problem-words.ts'

export function NoRight({ error }: { error: ApiError }) {
  const speech = useSpeech()
  const { t, formats } = speech
  const roles = String(error.said?.values['roles'] ?? '')
    .split(', ')
    .map((role) => (Object.hasOwn(t.roles, role) ? t.roles[role as keyof typeof t.roles] : role))
    .filter((role) => role !== '')
  return (
    <section className="empty">
      <h2>{t.states.noRight}</h2>
      <p>{roles.length > 0 ? t.states.noRightHint(formats.list(roles)) : problemWords(error, speech).text}</p>
    </section>
  )
}
