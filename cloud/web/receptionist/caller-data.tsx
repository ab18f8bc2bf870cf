// Everything that is kept of one telephone number: saved as a file for the person who asks, or erased.
import { useState } from 'react'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { E164 } from '#shared/e164.ts'
import { saveFile } from '#shared/ui/page-browser.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { asE164 } from './setup-draft.ts'

export function CallerData({ merchantId }: { merchantId: string }) {
  const t = usePageWords(callsWords)
  const say = useNotice()
  const mayAsk = useMay('audit')
  const [typed, setTyped] = useState('')
  const number = asE164(typed)
  const keep = useChange('callers.export', (kept) =>
    saveFile(new Blob([JSON.stringify(kept, null, 2)], { type: 'application/json' }), 'caller.json'),
  )
  const erase = useChange('callers.erase', (erased) => {
    say(t.erased(erased))
    setTyped('')
  })
  if (!mayAsk) return null
  const ask = (
    <AskButton
      color="red"
      label={t.eraseCaller}
      question={t.eraseQuestion(number)}
      disabled={!E164.test(number)}
      loading={erase.isPending}
      act={() => erase.mutate({ merchantId, number })}
    />
  )
  return (
    <Part title={t.callerData}>
      <p className="soft">{t.callerDataHint}</p>
      <Form label={t.exportCaller} isQuiet act={() => keep.mutate({ merchantId, number })} change={keep} buttons={ask}>
        <TextField name="number" type="tel" autoComplete="off" required label={t.number} value={typed} set={setTyped} />
      </Form>
      <Problem error={erase.error} />
    </Part>
  )
}
