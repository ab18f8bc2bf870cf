// Text messages of the restaurant with what became of each, and the numbers that get none.
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TextAnswer } from '#cloud/control/text-list.ts'
import { textsWords } from '#cloud/web/messages/texts.ts'
import type { TextsWords } from '#cloud/web/messages/texts-en.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { asE164 } from '#cloud/web/receptionist/setup-draft.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Fold } from '#shared/ui/parts/fold.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { textReason, textState, textTone } from './text-words.ts'

/** What became of one may be told at any moment. */
const EVERY_MS = 15_000

export function TextMessages({ merchantId }: { merchantId: string }) {
  const t = usePageWords(textsWords)
  return (
    <Part title={t.title}>
      <Fold id="texts" icon="clock" title={t.lately} state="">
        <Texts merchantId={merchantId} />
      </Fold>
      <Fold id="text-optouts" icon="settings" title={t.optouts} state="">
        <Optouts merchantId={merchantId} />
      </Fold>
    </Part>
  )
}

function Texts({ merchantId }: { merchantId: string }) {
  const t = usePageWords(textsWords)
  const texts = useRead('texts.list', { merchantId }, { everyMs: EVERY_MS, keep: true })
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <Answer of={texts} rows={2}>
      {(rows) => (
        <DataList
          label={t.title}
          rows={rows}
          keyOf={({ textId }) => textId}
          columns={columns}
          empty={<Empty words={t.none} />}
        />
      )}
    </Answer>
  )
}

function columnsOf(t: TextsWords): Column<TextAnswer>[] {
  return [
    {
      key: 'kind',
      label: t.columns.kind,
      isTitle: true,
      cell: ({ kind, subjectId }) =>
        kind === 'order-ready' ? <OrderLink serviceOrderId={subjectId} number={t.kinds[kind]} /> : t.kinds[kind],
    },
    {
      key: 'to',
      label: t.columns.to,
      cell: ({ to, text }) => (
        <>
          {to === null ? <span className="soft">{t.unreadable}</span> : <bdi dir="ltr">{to}</bdi>}
          {text !== null && (
            <span className="soft block">
              <bdi>{text}</bdi>
            </span>
          )}
        </>
      ),
    },
    { key: 'state', label: t.columns.state, cell: (text) => <HowItStands text={text} /> },
    { key: 'written', label: t.columns.written, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ]
}

/** Its state, and under it why. */
function HowItStands({ text }: { text: TextAnswer }) {
  const t = usePageWords(textsWords)
  const { state, error } = text
  const why = [
    ...(error === null || state === 'sent' ? [] : [textReason(t, error)]),
    ...(state === 'kept' ? [t.keptHint] : []),
    ...(state === 'uncertain' ? [t.uncertainHint] : []),
  ]
  return (
    <>
      <Mark tone={textTone(text)}>{textState(t, text)}</Mark>
      {why.map((words) => (
        <span key={words} className="soft block">
          {words}
        </span>
      ))}
    </>
  )
}

function Optouts({ merchantId }: { merchantId: string }) {
  const t = usePageWords(textsWords)
  const mayChange = useMay('serve')
  const optouts = useRead('texts.optouts', { merchantId, limit: 500 })
  return (
    <div className="stack">
      <p className="soft">{t.optoutsHint}</p>
      {mayChange && <OneNumber merchantId={merchantId} />}
      <Answer of={optouts} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="soft">{t.noOptouts}</p>
          ) : (
            <ul aria-label={t.optouts}>
              {rows.map(({ tail, source, since }) => (
                <li key={`${tail} ${since}`}>
                  <bdi dir="ltr">{t.endsWith(tail)}</bdi> · {t.sources[source]} · <Ago at={since} />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </div>
  )
}

/** A number is named whole: only its last four digits are kept, and two may have the same. */
function OneNumber({ merchantId }: { merchantId: string }) {
  const t = usePageWords(textsWords)
  const say = useNotice()
  const [typed, type] = useState('')
  const done = (words: string): void => {
    say(words)
    type('')
  }
  const put = useChange('texts.put-optout', ({ changed }) => done(changed ? t.added : t.already))
  const remove = useChange('texts.remove-optout', () => done(t.removed))
  // What the other one was refused is over.
  const ask = (change: typeof put | typeof remove): void => {
    for (const each of [put, remove]) each.reset()
    change.mutate({ merchantId, number: asE164(typed) })
  }
  const isEmpty = typed.trim() === ''
  return (
    <Form
      label={t.add}
      isQuiet={isEmpty}
      act={() => ask(put)}
      change={{ error: put.error ?? remove.error, isPending: put.isPending }}
      buttons={
        <Button variant="default" disabled={isEmpty} loading={remove.isPending} onClick={() => ask(remove)}>
          {t.remove}
        </Button>
      }
    >
      <TextField type="tel" name="number" label={t.number} autoComplete="off" required value={typed} set={type} />
    </Form>
  )
}
