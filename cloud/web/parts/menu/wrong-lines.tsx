// Errors of a menu file: each line with its column, its present value and the required form; then what to do.
import { Alert } from '@mantine/core'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { problemWords } from '#shared/ui/problem-words.ts'
import { wrongPlace } from './wrong-places.ts'

interface WrongLinesProps {
  error: ApiError
  /** As it was sent: what is typed after the refusal may move its lines. */
  content: string
}

export function WrongLines({ error, content }: WrongLinesProps) {
  const t = usePageWords(menuWords)
  const speech = useSpeech()
  const { text, fields } = problemWords(error, speech)
  return (
    <Alert color="red" role="alert" title={text}>
      <ul className="plain wrong-lines">
        {fields.map(({ path, words }) => {
          const place = wrongPlace(path, content)
          return (
            <li key={path + words}>
              <span>
                <strong>
                  {place !== null && t.wrongAt[place.kind](place.number)}
                  {place?.column && (
                    <>
                      , <code>{place.column}</code>
                    </>
                  )}
                </strong>{' '}
                {words}
              </span>
              {place?.text && <code className="soft">{place.text}</code>}
            </li>
          )
        })}
      </ul>
      <p>{t.mendFile}</p>
    </Alert>
  )
}
