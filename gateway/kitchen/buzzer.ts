// Sounds a printer's buzzer when no one has reacted to an order on a connected screen. Off until it is set for a display.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { DisplayRecord, DisplayStore } from '#gateway/storage/display-store.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type KitchenScreens, ownLines } from './adoption.ts'
import { Background } from './background.ts'
import type { Board } from './board.ts'
import { lastDueMs } from './board-order.ts'
import type { Presence } from './presence.ts'
import type { PrintBackup } from './screen-watch.ts'

export interface BuzzerDeps {
  board: Board
  presence: Presence
  store: KitchenStore
  displays: DisplayStore
  /** The cooks' screens as they are now. */
  screens: () => KitchenScreens
  printBackup: PrintBackup
  time: TimeSource
  clock: Clock
  log: Logger
  site: SiteFacts
}

const CHECK_EVERY_MS = 1_000

export class Buzzer {
  readonly #deps: BuzzerDeps
  /** Since when each order waits on this box's board, on its monotonic clock: what the internet held up for hours does not call as it comes. */
  #waiting = new Map<string, number>()
  #cancel: Cancel | null = null
  readonly #background: Background
  #isChecking = false

  constructor(deps: BuzzerDeps) {
    this.#deps = deps
    this.#background = new Background({ ...deps, name: 'what nobody looks at' })
  }

  start(): void {
    this.#cancel ??= this.#deps.clock.every(CHECK_EVERY_MS, () => void this.#background.run(() => this.#check()))
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  async #check(): Promise<void> {
    const { displays, board, clock, log, screens } = this.#deps
    const all = displays.all()
    // Set on few boxes: the others need not go through the board every second.
    if (all.every(({ buzzAfterS }) => buzzAfterS === null)) {
      this.#waiting.clear()
      return
    }
    if (this.#isChecking || this.#background.isResting) return
    this.#isChecking = true
    // With pauses, so that what prints does not wait for it.
    await board.catchUp().finally(() => {
      this.#isChecking = false
    })
    if (this.#cancel === null) return
    const waiting = board.orders().filter(isWaiting)
    const nowMs = clock.monotonicMs()
    this.#waiting = new Map(waiting.map(({ orderId }) => [orderId, this.#waiting.get(orderId) ?? nowMs]))
    const kitchen = screens()
    for (const display of kitchen.displays) {
      if (display.backupPrinterId === null) continue
      const unseen = waiting.filter((order) => this.#isUnseen(display, kitchen, order))
      try {
        if (unseen.length > 0 && this.#call(display, display.backupPrinterId, unseen))
          log.warn(
            { display: display.name, orders: unseen.length },
            'nobody reacts at the screen: the printer sounds its buzzer',
          )
      } catch (error) {
        // As soon as there is room: the next check comes in a second.
        if (!isDiskFull(error)) throw error
      }
    }
  }

  /** It has waited too long there. Of a silent screen the orders themselves go to paper (screen-watch.ts). */
  #isUnseen(display: DisplayRecord, kitchen: KitchenScreens, order: BoardOrder): boolean {
    const { presence, clock } = this.#deps
    const { displayId, buzzAfterS, claimedAtMs } = display
    if (buzzAfterS === null || claimedAtMs === null || !presence.isAlive(displayId)) return false
    const waitedMs = clock.monotonicMs() - (this.#waiting.get(order.orderId) ?? clock.monotonicMs())
    if (waitedMs < buzzAfterS * 1_000 || lastDueMs(order) < claimedAtMs) return false
    return ownLines(display, kitchen, order).length > 0 && !this.#isKnown(displayId, order.orderId)
  }

  /** Somebody reacted at the screen, or the buzzer sounded before, or the order is on paper. */
  #isKnown(displayId: string, orderId: string): boolean {
    const { presence, store } = this.#deps
    // What was noticed since the start may not be on the disk yet.
    if (presence.hasNoticed(displayId, orderId)) return true
    return store
      .seen(orderId)
      .some((seen) => seen.displayId === displayId && (seen.noticedAtMs ?? seen.buzzedAtMs ?? seen.paperAtMs) !== null)
  }

  /** One call for all of them, and none of them is called for again. @returns false when there is no such printer */
  #call({ displayId, name }: DisplayRecord, printerId: string, unseen: readonly BoardOrder[]): boolean {
    const { store, printBackup, time, site } = this.#deps
    const nowMs = time.now()
    return store.transaction(() => {
      const slip = callSlip(unseen, { displayName: name, nowMs, timeZone: site.timeZone })
      if (!printBackup(printerId, slip)) return false
      for (const { orderId } of unseen) store.putSeen(orderId, { displayId, buzzedAtMs: nowMs })
      return true
    })
  }
}

/** Nobody has begun with it. */
function isWaiting({ isScheduled, voidedAtMs, pickedUpAtMs, struckLines, stations }: BoardOrder): boolean {
  if (isScheduled || voidedAtMs !== null || pickedUpAtMs !== null || struckLines.length > 0) return false
  return stations.every(({ startedAtMs, readyAtMs }) => startedAtMs === null && readyAtMs === null)
}

// The slip that sounds a printer's buzzer because no one reacts at a screen. Pure; the layout sanitises every line.
const MOST_NUMBERS = 20
const MOST_CHARS = 60
const BEEPS = 5

/** Numbers only: the dishes are on the screen. */
function callSlip(
  unseen: readonly Pick<BoardOrder, 'number'>[],
  { displayName, nowMs, timeZone }: { displayName: string; nowMs: number; timeZone: string },
): LocalDoc {
  const numbers = unseen.slice(0, MOST_NUMBERS).map(({ number }) => `Order ${number.slice(0, MOST_CHARS)}`)
  const more = unseen.length - numbers.length
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `LOOK AT SCREEN ${displayName}`.slice(0, MOST_CHARS),
    lines: more === 0 ? numbers : [...numbers, `... and ${more} more`],
    footer: 'Nobody has touched it since they came.',
    beeps: BEEPS,
  }
}
