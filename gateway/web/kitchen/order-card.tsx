// One order as a card: what to make, how old it is, what is special about it, and the buttons that bump it.
import { memo } from 'react'
import type { BoardLine, BoardOrder, StationState } from '#shared/wire/kitchen.ts'
import {
  allergyBanners,
  isChangeUnseen,
  isExpo,
  isHeldLine,
  isLineDone,
  nextStep,
  ownPlaces,
  ownStations,
  type Viewer,
} from './board-view.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { OrderAge, useAge } from './order-age.tsx'

export interface OrderCardProps {
  model: KitchenModel
  viewer: Viewer
  order: BoardOrder
  isWaiting: boolean
  isSelected: boolean
  /** Key on a bump bar; 0: none. */
  digit: number
  /** Numbers of the open orders that add to this one; '': none. */
  addOns: string
}

const NEW_FOR_MIN = 1

export const OrderCard = memo(function OrderCard({
  model,
  viewer,
  order,
  isWaiting,
  isSelected,
  digit,
  addOns,
}: OrderCardProps) {
  const { m } = useWords()
  const { minutes, level } = useAge(model, order, viewer)
  const isVoid = order.voidedAtMs !== null
  const stations = ownStations(order, viewer)
  const isStarted = stations.some(({ startedAtMs }) => startedAtMs !== null)
  const isNew = minutes < NEW_FOR_MIN && !isStarted
  const isChanged = isChangeUnseen(order, viewer)
  const others = order.stations.filter((station) => !stations.includes(station))
  return (
    <li
      className={`card level-${isVoid ? 'void' : level}${isSelected ? ' selected' : ''}${isNew ? ' new' : ''}${isChanged ? ' changed' : ''}`}
      data-order={order.orderId}
      aria-label={order.number}
    >
      <div className="card-head">
        <h2>
          {digit > 0 && <kbd>{digit % 10}</kbd>} {order.number}
        </h2>
        {!isVoid && <OrderAge minutes={minutes} level={level} />}
      </div>
      <p className="card-who">
        {order.source}
        {order.clientOrderId !== order.number && ` · ${order.clientOrderId}`}
        {order.customer !== null && ` · ${order.customer}`}
      </p>
      <Place order={order} />
      <Marks order={order} isNew={isNew} isWaiting={isWaiting} addOns={addOns} />
      <Lines model={model} viewer={viewer} order={order} />
      {isExpo(viewer) && order.stations.length > 1 && <Stations stations={order.stations} />}
      {!isExpo(viewer) && others.length > 0 && (
        <p className="also">
          {m.alsoAt}: {others.map(({ name }) => name || m.kitchen).join(', ')}
        </p>
      )}
      <Buttons model={model} viewer={viewer} order={order} isStarted={isStarted} />
    </li>
  )
})

/** How the guest gets it, and what the kitchen must know of the whole order. */
function Place({ order }: Pick<OrderCardProps, 'order'>) {
  const { m, number } = useWords()
  const { orderType, table, guests, server, note, allergens } = order
  const place = [
    orderType === null ? '' : (m.orderTypes[orderType] ?? orderType),
    table === null ? '' : fill(m.table, { n: table }),
    guests === null ? '' : fill(guests === 1 ? m.guest : m.guests, { n: number(guests) }),
    server ?? '',
  ].filter((part) => part !== '')
  return (
    <>
      {place.length > 0 && <p className="place">{place.join(' · ')}</p>}
      {allergyBanners(allergens).map(({ words, dishes }) => (
        <strong key={`${dishes.length} ${words}`} className="allergy">
          ⚠ {m.allergy}: <bdi>{words}</bdi>
          {dishes.map(({ item, seat }) => (
            <span key={`${seat} ${item}`} className="allergy-of">
              <bdi>{item}</bdi>
              {seat !== null && ` ${fill(m.seat, { n: number(seat) })}`}
            </span>
          ))}
        </strong>
      ))}
      {note !== null && <p className="note">{note}</p>}
    </>
  )
}

function Marks({
  order,
  isNew,
  isWaiting,
  addOns,
}: Pick<OrderCardProps, 'order' | 'isWaiting' | 'addOns'> & { isNew: boolean }) {
  const { m } = useWords()
  const { voidReason = null } = order
  return (
    <>
      <p className="marks">
        {order.isTest && <strong className="mark mark-test">{m.test}</strong>}
        {order.voidedAtMs !== null && <strong className="mark mark-void">{m.voided}</strong>}
        {isNew && order.voidedAtMs === null && <strong className="mark mark-new">{m.isNew}</strong>}
        {order.recalledAtMs !== null && <strong className="mark mark-recalled">{m.recalled}</strong>}
        {order.addOnTo !== null && (
          <strong className="mark mark-recalled">{fill(m.addOn, { number: order.addOnTo })}</strong>
        )}
        {addOns !== '' && <strong className="mark mark-recalled">{fill(m.changedBy, { number: addOns })}</strong>}
        {order.paper === 'failed' && <strong className="mark mark-void">{m.notPrinted}</strong>}
        {isWaiting && <span className="mark mark-waiting">{m.waiting}</span>}
      </p>
      {order.voidedAtMs !== null && voidReason !== null && (
        <p className="note">
          {m.voidReason}: <bdi>{voidReason}</bdi>
        </p>
      )}
    </>
  )
}

