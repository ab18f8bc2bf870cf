// The head of a ticket: number, type, table, seats, age, promised time; and the small head of further parts.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { Messages } from './messages/en.ts'
import { fill, useWords } from './messages/words.tsx'
import { type Aged, Gauge, OrderAge } from './order-age.tsx'
import { seatsOf } from './ticket-blocks.ts'

export interface HeadProps {
  aged: Aged
  /** Key on a bump bar; 0: none. */
  digit: number
  /** `1/3`; '': it is not split. */
  part: string
  isNew: boolean
  isWaiting: boolean
  /** Why it could not be changed; '': nothing was refused. */
  refusal: string
}

export function TicketHead(props: HeadProps) {
  const { m } = useWords()
  const { aged, isNew, isWaiting, refusal } = props
  return (
    <div className="head">
      <FirstRow {...props} />
      <Place order={aged.order} viewer={aged.viewer} />
      <Who order={aged.order} />
      <div className="marks">
        {isNew && <strong className="mark mark-new">{m.isNew}</strong>}
        {isWaiting && <span className="mark mark-waiting">{m.waiting}</span>}
      </div>
      {refusal !== '' && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div className="gauge" aria-hidden="true">
        {aged.order.voidedAtMs === null && <Gauge aged={aged} />}
      </div>
    </div>
  )
}

/** For every part except the first. */
export function NextHead(props: Pick<HeadProps, 'aged' | 'digit' | 'part'>) {
  return (
    <div className="head head-next">
      <FirstRow {...props} />
    </div>
  )
}

/** Longest number that fits one row with key, part, level and age in the narrowest column of each size. */
const MOST_BESIDE_AGE = 5

/** Whether the number has its own row. Depends on its length only, so that a head has the same height at each age, split or not. */
export function hasLongNumber({ number }: Pick<BoardOrder, 'number'>): boolean {
  return String(number).length > MOST_BESIDE_AGE
}

function FirstRow({ aged, digit, part }: Pick<HeadProps, 'aged' | 'digit' | 'part'>) {
  const { number, voidedAtMs } = aged.order
  return (
    <div className={hasLongNumber(aged.order) ? 'head-row long' : 'head-row'}>
      <h2>
        {digit > 0 && <kbd>{digit % 10}</kbd>}
        <bdi>#{number}</bdi>
      </h2>
      <span className="part-age">
        {part !== '' && <bdi className="part">{part}</bdi>}
        {voidedAtMs === null && <OrderAge aged={aged} />}
      </span>
    </div>
  )
}

/** How the guest gets it: table, pick-up, delivery. */
function Place({ order, viewer }: Pick<Aged, 'order' | 'viewer'>) {
  const { m } = useWords()
  const { orderType, table } = order
  const seats = seatsOf(order, viewer, m.comma)
  if (orderType === null && table === null && seats === '') return null
  return (
    <p className="place">
      {orderType !== null && (
        <span className={`type type-${orderType in m.orderTypes ? orderType : 'other'}`}>
          <bdi>{m.orderTypes[orderType] ?? orderType}</bdi>
        </span>
      )}
      {table !== null && <bdi className="table">{tableWords(table, m)}</bdi>}
      {seats !== '' && <span>{fill(m.seats, { n: seats })}</span>}
    </p>
  )
}

/** A bare number gets the short word before it. A name, or a number that already has a letter, is unchanged. */
function tableWords(table: string, { tableShort }: Pick<Messages, 'tableShort'>): string {
  return /^\p{Nd}+$/u.test(table) ? fill(tableShort, { n: table }) : table
}

/** The promised time, and the guest's name. */
function Who({ order }: Pick<Aged, 'order'>) {
  const { m, time, number: count } = useWords()
  const { number, readyByMs, guests, server, customer, source, clientOrderId } = order
  const party = guests === null ? null : fill(guests === 1 ? m.guest : m.guests, { n: count(guests) })
  const names = [party, customer, server, source, clientOrderId === number ? null : clientOrderId]
  return (
    <p className="who">
      {readyByMs !== null && <strong>{fill(m.dueBy, { time: time(readyByMs) })}</strong>}
      {names.map((name, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: each has a fixed place
        name === null || name === '' ? null : <bdi key={place}>{name}</bdi>,
      )}
    </p>
  )
}
