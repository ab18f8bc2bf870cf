// The drawers beside the board: counts of the day, equal lines, orders for later, recall, settings of this display.

import { useState } from 'react'
import { remember, remembered } from '#shared/ui/browser.ts'
import { listed } from '#shared/ui/isolation.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { isExpo, lastReadyMs, ownLines, ownStations, type Viewer } from './board-view.ts'
import { Drawer } from './drawer.tsx'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { type Batch, batchesOf, countsByStation } from './panel-lists.ts'
import type { PanelName } from './panel-names.ts'
import './drawers.css'
import { Settings } from './settings-panel.tsx'

interface PanelProps {
  model: KitchenModel
  snapshot: Snapshot
  name: PanelName
  /** Ids of the open orders that are late. */
  late: ReadonlySet<string>
  /** True if it was opened by a key: then it takes the focus. */
  isByKey: boolean
  onClose: () => void
}

export function Panel({ model, snapshot, name, late, isByKey, onClose }: PanelProps) {
  const { views, viewer } = snapshot
  return (
    <Drawer name={name} isByKey={isByKey} onClose={onClose}>
      {name === 'allDay' && <Counts open={views.open} viewer={viewer} late={late} />}
      {name === 'combine' && <Combine model={model} open={views.open} viewer={viewer} />}
      {name === 'scheduled' && <Scheduled model={model} orders={views.scheduled} viewer={viewer} />}
      {name === 'recall' && <Recall model={model} snapshot={snapshot} />}
      {name === 'settings' && <Settings model={model} settings={snapshot.settings} hello={snapshot.hello} />}
    </Drawer>
  )
}

