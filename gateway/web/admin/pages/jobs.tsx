// Tickets: a list with filters and a search by order.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { HeldCourses } from '#gateway/web/admin/parts/held-courses.tsx'
import { TicketRows } from '#gateway/web/admin/parts/ticket-rows.tsx'
import { lookup } from '#gateway/web/admin/parts/words.ts'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const STATES = ['queued', 'sending', 'held', 'parked', 'printed', 'failed', 'cancelled', 'uncertain'] as const
const A_PAGE = 50
/** A search looks through more than a page, in one question. */
const SEARCHED = 200

export function Jobs() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  const [printer, setPrinter] = useState('')
  const [state, setState] = useState<'' | (typeof STATES)[number]>('')
  const [search, setSearch] = useState('')
  /** `before` of each page that was turned to. */
  const [pages, setPages] = useState<readonly number[]>([])
  const before = pages.at(-1)
  const wanted = search.trim().toLowerCase()
  const list = useRead(
    'jobs.list',
    {
      limit: wanted === '' ? A_PAGE : SEARCHED,
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
  const tickets = (list.data?.tickets ?? []).filter(
    ({ orderId, ticketId, printJobId }) =>
      wanted === '' || [orderId, ticketId, printJobId].some((id) => id.toLowerCase().includes(wanted)),
  )
  const older = list.data?.next ?? null
  return (
    <Page title={t.nav.jobs}>
      <HeldCourses />
      <Group align="end">
        <TextInput
          type="search"
          label={t.jobs.search}
          description={t.jobs.searchHint(SEARCHED)}
          value={search}
          onChange={(event) => first(() => setSearch(event.currentTarget.value))}
        />
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
      {list.data && <TicketRows tickets={tickets} />}
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
