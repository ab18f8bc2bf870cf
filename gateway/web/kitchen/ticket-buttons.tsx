// The buttons of a ticket: Start, Ready, Picked up, and the acknowledgement of a void or change. The model carries out the actions.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { isChangeUnseen, nextStep, ownStations, type Viewer } from './board-view.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'

/** The actions of a ticket, and the one that waits for its second tap: `ready`, `pick-up` or `fire 2`; '': none. */
export interface TicketActs {
  order: BoardOrder
  viewer: Viewer
  armed: string
  strike: (place: number) => void
  fire: (course: number) => void
  tap: KitchenModel['tap']
  /** Opens or closes a voided order. */
  fold: (orderId: string, isByKey: boolean) => void
}

/** @param isSmall in the first part of a split ticket: the same buttons, less tall */
export function Foot({ acts, isSmall = false }: { acts: TicketActs; isSmall?: boolean }) {
  const { m } = useWords()
  const { order, viewer, tap } = acts
  return (
    <div className={isSmall ? 'foot foot-small' : 'foot'}>
      {order.voidedAtMs !== null ? (
        <button type="button" className="main danger" onClick={() => tap('void-seen', order)}>
          {m.voidSeen}
        </button>
      ) : isChangeUnseen(order, viewer) ? (
        <button type="button" className="main attention" onClick={() => tap('change-seen', order)}>
          {m.voidSeen}
        </button>
      ) : (
        <Step acts={acts} />
      )}
    </div>
  )
}

function Step({ acts: { order, viewer, armed, tap } }: { acts: TicketActs }) {
  const { m } = useWords()
  const step = nextStep(order, viewer)
  if (step === null) return <p className="rest">{m.wait}</p>
  const isStarted = ownStations(order, viewer).some(({ startedAtMs }) => startedAtMs !== null)
  const word = step.kind === 'ready' ? m.ready : m.pickedUp
  return (
    <>
      {step.kind === 'ready' && !isStarted && (
        <button type="button" className="side" onClick={() => tap('start', order, step.stations)}>
          {m.start}
        </button>
      )}
      <button
        type="button"
        className={armed === step.kind ? 'main armed' : 'main'}
        onClick={() => tap(step.kind, order, step.stations)}
      >
        {armed === step.kind ? fill(m.tapAgainTo, { word }) : word}
      </button>
    </>
  )
}
