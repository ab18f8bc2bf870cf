// What went wrong with a request, where the person looks.
import { Alert } from '@mantine/core'
import type { ApiError } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { problemWords } from './problem-words.ts'

export function Problem({ error }: { error: ApiError | null }) {
  const { t, formats } = useSpeech()
  if (!error) return null
  const { text, detail, fields } = problemWords(error, t, formats)
  return (
    <Alert color="red" role="alert" title={t.problem.title}>
      {text}
      {detail !== '' && (
        <p className="soft" lang="en">
          {detail}
        </p>
      )}
      {fields.length > 0 && (
        <ul className="plain">
          {fields.map(({ field, words }) => (
            <li key={field + words}>
              <strong>{field}</strong> {words}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
