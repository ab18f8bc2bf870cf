// A menu from a file: what it would change is shown first, and taken over as it was shown.
import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useChange } from '#cloud/web/operations.ts'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { saveFile } from '#shared/ui/page-browser.ts'
import { FileField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { problemWords } from '#shared/ui/problem-words.ts'
import { MenuChanges } from './menu-changes.tsx'
import { wrongPlace } from './wrong-places.ts'

/** With the words around it, the relay takes 1 MiB. */
const MOST_BYTES = 1_000_000

const SAMPLE = `umsId,name,kind,price,prepMinutes,station,category
UMS-BURGER-01,Smash Burger,item,12.50,10,grill,Mains
UMS-FRIES-01,Fries,item,4.50,6,fry,Sides
UMS-NO-ONION,No onion,modifier,,,,
`

type Taken = OperationAnswers['menu.import']

export function MenuImport({ merchantId }: { merchantId: string }) {
  const t = usePageWords(menuWords)
  const [content, setContent] = useState('')
  const [shown, setShown] = useState<Taken | null>(null)
  const look = useChange('menu.import', setShown)
  const take = useChange('menu.import')
  const wrong = look.error?.said?.key === 'menu.file-wrong-lines' ? look.error : null
  const isTooLarge = new Blob([content]).size > MOST_BYTES
  const choose = async (file: File | null) => {
    if (file !== null) setContent(await file.text())
  }
  const preview = () => {
    take.reset()
    look.mutate({ merchantId, content, dryRun: true })
  }
  const again = () => {
    setContent('')
    setShown(null)
    look.reset()
    take.reset()
  }
  if (take.data) return <TookOver taken={take.data} again={again} />
  if (shown !== null)
    return (
      <div className="stack">
        <MenuChanges taken={shown} />
        <Problem error={take.error} />
        <div className="row-actions">
          {changesOf(shown) > 0 && take.error?.code !== 'stale' && (
            <Button
              loading={take.isPending}
              onClick={() => take.mutate({ merchantId, content, seen: { basis: shown.basis } })}
            >
              {t.takeOver(changesOf(shown))}
            </Button>
          )}
          {take.error?.code === 'stale' && <Button onClick={preview}>{t.preview}</Button>}
          <Button variant="default" onClick={again}>
            {t.another}
          </Button>
        </div>
      </div>
    )
  return (
    <Form
      label={t.preview}
      act={preview}
      change={{ error: isTooLarge || wrong !== null ? null : look.error, isPending: look.isPending }}
      isWide
    >
      <p>{t.importHint}</p>
      <p>
        <Button
          variant="default"
          size="xs"
          onClick={() => saveFile(new Blob([SAMPLE], { type: 'text/csv;charset=utf-8' }), 'menu.csv')}
        >
          {t.sample}
        </Button>
      </p>
      <FileField label={t.file} accept=".csv,.json,text/csv,application/json" choose={(file) => void choose(file)} />
      <TextAreaField
        name="content"
        label={t.orPaste}
        rows={6}
        required
        spellCheck={false}
        value={content}
        set={setContent}
      />
      {isTooLarge && <Mark tone="warn">{t.tooLarge}</Mark>}
      {wrong !== null && <WrongLines error={wrong} content={look.variables?.content ?? ''} />}
    </Form>
  )
}

const changesOf = ({ diff }: Taken): number => diff.added + diff.changed

function TookOver({ taken, again }: { taken: Taken; again: () => void }) {
  const t = usePageWords(menuWords)
  return (
    <div className="stack" role="status">
      <Mark tone="ok">{t.tookOver(taken.items)}</Mark>
      <p>
        <Button variant="default" onClick={again}>
          {t.another}
        </Button>
      </p>
    </div>
  )
}

interface WrongLinesProps {
  error: ApiError
  /** As it was sent: what is typed after the refusal may move its lines. */
  content: string
}

/** Errors of a menu file: each line with its column, its present value and the required form; then what to do. */
function WrongLines({ error, content }: WrongLinesProps) {
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
