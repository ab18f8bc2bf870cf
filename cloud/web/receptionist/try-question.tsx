// A question as a caller would ask it, and what the receptionist would answer.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { knowledgeWords } from '#cloud/web/messages/receptionist-knowledge.ts'
import { useRead } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function TryQuestion({ merchantId }: { merchantId: string }) {
  const t = usePageWords(knowledgeWords)
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const answer = useRead('knowledge.try', { merchantId, question: asked }, { enabled: asked !== '' })
  return (
    <Part title={t.try}>
      <search className="card stack">
        <form
          className="try-question"
          onSubmit={(event) => {
            event.preventDefault()
            setAsked(typed.trim())
          }}
        >
          <TextInput
            label={t.tryHint}
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={answer.isFetching} disabled={typed.trim() === ''}>
            {t.tryGo}
          </Button>
        </form>
        <div role="status">{answer.data && <Tried found={answer.data.found} />}</div>
        <Problem error={answer.error} />
      </search>
    </Part>
  )
}

function Tried({ found }: { found: { question: string | null; answer: string } | null }) {
  const t = usePageWords(knowledgeWords)
  if (found === null) return <p>{t.notFound}</p>
  return (
    <ul className="talk">
      <li>
        <bdi>{found.answer}</bdi>
        <span className="soft">{found.question === null ? t.foundHours : t.found(found.question)}</span>
      </li>
    </ul>
  )
}
