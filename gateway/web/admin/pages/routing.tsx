// Where an order would go, and why, without printing; the rules behind it.
import { Button, Group, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { lookup, ticketName } from '#gateway/web/admin/parts/words.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const RECENT = 30

export function Routing() {
  const { t } = useSpeech()
  return (
    <Page title={t.nav.routing}>
      <Part title={t.routing.whatIf}>
        <WhatIfForm />
      </Part>
      <Part title={t.routing.rules}>
        <Rules />
      </Part>
    </Page>
  )
}

function WhatIfForm() {
  const { t, formats } = useSpeech()
  const recent = useRead('jobs.list', { limit: RECENT })
  const [ticketId, setTicketId] = useState('')
  const [text, setText] = useState('')
  const [isBad, setBad] = useState(false)
  const ask = useChange('routing.what-if')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const order = text.trim() === '' ? undefined : parsed(text)
    setBad(order === null)
    if (order !== null) ask.mutate(order === undefined ? { ticketId } : { order })
  }
  const orders = (recent.data?.tickets ?? []).filter(({ kind, orderId }) => kind === 'order' && orderId !== '')
  return (
    <form className="stack" onSubmit={submit}>
      <ChoiceField
        label={t.routing.ofTicket}
        value={ticketId}
        set={setTicketId}
        choices={[
          ['', t.routing.choose] as const,
          ...orders.map(
            (one) =>
              [
                one.ticketId,
                `${ticketName(one, t)} · ${one.printer} · ${formats.time(one.receivedAt)} · ${one.orderId}`,
              ] as const,
          ),
        ]}
      />
      <Textarea
        label={t.routing.orPaste}
        description={t.routing.pasteHint}
        error={isBad ? t.routing.badJson : null}
        rows={6}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button type="submit" loading={ask.isPending} disabled={ticketId === '' && text.trim() === ''}>
          {t.routing.ask}
        </Button>
      </Group>
      <Problem error={ask.error} />
      {ask.data && <WhatIfResult result={ask.data} />}
    </form>
  )
}

function WhatIfResult({ result }: { result: NonNullable<ReturnType<typeof useChange<'routing.what-if'>>['data']> }) {
  const { t } = useSpeech()
  return (
    <div role="status" className="stack">
      <Mark tone={result.printsNow ? 'ok' : 'warn'}>
        {result.printsNow ? t.routing.printsNow : t.routing.printsLater}
      </Mark>
      {result.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <ul className="cards">
        {result.tickets.map((ticket, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answer is shown as a whole
          <li key={index} className="card">
            <h3>{ticket.printerName || t.job.noPrinter}</h3>
            <p className="soft">
              {[lookup(t.paper, ticket.paper), ticket.station ?? ''].filter((words) => words !== '').join(' · ')}
            </p>
            <ul className="plain">
              {ticket.items.map(({ name, qty }, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an order may have the same line twice
                <li key={position}>
                  {qty} × {name}
                </li>
              ))}
            </ul>
            <ul className="soft plain">
              {ticket.why.map((why) => (
                <li key={why}>{why}</li>
              ))}
            </ul>
            {ticket.waitsFor !== null && <Mark tone="warn">{ticket.waitsFor}</Mark>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Rules() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  const rules = useRead('routing.get', {})
  if (!rules.data) return <Problem error={rules.error} />
  const text = JSON.stringify(rules.data.rules, null, 2)
  return isTechnician ? (
    <RulesForm key={text} saved={text} />
  ) : (
    <pre className="paper-text">{rules.data.rules.length === 0 ? t.routing.noRules : text}</pre>
  )
}

function RulesForm({ saved }: { saved: string }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [text, setText] = useState(saved)
  const [isBad, setBad] = useState(false)
  const put = useChange('routing.put', () => say(t.common.saved))
  const send = () => {
    const rules = parsed(text)
    setBad(!Array.isArray(rules))
    if (Array.isArray(rules)) put.mutate({ rules: rules as never })
  }
  return (
    <Form label={t.common.save} act={send} change={put} isWide>
      <Textarea
        label={t.routing.rulesJson}
        description={t.routing.rulesHint}
        error={isBad ? t.routing.badJson : null}
        rows={12}
        spellCheck={false}
        className="code"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
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