/** The lines by course: what is made now first, what is held under its own head with the button that fires it. */
function Lines({ model, viewer, order }: Pick<OrderCardProps, 'model' | 'viewer' | 'order'>) {
  const { m, number } = useWords()
  const isVoid = order.voidedAtMs !== null
  const places = ownPlaces(order, viewer)
  const later = order.courses.map(({ course }) => course)
  const groups = [null, ...later]
    .map((course) => ({
      course,
      lines: places.filter(({ line }) =>
        course === null ? line.course === null || !later.includes(line.course) : line.course === course,
      ),
    }))
    .filter(({ lines }) => lines.length > 0)
  return groups.map(({ course, lines }) => {
    const isHeld = !isVoid && lines.some(({ line }) => isHeldLine(line, order))
    return (
      <div key={course ?? 0} className={isHeld ? 'course course-held' : 'course'}>
        {course !== null && (
          <div className="course-head">
            <h3>
              {fill(m.course, { n: number(course) })}
              {isHeld && ` · ${m.hold}`}
            </h3>
            {isHeld && (
              <button
                type="button"
                className="side"
                aria-label={`${m.fire}: ${fill(m.course, { n: number(course) })}`}
                onClick={() => model.fire(order, course)}
              >
                {m.fire}
              </button>
            )}
          </div>
        )}
        <ul className={isVoid ? 'lines struck' : 'lines'}>
          {lines.map(({ line, place }) => (
            <Line
              key={place}
              line={line}
              isDone={isLineDone(line, place, order) && !isHeld}
              onStrike={isVoid || isHeld ? null : () => model.strike(order, place)}
            />
          ))}
        </ul>
      </div>
    )
  })
}

/** Pressed: it is made. The whole line is the button, because fingers are wet and in a hurry. */
function Line({ line, isDone, onStrike }: { line: BoardLine; isDone: boolean; onStrike: (() => void) | null }) {
  const { m, number } = useWords()
  const { allergens = [] } = line
  const words = (
    <>
      <span className="qty">{line.qty}×</span> {line.name}
      {line.seat !== null && <span className="seat"> {fill(m.seat, { n: number(line.seat) })}</span>}
      {line.modifiers.map((modifier, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the modifiers of a line never change
        <span key={index} className="modifier">
          {modifier}
        </span>
      ))}
      {line.note !== null && <span className="note">{line.note}</span>}
      {line.isAllergy && (
        <strong className="allergy">
          ⚠ {m.allergy}
          {allergens.length > 0 && ': '}
          <bdi>{allergens.join(', ')}</bdi>
        </strong>
      )}
    </>
  )
  return (
    <li className={isDone ? 'line done' : 'line'}>
      {onStrike === null ? (
        words
      ) : (
        <button type="button" className="strike" aria-pressed={isDone} onClick={onStrike}>
          {words}
        </button>
      )}
    </li>
  )
}

function Stations({ stations }: { stations: readonly StationState[] }) {
  const { m } = useWords()
  return (
    <ul className="stations">
      {stations.map(({ key, name, readyAtMs, startedAtMs }) => (
        <li key={key} className={readyAtMs === null ? 'station' : 'station station-ready'}>
          <span aria-hidden="true">{readyAtMs === null ? '○' : '✓'} </span>
          {name || m.kitchen}: {readyAtMs === null ? (startedAtMs === null ? m.open : m.started) : m.ready}
        </li>
      ))}
    </ul>
  )
}

function Buttons({
  model,
  viewer,
  order,
  isStarted,
}: Pick<OrderCardProps, 'model' | 'viewer' | 'order'> & { isStarted: boolean }) {
  const { m } = useWords()
  if (order.voidedAtMs !== null)
    return (
      <div className="buttons">
        <button type="button" className="main danger" onClick={() => model.tap('void-seen', order)}>
          {m.voidSeen}
        </button>
      </div>
    )
  if (isChangeUnseen(order, viewer))
    return (
      <div className="buttons">
        <button type="button" className="main attention" onClick={() => model.tap('change-seen', order)}>
          {m.voidSeen}
        </button>
      </div>
    )
  const step = nextStep(order, viewer)
  if (step === null) return null
  return (
    <div className="buttons">
      {step.kind === 'ready' && !isStarted && (
        <button type="button" className="side" onClick={() => model.tap('start', order, step.stations)}>
          {m.start}
        </button>
      )}
      <button type="button" className="main" onClick={() => model.tap(step.kind, order, step.stations)}>
        {step.kind === 'ready' ? m.ready : m.pickedUp}
      </button>
    </div>
  )
}
