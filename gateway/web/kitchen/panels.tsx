// The drawers beside the board: counts of the day, orders for later, orders to call back, settings of this screen.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { allDay, isExpo, ownLines, ownStations, type Viewer } from './board-view.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import type { PanelName } from './panel-names.ts'
import { Settings } from './settings-panel.tsx'

interface PanelProps {
  model: KitchenModel
  snapshot: Snapshot
  name: PanelName
  onClose: () => void
}

export function Panel({ model, snapshot, name, onClose }: PanelProps) {
  const { m } = useWords()
  const { views, viewer } = snapshot
  return (
    <section className="panel" aria-label={m[name]}>
      <div className="panel-head">
        <h2>{m[name]}</h2>
        <button type="button" className="side" onClick={onClose}>
          {m.close}
        </button>
      </div>
      {name === 'allDay' && <Counts open={views.open} viewer={viewer} />}
      {name === 'scheduled' && <Scheduled model={model} orders={views.scheduled} viewer={viewer} />}
      {name === 'recall' && <Recall model={model} orders={views.done} viewer={viewer} />}
      {name === 'settings' && <Settings model={model} settings={snapshot.settings} />}
    </section>
  )
}

function Counts({ open, viewer }: { open: readonly BoardOrder[]; viewer: Viewer }) {
  const { m, number } = useWords()
  const counts = allDay(open, viewer)
  if (counts.length === 0) return <p>{m.nothingHere}</p>
  return (
    <ul className="counts">
      {counts.map(({ name, qty }) => (
        <li key={name}>
          <span className="qty">{number(qty)}×</span> {name}
        </li>
      ))}
    </ul>
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
            {order.number} <span className="age">{fill(m.due, { time: time(order.dueAtMs) })}</span>
          </h3>
          <p>{shortly(order, viewer)}</p>
          <button type="button" className="main" onClick={() => model.tap('start-now', order)}>
            {m.startNow}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Recall({ model, orders, viewer }: { model: KitchenModel; orders: readonly BoardOrder[]; viewer: Viewer }) {
  const { m } = useWords()
  if (orders.length === 0) return <p>{m.nothingHere}</p>
  const stationsOf = (order: BoardOrder) =>
    isExpo(viewer) || order.pickedUpAtMs !== null ? null : ownStations(order, viewer).map(({ key }) => key)
  return (
    <ul className="drawer">
      {orders.map((order) => (
        <li key={order.orderId}>
          <h3>
            {order.number} <span className="age">{order.pickedUpAtMs === null ? m.ready : m.pickedUp}</span>
          </h3>
          <p>{shortly(order, viewer)}</p>
          <button type="button" className="side" onClick={() => model.tap('recall', order, stationsOf(order))}>
            {m.callBack}
          </button>
        </li>
      ))}
    </ul>
  )
}

function shortly(order: BoardOrder, viewer: Viewer): string {
  return ownLines(order, viewer)
    .map(({ qty, name }) => `${qty}× ${name}`)
    .join(', ')
}
