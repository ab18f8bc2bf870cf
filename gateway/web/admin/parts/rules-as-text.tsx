// Rules and orders as text, for people who keep them in files: in a drawer beside the page.
import '@mantine/core/styles/Drawer.css'
import { Button, Drawer, Group, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { WhatIfResult } from './rule-trial.tsx'

export function RulesAsText() {
  const { t } = useSpeech()
  const [isOpen, setOpen] = useState(false)
  const isTechnician = useIsTechnician()
  const rules = useRead('routing.get', {})
  const text = JSON.stringify(rules.data?.rules ?? [], null, 2)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.rules.asText}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.rules.asText}
        position="right"
        size="lg"
        // The scroll lock would add a <style> element, which the CSP refuses.
        lockScroll={false}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <div className="stack">
          {isTechnician ? (
            <RulesForm key={text} saved={text} close={() => setOpen(false)} />
          ) : (
            <pre className="paper-text">{text}</pre>
          )}
          <Part title={t.routing.paste}>
            <PastedOrder />
          </Part>
        </div>
      </Drawer>
    </>
  )
}

function RulesForm({ saved, close }: { saved: string; close: () => void }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [text, setText] = useState(saved)
  const [isBad, setBad] = useState(false)
  const put = useChange('routing.put', () => {
    say(t.common.saved)
    close()
  })
  const send = () => {
    const rules = parsed(text)
    setBad(!Array.isArray(rules))
    if (Array.isArray(rules)) put.mutate({ rules: rules as never })
  }
  return (
    <Form label={t.common.save} act={send} change={put} isWide>
      <JsonField
        label={t.rules.text}
        description={t.rules.textHint}
        isBad={isBad}
        rows={14}
        value={text}
        set={(changed) => {
          setText(changed)
          setBad(false)
        }}
      />
    </Form>
  )
}

function PastedOrder() {
  const { t } = useSpeech()
  const [text, setText] = useState('')
  const [isBad, setBad] = useState(false)
  const ask = useChange('routing.what-if')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const order = parsed(text)
    setBad(order === null)
    if (order !== null) ask.mutate({ order })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <JsonField
        label={t.routing.paste}
        description={t.routing.pasteHint}
        isBad={isBad}
        rows={8}
        value={text}
        set={(changed) => {
          setText(changed)
          setBad(false)
        }}
      />
      <Group>
        <Button type="submit" variant="default" loading={ask.isPending} disabled={text.trim() === ''}>
          {t.routing.ask}
        </Button>
      </Group>
      <Problem error={ask.error} />
      {ask.data && <WhatIfResult result={ask.data} />}
    </form>
  )
}

interface JsonFieldProps {
  label: string
  description: string
  isBad: boolean
  rows: number
  value: string
  set: (text: string) => void
}

function JsonField({ isBad, set, ...field }: JsonFieldProps) {
  const { t } = useSpeech()
  return (
    <Textarea
      {...field}
      error={isBad ? t.routing.badJson : null}
      spellCheck={false}
      className="code"
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Null when it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
