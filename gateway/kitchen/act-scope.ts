// Which actions a screen may do: a kitchen screen those on the stations that it shows, or showed at the tap; a runner those on ready orders. Pure except for the memory of what was shown.
import type { ActResult, BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { showsStation } from '#shared/wire/kitchen-acts.ts'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import type { KitchenScreens } from './adoption.ts'
import { stationKey } from './board-order.ts'
import { isForRunner } from './screen-kinds.ts'

/** What a screen of the kitchen shows. */
export interface Scope {
  /** Keys of its own stations; empty: all of them. */
  stations: readonly string[]
  /** Keys of the stations that some screen is for, at the screen that shows all others; null: at every other one. */
  served: readonly string[] | null
}

type Act = Pick<KitchenAct, 'kind' | 'stations' | 'line'>

/**
 * @param order its current state on disk
 * @param scopes of a kitchen screen: what it shows now, and what it showed at the tap
 * @returns null when the screen may do it
 */
export function beyondScreen(
  order: BoardOrder,
  act: Act,
  { kind, scopes }: { kind: DisplayKind; scopes: readonly Scope[] },
): Extract<ActResult['reason'], 'not-this-screen' | 'other-station'> | null {
  if (kind === 'runner') return isOfRunner(order, act) ? null : 'not-this-screen'
  if (kind !== 'kitchen') return 'not-this-screen'
  return scopes.some((scope) => isWithin(order, act, scope)) ? null : 'other-station'
}

/** What a runner has never been shown he neither brings out nor calls back, and he gives a station no work. */
function isOfRunner(order: BoardOrder, { kind }: Act): boolean {
  return kind === 'recall' ? order.pickedUpAtMs !== null : isForRunner(order)
}

function isWithin(order: BoardOrder, { kind, stations, line }: Act, scope: Scope): boolean {
  const shows = (key: string): boolean =>
    showsStation({ stations: scope.stations, adopts: scope.served !== null }, scope.served ?? [], key)
  const keys = order.stations.map(({ key }) => key)
  switch (kind) {
    // Notes of this screen about itself.
    case 'void-seen':
    case 'void-unseen':
    case 'change-seen':
    case 'change-unseen':
      return true
    case 'strike':
    case 'unstrike':
      return shows(order.lines[line ?? -1]?.station ?? '')
    // On the whole order, for every screen with a part of it.
    case 'fire':
    case 'start-now':
      return keys.some(shows)
    case 'pick-up':
      return keys.every(shows)
    case 'recall':
      // From picked up to ready: no station has work again.
      if (order.pickedUpAtMs !== null) return keys.some(shows)
  }
  return keys.filter((key) => stations === null || stations.includes(key)).every(shows)
}

/** Taps wait on a screen without network; what it can take back it keeps for half an hour. */
const KEPT_MS = 3_600_000
/** With a poor connection a page learns late that it shows less than before. */
const HEARD_LATE_MS = 60_000
/** More changes of a screen than in an hour of its neighbours coming and going. */
const MOST_OF_A_SCREEN = 32

/** What each screen of the kitchen has shown and until when. In memory: after a start only what it shows now is known. */
export class ShownScopes {
  #now = new Map<string, Scope>()
  readonly #before = new Map<string, { scope: Scope; untilMs: number }[]>()

  /** @param nowMs relay time */
  note({ displays, served, adopter }: KitchenScreens, nowMs: number): void {
    const now = new Map<string, Scope>()
    for (const { displayId, stations } of displays)
      now.set(displayId, { stations: stations.map(stationKey), served: displayId === adopter ? served : null })
    for (const [displayId, scope] of this.#now) {
      if (JSON.stringify(scope) === JSON.stringify(now.get(displayId))) continue
      const ended = [...(this.#before.get(displayId) ?? []), { scope, untilMs: nowMs }]
      this.#before.set(displayId, ended.filter(({ untilMs }) => nowMs - untilMs < KEPT_MS).slice(-MOST_OF_A_SCREEN))
    }
    for (const displayId of this.#before.keys()) if (!now.has(displayId)) this.#before.delete(displayId)
    this.#now = now
  }

  /** What it shows now, and what it may have shown at the time of a tap. */
  at(displayId: string, tap: { atMs: number; nowMs: number }): Scope[] {
    const now = this.#now.get(displayId)
    const before = (this.#before.get(displayId) ?? []).filter(
      ({ untilMs }) => tap.atMs <= untilMs + HEARD_LATE_MS && tap.nowMs - untilMs < KEPT_MS,
    )
    return [...(now ? [now] : []), ...before.map(({ scope }) => scope)]
  }
}
