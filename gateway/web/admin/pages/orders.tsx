// Orders by the number on paper: a list, and a search on the box over all that are kept.
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { OrderAnswer, OrderPage } from '#gateway/control/order-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { useFurtherPages } from '#gateway/web/admin/parts/order-search.ts'
import { lookup } from '#gateway/web/admin/parts/words.ts'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { focusHeading, Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#gateway/web/admin/orders.css'
import { useNow } from '#gateway/web/admin/live.tsx'
import { orderName, orderStanding, orderTypeWords } from '#gateway/web/admin/parts/order-words.ts'
import { listed } from '#shared/ui/isolation.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'

const FILTERS = ['waiting', 'trouble', 'scheduled', 'printed', 'ready', 'voided'] as const
type Filter = '' | (typeof FILTERS)[number]
const A_PAGE = 50
const AGAIN_EVERY_MS = 10_000

export function Orders() {
  const { t } = useSpeech()
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<Filter>('')
  /** `before` of each page that was turned to. */
  const [pages, setPages] = useState<readonly number[]>([])
  const search = useDeferredValue(typed.trim())
  const before = pages.at(-1)
  const asked = { search, limit: A_PAGE, ...(state === '' ? {} : { state }) }
  const list = useRead(
    'orders.list',
    { ...asked, ...(before === undefined ? {} : { before }) },
    { keep: true, everyMs: before === undefined && AGAIN_EVERY_MS },
  )
  const first = (change: () => void) => {
    setPages([])
    change()
  }
  return (
    <Page
      title={t.nav.orders}
      actions={
        <Anchor component={Link} to="/jobs">
          {t.orders.tickets}
        </Anchor>
      }
    >
      <HeldCourses />
      <Group align="end">
        <TextField
          name="text"
          type="search"
          className="order-search"
          label={t.orders.search}
          description={t.orders.searchHint}
          maxLength={100}
          value={typed}
          set={(text) => first(() => setTyped(text))}
        />
        <ChoiceField
          name="filter"
          label={t.orders.state}
          value={state}
          set={(filter) => first(() => setState(filter))}
          choices={[
            ['', t.orders.any] as const,
            ...FILTERS.map((one) => [one, lookup(t.orders.filters, one)] as const),
          ]}
        />
      </Group>
      <Problem error={list.error} />
      {list.data && (
        <Found
          key={JSON.stringify({ ...asked, before })}
          asked={asked}
          page={list.data}
          isAnswered={!list.isPlaceholderData}
          hasNewer={pages.length > 0}
          newer={() => setPages(pages.slice(0, -1))}
          older={(next) => setPages([...pages, next])}
        />
      )}
    </Page>
  )
}

interface FoundProps {
  asked: { search: string; limit: number; state?: Exclude<Filter, ''> }
  page: OrderPage
  isAnswered: boolean
  hasNewer: boolean
  newer: () => void
  older: (next: number) => void
}

/** What was found, and what is found further back while one waits. */
function Found({ asked, page, isAnswered, hasNewer, newer, older }: FoundProps) {
  const { t, formats } = useSpeech()
  const { orders, next, lookedBackTo, isLooking, stop, go, error } = useFurtherPages(asked, page, isAnswered)
  const isSearch = asked.search !== '' || asked.state !== undefined
  const isFull = orders.length >= asked.limit
  return (
    <>
      {orders.length > 0 && <OrderRows orders={orders} />}
      <div role="status">
        {orders.length === 0 && isAnswered && !isLooking && (
          <p className="soft">{isSearch ? t.orders.noneFound : t.orders.none}</p>
        )}
        {isLooking && <p className="soft">{t.orders.looking}</p>}
        {isSearch && lookedBackTo !== null && (
          <p className="soft">{t.orders.lookedBackTo(formats.dateTime(lookedBackTo))}</p>
        )}
      </div>
      <Problem error={error} />
      <Group>
        {hasNewer && (
          <Button variant="default" onClick={newer}>
            {t.orders.newer}
          </Button>
        )}
        {isLooking && (
          <Button variant="default" onClick={stop}>
            {t.orders.stopLooking}
          </Button>
        )}
        {!isLooking && !isFull && next !== null && (
          <Button variant="default" onClick={go}>
            {t.orders.lookFurther}
          </Button>
        )}
        {isFull && next !== null && (
          <Button variant="default" onClick={() => older(next)}>
            {t.orders.older}
          </Button>
        )}
      </Group>
    </>
  )
}

/** Fired at a display or by the relay meanwhile: gone from here after so long. */
const EVERY_MS = 5_000

/** Courses that wait to be fired, each with its button; nothing where none waits. */
function HeldCourses() {
  const { t } = useSpeech()
  const held = useRead('courses.list', {}, { everyMs: EVERY_MS, keep: true })
  const fire = useChange('courses.fire', focusHeading)
  const courses = held.data ?? []
  if (courses.length === 0 && !fire.error) return null
  return (
    <section aria-label={t.courses.title}>
      <h2>{t.courses.title}</h2>
      <Problem error={fire.error} />
      <ul className="rows">
        {courses.map(({ orderId, number, course, items }) => (
          <li key={`${orderId} ${course}`}>
            <strong>{t.courses.name(number, course)}</strong>
            <Button
              variant="default"
              aria-label={t.courses.fireOf(number, course)}
              loading={fire.isPending && fire.variables.order === orderId && fire.variables.course === course}
              onClick={() => fire.mutate({ order: orderId, course })}
            >
              {t.courses.fire}
            </Button>
            <span className="soft">{listed(items, t.common.comma)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Orders as rows: the number on paper, large; the type, small. Each links to its card. */
function OrderRows({ orders }: { orders: readonly OrderAnswer[] }) {
  return (
    <ul className="rows orders">
      {orders.map((order) => (
        <OrderRow key={order.printJobId} order={order} />
      ))}
    </ul>
  )
}

function OrderRow({ order }: { order: OrderAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { tone, words } = orderStanding(order, t)
  const { number, clientOrderId, source, guest, table, orderType, items, lines, receivedAt, notBefore } = order
  const place = [orderTypeWords(orderType, t), table === null ? '' : t.orders.table(table)].filter(
    (word) => word !== '',
  )
  const more = lines > items.length ? [t.orders.more(lines - items.length)] : []
  const facts = [
    ...(guest === null ? [] : [guest]),
    ...(notBefore === null ? [] : [t.orders.forTime(formats.dateTime(notBefore))]),
    t.job.received(formats.ago(receivedAt, now)),
    source,
    ...(clientOrderId === number ? [] : [clientOrderId]),
  ].filter((fact) => fact !== '')
  return (
    <li>
      <span className="order-head">
        <Anchor component={Link} to="/orders/$order" params={{ order: order.printJobId } as never} className="number">
          <bdi>{orderName(order, t)}</bdi>
        </Anchor>
        <span>
          <Isolated texts={place} between=" · " />
        </span>
      </span>
      <Mark tone={tone}>{words}</Mark>
      <span className="order-items">
        <Isolated texts={[...items, ...more]} between={t.common.comma} />
      </span>
      <span className="soft">
        <Isolated texts={facts} between=" · " />
      </span>
    </li>
  )
}

/** Each text in its own direction: a name in another script does not reorder the texts beside it. */
function Isolated({ texts, between }: { texts: readonly string[]; between: string }) {
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the texts of a row have no other key, and keep their order
    <span key={index}>
      {index > 0 && between}
      <bdi>{text}</bdi>
    </span>
  ))
}
