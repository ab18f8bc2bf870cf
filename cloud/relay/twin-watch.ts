// Detects two boxes with one gateway's identity (a copied SD card): by the stored machine, or, where both send the same machine or none,
// because their boots alternate, which those of a single box never do.
import type { Predecessors } from '#cloud/storage/gateway-boots.ts'
import type { GatewayId } from '#shared/ids.ts'

/** Returns of a boot that another one had replaced, within the span, that count as proof. */
const RETURNS = 2
const SPAN_MS = 120_000
/** For so long the box that came second gets no welcome, unless the first one leaves. */
const REFUSE_MS = 60_000

/** The sender of a hello. */
export interface Newcomer {
  bootId: string
  /** Null: an older gateway does not send it. */
  machine: string | null
  /** The machine that this identity was first seen on; null: it was not seen on any. */
  knownMachine: string | null
}

/** Boots that take turns. */
interface Turns {
  boots: { bootId: string; atMs: number }[]
  owner: { bootId: string; untilMs: number } | null
}

interface Watched {
  /** On the known machine: two of one name are clones that differ only in a file. */
  known: Turns
  others: Turns
  /** Until then the known machine has the place; null: it is not here. */
  knownUntilMs: number | null
  /** The sender of the last hello: the current connection is its own. */
  last: Said
  /** Until when the records of other relays are included, by the database's clock. */
  learntMs: number
}

interface Said {
  bootId: string
  isKnown: boolean
}

export class TwinWatch {
  readonly #watched = new Map<GatewayId, Watched>()

  /**
   * A hello arrived. The known machine is welcome, whatever others do; another one only while that is not here.
   * @param nowMs monotonic
   * @returns `refuse`: another box was there first; `twins`: the same, noticed just now; `welcome` otherwise.
   */
  observe(
    gatewayId: GatewayId,
    { bootId, machine, knownMachine }: Newcomer,
    nowMs: number,
  ): 'welcome' | 'twins' | 'refuse' {
    const said = { bootId, isKnown: isKnownMachine(machine, knownMachine) }
    return observed(this.#watchedOf(gatewayId, said), said, nowMs)
  }

  /**
   * Called before a hello: hellos of this gateway at other relays count as if they had been sent here, at their time.
   * @param nowMs monotonic
   */
  learn(gatewayId: GatewayId, before: Omit<Predecessors, 'machine'>, nowMs: number): void {
    const [oldest] = before.elsewhere
    if (oldest === undefined) return
    const watched = this.#watchedOf(gatewayId, oldest)
    for (const boot of before.elsewhere) {
      if (boot.atMs <= watched.learntMs) continue
      const { last } = watched
      observed(watched, boot, nowMs - Math.max(0, before.nowMs - boot.atMs))
      // Its connection is not the one that there is.
      if (boot.isRefused) watched.last = last
      watched.learntMs = boot.atMs
    }
    if (!before.isOnline) left(watched, before)
  }

  #watchedOf(gatewayId: GatewayId, { bootId, isKnown }: Said): Watched {
    const last = { bootId, isKnown }
    const fresh: Watched = { known: noTurns(), others: noTurns(), knownUntilMs: null, last, learntMs: 0 }
    const watched = this.#watched.get(gatewayId) ?? fresh
    this.#watched.set(gatewayId, watched)
    return watched
  }

  /**
   * The connection ended. `placeIsFree`: no other box has taken over. Otherwise the known machine keeps its place for a minute, because an
   * external broker also sends the will when another box took over.
   */
  ended(gatewayId: GatewayId, { placeIsFree }: { placeIsFree: boolean }, nowMs: number): void {
    const watched = this.#watched.get(gatewayId)
    if (!watched) return
    const { last } = watched
    if (last.isKnown) watched.knownUntilMs = placeIsFree ? null : nowMs + REFUSE_MS
    const turns = last.isKnown ? watched.known : watched.others
    if (placeIsFree && turns.owner?.bootId === last.bootId) turns.owner = null
  }
}

/** The last accepted box has disconnected, or its relay has ended. If others were refused since, one of them may have closed its connection. */
function left(watched: Watched, { elsewhere, lastIn, wasDisputed }: Omit<Predecessors, 'machine'>): void {
  if (lastIn !== null && !elsewhere.includes(lastIn)) return
  if (lastIn === null || lastIn.isKnown) watched.knownUntilMs = null
  const turns = lastIn?.isKnown ? watched.known : watched.others
  if (!wasDisputed && turns.owner?.bootId === lastIn?.bootId) turns.owner = null
}

/** Whether the identity belongs to this machine. */
export const isKnownMachine = (machine: string | null, knownMachine: string | null): boolean =>
  knownMachine !== null && machine === knownMachine

function observed(watched: Watched, { bootId, isKnown }: Said, nowMs: number): 'welcome' | 'twins' | 'refuse' {
  watched.last = { bootId, isKnown }
  if (isKnown) {
    watched.others = noTurns()
    watched.knownUntilMs = Number.POSITIVE_INFINITY
    return takeTurns(watched.known, bootId, nowMs)
  }
  if (watched.knownUntilMs !== null && nowMs < watched.knownUntilMs) return 'refuse'
  return takeTurns(watched.others, bootId, nowMs)
}

const noTurns = (): Turns => ({ boots: [], owner: null })

function takeTurns(turns: Turns, bootId: string, nowMs: number): 'welcome' | 'twins' | 'refuse' {
  if (turns.owner && nowMs < turns.owner.untilMs) return turns.owner.bootId === bootId ? 'welcome' : 'refuse'
  turns.owner = null
  if (turns.boots.at(-1)?.bootId === bootId) return 'welcome'
  turns.boots = [...turns.boots.filter((boot) => nowMs - boot.atMs < SPAN_MS), { bootId, atMs: nowMs }].slice(-16)
  const ids = turns.boots.map((boot) => boot.bootId)
  if (ids.length - new Set(ids).size < RETURNS) return 'welcome'
  // The first that has returned: one that has not may have ended, and would leave the place empty.
  const first = ids.find((id, at) => ids.includes(id, at + 1)) ?? bootId
  turns.owner = { bootId: first, untilMs: nowMs + REFUSE_MS }
  turns.boots = []
  return first === bootId ? 'welcome' : 'twins'
}
