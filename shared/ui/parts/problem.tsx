// What went wrong with a request, where the person looks.
import { Alert } from '@mantine/core'
import type { ApiError } from '#shared/ui/api.ts'
import { problemWords } from '#shared/ui/problem-words.ts'
import { useSpeech } from '#shared/ui/speech.tsx'

export function Problem({ error }: { error: ApiError | null }) {
  const speech = useSpeech()
  if (!error) return null
  const { text, detail, fields } = problemWords(error, speech)
  return (
    <Alert color="red" role="alert" title={speech.t.problem.title}>
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
