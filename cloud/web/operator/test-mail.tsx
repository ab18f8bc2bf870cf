// Sends a test mail.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { outboxWords } from '#cloud/web/messages/outbox.ts'
import { useChange } from '#cloud/web/operations.ts'
import { LanguageField } from '#cloud/web/parts/language-field.tsx'
import { useSession } from '#cloud/web/session.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'

export function TestMail() {
  const t = usePageWords(outboxWords)
  const { language: own } = useSpeech()
  const { person } = useSession()
  const say = useNotice()
  const [isOpen, setOpen] = useState(false)
  const [to, setTo] = useState(person?.email ?? '')
  const [language, setLanguage] = useState(own)
  const send = useChange('op.test-mail', () => {
    say(t.testDone)
    setOpen(false)
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.test}</Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.test}>
        <Form label={t.test} change={send} act={() => send.mutate({ to: to.trim(), language })}>
          <p>{t.testHint}</p>
          <TextField type="email" name="to" required data-autofocus label={t.address} value={to} set={setTo} />
          <LanguageField label={t.language} value={language} set={setLanguage} />
        </Form>
      </Modal>
    </>
  )
}