function Counts({ open, viewer, late }: Pick<PanelProps, 'late'> & { open: readonly BoardOrder[]; viewer: Viewer }) {
  const { m, number } = useWords()
  const stations = countsByStation(open, viewer, ({ orderId }) => late.has(orderId))
  if (stations.length === 0) return <p>{m.nothingHere}</p>
  return (
    <>
      {stations.map(({ key, name, items }) => (
        <section key={key} className="counts-of" aria-label={name || m.noStation}>
          {stations.length > 1 && (
            <h3>
              <bdi>{name || m.noStation}</bdi>
            </h3>
          )}
          <ul className="counts">
            {items.map((item) => (
              <li key={item.name} className={item.late > 0 ? 'late' : ''}>
                <span className="qty">{number(item.qty)}×</span> <bdi>{item.name}</bdi>
                {item.late > 0 && <span className="age age-late">■ {fill(m.lateOf, { n: number(item.late) })}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const NEXT_KEY = 'ticketrail.combine'
const NEXT = [4, 8, 12, 20] as const
const USUAL_NEXT = 8

function Combine({ model, open, viewer }: { model: KitchenModel; open: readonly BoardOrder[]; viewer: Viewer }) {
  const { m, number } = useWords()
  const [next, setNext] = useState(() => NEXT.find((n) => String(n) === remembered(NEXT_KEY)) ?? USUAL_NEXT)
  const batches = batchesOf(open, viewer, next)
  const choose = (n: (typeof NEXT)[number]): void => {
    setNext(n)
    remember(NEXT_KEY, String(n))
  }
  return (
    <>
      <fieldset className="next">
        <legend>{fill(m.combineNext, { n: number(next) })}</legend>
        {NEXT.map((n) => (
          <button type="button" key={n} className="side" aria-pressed={n === next} onClick={() => choose(n)}>
            {number(n)}
          </button>
        ))}
      </fieldset>
      {batches.length === 0 && <p>{m.combineNone}</p>}
      <ul className="batches">
        {batches.map((batch) => (
          <BatchOf key={batch.key} batch={batch} onTicket={(orderId) => model.goTo(orderId)} />
        ))}
      </ul>
    </>
  )
}

function BatchOf({ batch, onTicket }: { batch: Batch; onTicket: (orderId: string) => void }) {
  const { m, number } = useWords()
  const { name, qty, modifiers, note, allergens, isAllergy, tickets } = batch
  const words = listed(allergens, m.comma)
  return (
    <li className={tickets.length > 1 ? 'batch' : 'batch single'}>
      <h3>
        <span className="qty">{number(qty)}×</span> <bdi>{name}</bdi>
      </h3>
      {isAllergy && (
        <p className="allergy">
          ⚠ {m.allergy}
          {words !== '' && m.colon}
          <bdi>{words}</bdi>
        </p>
      )}
      {modifiers.map((modifier, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: modifiers of a line keep their order
        <p key={place} className="modifier">
          <bdi>{modifier}</bdi>
        </p>
      ))}
      {note !== null && (
        <p className="note">
          <bdi>{note}</bdi>
        </p>
      )}
      <ul
        className="tickets"
        aria-label={tickets.length > 1 ? fill(m.onTickets, { n: number(tickets.length) }) : m.onOne}
      >
        {tickets.map((ticket) => (
          <li key={ticket.orderId}>
            <button type="button" className="side" onClick={() => onTicket(ticket.orderId)}>
              <bdi>#{ticket.number}</bdi>
              {ticket.qty > 1 && ` ×${number(ticket.qty)}`}
            </button>
          </li>
        ))}
      </ul>
    </li>
  )
}

function Scheduled({ model, orders, viewer }: { model: KitchenModel; orders: readonly BoardOrder[]; viewer: Viewer }) {
  const { m, time } = useWords()
  if (orders.length === 0) return <p>{m.nothingHere}</p>
  return (
    <ul className="drawer">
      {orders.map((order) => (
        <li key={order.orderId}>
          <h3>
            <bdi>#{order.number}</bdi> <span className="age">{fill(m.due, { time: time(order.dueAtMs) })}</span>
          </h3>
          <Shortly order={order} viewer={viewer} />
          <button type="button" className="main" onClick={() => model.tap('start-now', order)}>
            {m.startNow}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Recall({ model, snapshot: { views, viewer, undos } }: Pick<PanelProps, 'model' | 'snapshot'>) {
  const { m, time } = useWords()
  // At expo, ready orders are on the board until they are picked up.
  const ready = isExpo(viewer) ? views.open.filter(({ readyAtMs }) => readyAtMs !== null) : []
  const orders = [...ready, ...views.done]
  const stationsOf = (order: BoardOrder) =>
    isExpo(viewer) || order.pickedUpAtMs !== null ? null : ownStations(order, viewer).map(({ key }) => key)
  if (undos.length + orders.length === 0) return <p>{m.nothingHere}</p>
  return (
    <>
      {undos.length > 0 && (
        <section aria-label={m.lastActs}>
          <h3>{m.lastActs}</h3>
          <ul className="drawer">
            {undos.map(({ id, kind, number, atMs }) => (
              <li key={id} className="act">
                <span>
                  <bdi>{fill(m.undoKinds[kind], { number })}</bdi> <span className="age">{time(atMs)}</span>
                </span>
                <button type="button" className="side" onClick={() => model.undo(id)}>
                  {m.undo}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {orders.length > 0 && (
        <section aria-label={m.readyAndPickedUp}>
          <h3>{m.readyAndPickedUp}</h3>
          <ul className="drawer">
            {orders.map((order) => (
              <li key={order.orderId}>
                <h4>
                  <bdi>#{order.number}</bdi> <span className="age">{doneWords(order)}</span>
                </h4>
                <Shortly order={order} viewer={viewer} />
                <button type="button" className="side" onClick={() => model.tap('recall', order, stationsOf(order))}>
                  {m.callBack}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )

  function doneWords(order: BoardOrder): string {
    const { pickedUpAtMs, readyAtMs } = order
    return pickedUpAtMs === null
      ? `${m.ready} ${time(readyAtMs ?? lastReadyMs(order))}`
      : `${m.pickedUp} ${time(pickedUpAtMs)}`
  }
}

function Shortly({ order, viewer }: { order: BoardOrder; viewer: Viewer }) {
  return (
    <p>
      {ownLines(order, viewer).map(({ qty, name }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of an order never move
        <span key={place}>
          {place > 0 && ', '}
          {qty}× <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  )
}
