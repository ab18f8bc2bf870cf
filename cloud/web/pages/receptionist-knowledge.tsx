// What the receptionist can answer: a list of questions with their answers, and a question to try.
import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { KnowledgeAnswer } from '#cloud/control/receptionist-list.ts'
import { knowledgeWords } from '#cloud/web/messages/receptionist-knowledge.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { TryQuestion } from '#cloud/web/receptionist/try-question.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#cloud/web/receptionist/receptionist.css'

/** From so many on the list has a field to search it. */
const SEARCHED_FROM = 8

export function ReceptionistKnowledge() {
  const { t: frame } = useSpeech()
  const t = usePageWords(knowledgeWords)
  return (
    <Page title={frame.nav.pages.knowledge}>
      <p>{t.intro}</p>
      <OfRestaurant>{(merchantId) => <Knowledge key={merchantId} merchantId={merchantId} />}</OfRestaurant>
    </Page>
  )
}

function Knowledge({ merchantId }: { merchantId: string }) {
  const t = usePageWords(knowledgeWords)
  const mayChange = useMay('kitchen')
  const list = useRead('knowledge.list', { merchantId })
  const [edited, setEdited] = useState<KnowledgeAnswer | 'new' | null>(null)
  const add = mayChange && <Button onClick={() => setEdited('new')}>{t.add}</Button>
  return (
    <>
      <TryQuestion merchantId={merchantId} />
      <Answer of={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty words={t.none}>{add}</Empty>
          ) : (
            <>
              <p>{add}</p>
              <Answers all={all} merchantId={merchantId} edit={mayChange ? setEdited : null} />
            </>
          )
        }
      </Answer>
      {edited !== null && (
        <EditAnswer merchantId={merchantId} before={edited === 'new' ? null : edited} close={() => setEdited(null)} />
      )}
    </>
  )
}

interface AnswersProps {
  all: readonly KnowledgeAnswer[]
  merchantId: string
  /** Null: the person may only read. */
  edit: ((entry: KnowledgeAnswer) => void) | null
}

function Answers({ all, merchantId, edit }: AnswersProps) {
  const t = usePageWords(knowledgeWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const [text, setText] = useState('')
  const remove = useChange('knowledge.delete', () => say(t.deleted))
  const wanted = text.trim().toLocaleLowerCase()
  const shown = all.filter(({ question, answer, tags }) =>
    [question, answer, ...tags].some((words) => words.toLocaleLowerCase().includes(wanted)),
  )
  return (
    <>
      {all.length >= SEARCHED_FROM && (
        <search className="filters">
          <TextInput
            type="search"
            label={t.find}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </search>
      )}
      {shown.length === 0 && <Empty words={frame.list.none} />}
      <ul className="row-cards wide-cards">
        {shown.map((entry) => (
          <li key={entry.knowledgeId} className="card stack">
            <strong>
              <bdi>{entry.question}</bdi>
            </strong>
            <p>
              <bdi>{entry.answer}</bdi>
            </p>
            <p className="soft">
              {entry.hits === 0 ? t.never : t.hits(entry.hits)}
              {entry.tags.length > 0 && (
                <>
                  {' · '}
                  <bdi>{entry.tags.join(', ')}</bdi>
                </>
              )}{' '}
              {!entry.enabled && <Mark tone="idle">{t.off}</Mark>}
            </p>
            {edit !== null && (
              <div className="row-actions">
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t.changeOf(entry.question)}
                  onClick={() => edit(entry)}
                >
                  {t.change}
                </Button>
                <AskButton
                  size="compact-sm"
                  label={t.delete}
                  aria-label={t.deleteOf(entry.question)}
                  question={t.deleteAsk(entry.question)}
                  act={() => remove.mutate({ merchantId, knowledgeId: entry.knowledgeId })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <Problem error={remove.error} />
    </>
  )
}

interface EditProps {
  merchantId: string
  /** Null: a new one. */
  before: KnowledgeAnswer | null
  close: () => void
}

function EditAnswer({ merchantId, before, close }: EditProps) {
  const t = usePageWords(knowledgeWords)
  const say = useNotice()
  const [draft, setDraft] = useState({
    question: before?.question ?? '',
    answer: before?.answer ?? '',
    tags: before?.tags.join(', ') ?? '',
    enabled: before?.enabled ?? true,
  })
  const set = (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part }))
  const put = useChange('knowledge.put', () => {
    say(t.saved)
    close()
  })
  const act = () =>
    put.mutate({
      merchantId,
      ...(before !== null && { knowledgeId: before.knowledgeId, seen: { version: before.version } }),
      ...{ question: draft.question.trim(), answer: draft.answer.trim(), enabled: draft.enabled },
      tags: draft.tags
        .split(/[,，、\n]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    })
  return (
    <Modal opened onClose={close} title={before === null ? t.add : t.changeOf(before.question)}>
      <Form label={t.put} act={act} change={put}>
        <TextField
          name="question"
          label={t.question}
          description={t.questionHint}
          required
          maxLength={200}
          data-autofocus
          value={draft.question}
          set={(question) => set({ question })}
        />
        <TextAreaField
          name="answer"
          label={t.answer}
          description={t.answerHint}
          required
          rows={4}
          maxLength={500}
          value={draft.answer}
          set={(answer) => set({ answer: answer.replaceAll('\n', ' ') })}
        />
        <TextField
          name="tags"
          label={t.tags}
          description={t.tagsHint}
          maxLength={400}
          value={draft.tags}
          set={(tags) => set({ tags })}
        />
        <Checkbox
          label={t.enabled}
          checked={draft.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
      </Form>
    </Modal>
  )
}
