// "API for this": what the page on screen shows and does, as calls of the API.
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { workbenchWords } from '#cloud/web/messages/workbench.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { PressChoice } from '#cloud/web/parts/press-choice.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { remember, remembered } from '#shared/ui/browser.ts'
import { apiCalls, callAsCurl, callAsFetch } from './api-calls.ts'
import type { Subject } from './subject.ts'

const FORMS = { curl: callAsCurl, fetch: callAsFetch } as const
type Form = keyof typeof FORMS
const NAMES: readonly Form[] = ['curl', 'fetch']
const KEPT = 'ticketrail.workbench-form'

export function ApiOfThis({ subject }: { subject: Subject }) {
  const t = usePageWords(workbenchWords)
  const { merchantId, environment } = usePlace()
  const [form, setForm] = useState<Form>(() => NAMES.find((one) => one === remembered(KEPT)) ?? 'curl')
  const choose = (to: Form) => {
    remember(KEPT, to)
    setForm(to)
  }
  return (
    <>
      <div className="workbench-forms">
        <PressChoice label={t.form} value={form} set={choose} choices={NAMES} wordsOf={t.forms} />
        <p className="soft">
          {t.apiHint} <Anchor href="/docs">{t.docs}</Anchor>
        </p>
      </div>
      {apiCalls(subject, { merchantId, environment }).map((call) => (
        <CodeBlock key={call.key} label={t.calls[call.key]} text={FORMS[form](call, location.origin)} />
      ))}
    </>
  )
}
