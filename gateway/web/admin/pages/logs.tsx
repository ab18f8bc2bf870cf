// The newest lines of the box's log.
import { Anchor, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { lookup } from '#gateway/web/admin/parts/words.ts'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
const ASK_EVERY_MS = 5_000

export function Logs() {
  const { t, formats } = useSpeech()
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('info')
  const [text, setText] = useState('')
  const [before, setBefore] = useState<number | undefined>(undefined)
  const isNewest = before === undefined
  const logs = useRead(
    'logs.list',
    { level, text, ...(isNewest ? {} : { before }) },
    { everyMs: isNewest && ASK_EVERY_MS, keep: true },
  )
  const lines = logs.data?.lines ?? []
  const older = logs.data?.next ?? null
  return (
    <Page title={t.nav.logs}>
      <Group align="end">
        <NativeSelect
          label={t.logs.level}
          value={level}
          onChange={(event) => setLevel(event.currentTarget.value as typeof level)}
          data={LEVELS.map((value) => ({ value, label: t.logs.levels[value] }))}
        />
        <TextInput
          type="search"
          label={t.logs.search}
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      <Problem error={logs.error} />
      {logs.data && lines.length === 0 && <p className="soft">{t.logs.none}</p>}
      <ul className="rows log">
        {lines.map(({ position, at, level: of, message, details }) => (
          <li key={position} className={of}>
            <time className="soft number" dateTime={at}>
              {formats.exactTime(at)}
            </time>
            <span>
              <strong>{lookup(t.logs.levels, of)}</strong> {message} <OrderLink details={details} />
            </span>
            {Object.keys(details).length > 0 && <code>{JSON.stringify(details)}</code>}
          </li>
        ))}
      </ul>
      <Group>
        {!isNewest && (
          <Button variant="default" onClick={() => setBefore(undefined)}>
            {t.logs.newest}
          </Button>
        )}
        {older !== null && (
          <Button variant="default" onClick={() => setBefore(older)}>
            {t.jobs.older}
          </Button>
        )}
      </Group>
    </Page>
  )
}

/** To the order that a line is about: ids are hard to read, its card has its number. */
function OrderLink({ details }: { details: Readonly<Record<string, unknown>> }) {
  const { t } = useSpeech()
  const order = details['serviceOrderId']
  if (typeof order !== 'string' || order === '') return null
  return (
    <Anchor component={Link} to="/orders/$order" params={{ order } as never} td="underline">
      {t.orders.title}
      <span className="hidden"> {order}</span>
    </Anchor>
  )
}
