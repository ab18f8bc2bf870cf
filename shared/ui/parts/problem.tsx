// The problem of a request, in a prominent place.
import { Alert } from '@mantine/core'
import type { ApiError } from '#shared/ui/api.ts'
import { type ProblemWords, problemWords } from '#shared/ui/problem-words.ts'
import { useSpeech } from '#shared/ui/speech.tsx'

export function Problem({ error }: { error: ApiError | null }) {
  const speech = useSpeech()
  return error && <ProblemAlert words={problemWords(error, speech)} />
}

export function ProblemAlert({ words: { text, detail, fields } }: { words: ProblemWords }) {
  const { t } = useSpeech()
  return (
    <Alert color="red" role="alert" title={t.problem.title}>
      {text}
      {detail !== '' && (
        <p className="soft" lang="en">
          <bdi>{detail}</bdi>
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
