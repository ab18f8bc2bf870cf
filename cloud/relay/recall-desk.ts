// Asks a gateway for what this relay has forgotten, piece by piece; until all of it is stored the gateway is sent no new job.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { SampledLog } from '#shared/sampled-log.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import type { HandBack } from '#shared/wire/hand-back.ts'
import type { GatewaySession } from './gateway-session.ts'
import type { RestoreWatch } from './restore-watch.ts'

/** cloud/orders/take-back-orders.ts: a piece is written down, in one unit with how far the gateway has come. `recorded`: orders that are known only now. */
export type TakeBackOrders = (
  piece: HandBack & { gatewayId: GatewayId; locationId: LocationId; end: number },
) => Promise<{ recorded: number } | null>

export interface RecallDeskDeps {
  takeBackOrders: TakeBackOrders
  watch: RestoreWatch
  /** The gateway may be sent jobs. */
  goOn(session: GatewaySession): void
  clock: Clock
  lines: SampledLog
}

interface Recalling {
  after: number
  asked: number
  /** Stored in this session. */
  pieces: number
  isWriting: boolean
  cancelTimer: Cancel
}

const AGAIN_MS = 5_000
/** Then it is sent what waits, marked. The next hello asks again. */
const MOST_ASKED = 3
/**
 * Of one session: about 100,000 orders. The gateway itself reports how much it has to hand back, and until then its kitchen gets no jobs:
 * without a limit, pieces of one number each would never end.
 */
const MOST_PIECES = 1_000

export class RecallDesk {
  readonly #deps: RecallDeskDeps
  readonly #recalls = new Map<GatewaySession, Recalling>()

  constructor(deps: RecallDeskDeps) {
    this.#deps = deps
  }

  /** The gateway was welcomed. */
  begin(session: GatewaySession): void {
    const { recall } = session.facts
    if (recall === null) return
    this.#recalls.set(session, { after: recall.after, asked: 0, pieces: 0, isWriting: false, cancelTimer: () => {} })
    this.#ask(session)
  }

  end(session: GatewaySession): void {
    this.#recalls.get(session)?.cancelTimer()
    this.#recalls.delete(session)
  }

  /**
   * A piece came. One that was not asked for, or for the second time, changes nothing.
   * @returns whether an order was written down that had been forgotten: a gateway has only so many of them
   */
  async take(
    session: GatewaySession,
    { stream, after, upTo, jobs }: MessageOf<UpMessage, 'hand-back'>,
  ): Promise<boolean> {
    const recalling = this.#recalls.get(session)
    const { gatewayId, locationId, recall } = session.facts
    if (!recalling || recall === null || stream !== session.facts.stream || recalling.isWriting) return false
    if (after !== recalling.after || upTo <= after || upTo > recall.upTo) return false
    // A gateway ends a piece before the last only because it is full.
    if (upTo < recall.upTo && jobs.length === 0) return false
    let isNews = false
    recalling.isWriting = true
    try {
      const piece = { stream, after, upTo, jobs, gatewayId, locationId, end: recall.upTo }
      const counts = await this.#deps.takeBackOrders(piece)
      isNews = counts !== null && counts.recorded > 0
      await this.#deps.watch.handedBack()
      const detail = { gatewayId, after, upTo, end: recall.upTo, ...counts }
      this.#deps.lines.warn(gatewayId, detail, 'gateway handed back orders that this relay had lost')
      recalling.after = upTo
      recalling.asked = 0
      recalling.pieces++
    } finally {
      recalling.isWriting = false
    }
    this.#ask(session)
    return isNews
  }

  #ask(session: GatewaySession): void {
    const recalling = this.#recalls.get(session)
    const { recall, stream, locationId, gatewayId } = session.facts
    if (!recalling || recall === null) return
    recalling.cancelTimer()
    const { after, asked, pieces } = recalling
    const isWhole = after >= recall.upTo
    const isEnd = isWhole || pieces >= MOST_PIECES
    // The end is sent too: it tells the gateway that its last piece is stored, and that it may report results.
    if (isEnd || asked < MOST_ASKED)
      session.say({ t: 'recall', stream, locationId, after, upTo: isEnd ? after : recall.upTo })
    if (isEnd || asked >= MOST_ASKED) {
      const detail = { gatewayId, pieces }
      if (isWhole) this.#deps.watch.clearDoubt(locationId, gatewayId)
      else this.#deps.lines.warn(gatewayId, detail, 'gateway does not hand back all orders that this relay has lost')
      this.#release(session)
      return
    }
    recalling.asked++
    recalling.cancelTimer = this.#deps.clock.after(AGAIN_MS, () => this.#ask(session))
  }

  #release(session: GatewaySession): void {
    this.end(session)
    session.release()
    this.#deps.goOn(session)
  }
}
