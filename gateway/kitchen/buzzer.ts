// Calls the kitchen by the buzzer of a printer when nobody has looked at an order on a screen that is alive. Off until it is set for a display.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { DisplayRecord, DisplayStore } from '#gateway/storage/display-store.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { Board } from './board.ts'
import { callSlip } from './call-slip.ts'
import { ownLines } from './own-lines.ts'
import type { Presence } from './presence.ts'
import type { PrintBackup } from './screen-watch.ts'

export interface BuzzerDeps {
  board: Board
  presence: Presence
  store: KitchenStore
  displays: DisplayStore
  printBackup: PrintBackup
  time: TimeSource
  clock: Clock
  log: Logger
  site: SiteFacts
}

const CHECK_EVERY_MS = 1_000

export class Buzzer {
  readonly #deps: BuzzerDeps
  #cancel: Cancel | null = null

  constructor(deps: BuzzerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#cancel ??= this.#deps.clock.every(CHECK_EVERY_MS, () => this.#check())
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #check(): void {
    const { displays, log } = this.#deps
    const all = displays.all()
    for (const display of all) {
      const unseen = this.#unseenAt(display, all)
      if (unseen.length === 0 || display.backupPrinterId === null) continue
      try {
        this.#call(display, display.backupPrinterId, unseen)
        log.warn({ display: display.name, orders: unseen.length }, 'nobody looks at the screen: the printer calls')
      } catch (error) {
        // As soon as there is room: the next check comes in a second.
        if (!isDiskFull(error)) throw error
      }
    }
  }

  /** What has waited too long there. Of a silent screen the orders themselves go to paper (screen-watch.ts). */
  #unseenAt(display: DisplayRecord, all: readonly DisplayRecord[]): BoardOrder[] {
    const { board, presence, time } = this.#deps
    const { displayId, buzzAfterS, claimedAtMs } = display
    if (buzzAfterS === null || claimedAtMs === null || !presence.isAlive(displayId)) return []
    const beforeMs = time.now() - buzzAfterS * 1_000
    return board
      .orders()
      .filter((order) => order.dueAtMs >= claimedAtMs && order.dueAtMs <= beforeMs)
      .filter((order) => isWaiting(order) && ownLines(display, all, order).length > 0)
      .filter(({ orderId }) => !this.#isKnown(displayId, orderId))
  }

  /** Somebody stood at the screen, or was called before, or has it on paper. */
  #isKnown(displayId: string, orderId: string): boolean {
    return this.#deps.store
      .seen(orderId)
      .some((seen) => seen.displayId === displayId && (seen.noticedAtMs ?? seen.buzzedAtMs ?? seen.paperAtMs) !== null)
  }

  /** One call for all of them, and none of them is called for again. */
  #call({ displayId, name }: DisplayRecord, printerId: string, unseen: readonly BoardOrder[]): void {
    const { store, printBackup, time, site } = this.#deps
    const nowMs = time.now()
    store.transaction(() => {
      printBackup(printerId, callSlip(unseen, { displayName: name, nowMs, timeZone: site.timeZone }))
      for (const { orderId } of unseen) store.putSeen(orderId, { displayId, buzzedAtMs: nowMs })
    })
  }
}

/** Nobody has begun with it. */
function isWaiting({ isScheduled, voidedAtMs, pickedUpAtMs, struckLines, stations }: BoardOrder): boolean {
  if (isScheduled || voidedAtMs !== null || pickedUpAtMs !== null || struckLines.length > 0) return false
  return stations.every(({ startedAtMs, readyAtMs }) => startedAtMs === null && readyAtMs === null)
}
