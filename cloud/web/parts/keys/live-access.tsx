// Live keys are possible once an operator has approved the account: an owner asks for that here.
import { useState } from 'react'
import { keysWords } from '#cloud/web/messages/keys.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Part } from '#shared/ui/parts/page.tsx'

export function LiveAccess() {
  const t = usePageWords(keysWords)
  const { formats } = useSpeech()
  const mayAsk = useMay('govern')
  const live = useRead('live.get', {})
  return (
    <Part title={t.ask}>
      <p>{t.needsLive}</p>
      <Answer of={live} rows={1}>
        {({ askedAt }) => {
          if (askedAt !== null) return <p>{t.asked(formats.dateTime(askedAt))}</p>
          return mayAsk ? <Ask /> : <p className="soft">{t.ownerAsks}</p>
        }}
      </Answer>
    </Part>
  )
}

function Ask() {
  const t = usePageWords(keysWords)
  const [text, setText] = useState('')
  const ask = useChange('live.ask')
  return (
    <Form label={t.askSend} act={() => ask.mutate({ text })} change={ask}>
      <TextAreaField name="text" label={t.askText} required maxLength={1_000} rows={3} value={text} set={setText} />
    </Form>
  )
}
