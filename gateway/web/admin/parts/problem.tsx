// What went wrong with a request, in words: the page's own for what it knows, the box's for the rest.
import { Alert } from '@mantine/core'
import type { ApiError } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { Messages } from '#gateway/web/admin/messages/en.ts'

export function problemWords(error: ApiError, t: Messages): string {
  switch (error.code) {
    case 'unreachable':
      return t.problem.unreachable
    case 'forbidden':
      return t.problem.forbidden
    case 'signed-out':
      return t.problem.signedOut
    case 'throttled':
      return t.problem.throttled
    case 'wrong-password':
      return t.problem.wrongPassword
    case 'wrong-code':
      return t.problem.wrongCode
    case 'internal':
      return t.problem.internal
    default:
      return error.message || t.problem.internal
  }
}

export function Problem({ error }: { error: ApiError | null }) {
  const { t } = useSpeech()
  if (!error) return null
  return (
    <Alert color="red" role="alert" title={t.problem.title}>
      {problemWords(error, t)}
      {error.fields.length > 0 && (
        <ul className="plain">
          {error.fields.map(({ field, message }) => (
            <li key={field + message}>
              <strong>{field}</strong> {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
