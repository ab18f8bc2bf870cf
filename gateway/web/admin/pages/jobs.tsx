// Tickets: all of them, those of a printer, or those in a state. Orders have a page of their own.
import { Anchor, Button, Group, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { TicketRows } from '#gateway/web/admin/parts/ticket-rows.tsx'
import { lookup } from '#gateway/web/admin/parts/words.ts'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const STATES = ['queued', 'sending', 'held', 'parked', 'printed', 'failed', 'cancelled', 'uncertain'] as const
const A_PAGE = 50

export function Jobs() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  const [printer, setPrinter] = useState('')
  const [state, setState] = useState<'' | (typeof STATES)[number]>('')
  /** `before` of each page that was turned to. */
  const [pages, setPages] = useState<readonly number[]>([])
  const before = pages.at(-1)
  const list = useRead(
    'jobs.list',
    {
      limit: A_PAGE,
      ...(printer === '' ? {} : { printer }),
      ...(state === '' ? {} : { state }),
      ...(before === undefined ? {} : { before }),
    },
    { keep: true },
  )
  const first = (change: () => void) => {
    setPages([])
    change()
  }
  const older = list.data?.next ?? null
  const actions = (
    <Anchor component={Link} to="/orders">
      {t.orders.toOrders}
    </Anchor>
  )
  return (
    <Page title={t.nav.jobs} actions={actions}>
      <Group align="end">
        <NativeSelect
          label={t.jobs.printer}
          value={printer}
          onChange={(event) => first(() => setPrinter(event.currentTarget.value))}
          data={[
            { value: '', label: t.jobs.all },
            ...printers.map(({ printerId, name }) => ({ value: printerId, label: name })),
          ]}
        />
        <NativeSelect
          label={t.jobs.state}
          value={state}
          onChange={(event) => first(() => setState(event.currentTarget.value as typeof state))}
          data={[
            { value: '', label: t.jobs.all },
            ...STATES.map((value) => ({ value, label: lookup(t.job.states, value) })),
          ]}
        />
      </Group>
      <Problem error={list.error} />
      {list.data && <TicketRows tickets={list.data.tickets} />}
      <Group>
        {pages.length > 0 && (
          <Button variant="default" onClick={() => setPages(pages.slice(0, -1))}>
            {t.jobs.newer}
          </Button>
        )}
        {older !== null && (
          <Button variant="default" onClick={() => setPages([...pages, older])}>
            {t.jobs.older}
          </Button>
        )}
      </Group>
    </Page>
  )
}
