// The printers, stations or screens of a check: the state of each and its reason, the field for its number, a link to fix it or to leave it out.
import { Button, Group } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import type { CheckLine } from '#gateway/control/check-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { CodeField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { checkWords } from './check-lines.ts'
import { LeaveOut } from './leave-out.tsx'

/** A link from the guide to a fix stays within the guide. */
const IN_GUIDE: Readonly<Record<string, string>> = { '/routing': '/setup/stations', '/displays': '/setup/displays' }

export function CheckList({ kind, order }: { kind: CheckLine['kind']; order: TestOrderAnswer }) {
  const { t } = useSpeech()
  const lines = order.check.lines.filter((line) => line.kind === kind)
  if (lines.length === 0) return null
  return (
    <Part title={t.check.lists[kind]}>
      <ul className="checklist">
        {lines.map((line) => (
          <Line key={line.id} line={line} order={order} />
        ))}
      </ul>
    </Part>
  )
}

function Line({ line, order }: { line: CheckLine; order: TestOrderAnswer }) {
  const { t, formats } = useSpeech()
  const { name, tone, state, sentences, mend } = checkWords(line, t, formats)
  const isInGuide = useLocation().pathname.startsWith('/setup')
  const asksNumber =
    line.kind === 'printer' && order.canTypeNumbers && (line.state === 'asks' || line.state === 'wrong')
  return (
    <li className={line.leftOutBy === null ? line.state : 'left-out'}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <Mark tone={tone}>{state}</Mark>
      <p className="soft">{sentences.join(' ')}</p>
      {asksNumber && line.leftOutBy === null && <NumberForm line={line} printJobId={order.printJobId} />}
      {line.state !== 'proved' && (
        <Group gap="xs">
          {mend && (
            <Button
              variant="default"
              size="compact-md"
              component={Link}
              to={isInGuide ? (IN_GUIDE[mend.to] ?? mend.to) : mend.to}
              aria-label={`${mend.label}: ${name}`}
            >
              {mend.label}
            </Button>
          )}
          <LeaveOut line={line} name={name} />
        </Group>
      )}
    </li>
  )
}

function NumberForm({ line, printJobId }: { line: CheckLine; printJobId: string }) {
  const { t } = useSpeech()
  const [number, setNumber] = useState('')
  const type = useChange('orders.number', () => setNumber(''))
  return (
    <Form label={t.check.type} act={() => type.mutate({ printJobId, printer: line.id, number })} change={type}>
      <CodeField
        name="number"
        label={t.check.number(line.name)}
        description={t.check.numberHint}
        inputMode="numeric"
        pattern="[0-9]{4}"
        maxLength={4}
        value={number}
        set={setNumber}
      />
    </Form>
  )
}
