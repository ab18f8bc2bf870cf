// Screen and paper back each other up: what a silent display has not shown is printed, once, marked SCREEN OFFLINE.

import { isDiskFull } from '#gateway/storage/database.ts'
import type { DisplayRecord, DisplayStore } from '#gateway/storage/display-store.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { backupSlip } from './backup-slip.ts'
import type { Board } from './board.ts'
import { lastDueMs, stationKey } from './board-order.ts'
import { ownLines } from './own-lines.ts'
import type { Presence } from './presence.ts'

/** Queues a document at a printer, in the caller's transaction. @returns false when there is no such printer */
export type PrintBackup = (printerId: string, doc: LocalDoc) => boolean

export interface ScreenWatchDeps {
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

export class ScreenWatch {
  readonly #deps: ScreenWatchDeps
  #cancel: Cancel | null = null
  #isChecking = false

  constructor(deps: ScreenWatchDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#cancel ??= this.#deps.clock.every(CHECK_EVERY_MS, () => void this.#check())
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  async #check(): Promise<void> {
    const { displays, presence, board } = this.#deps
    const isSilent = ({ displayId, claimedAtMs, backupPrinterId }: DisplayRecord): boolean =>
      backupPrinterId !== null && claimedAtMs !== null && presence.silentMs(displayId) >= KITCHEN_TIMES.silentAfterMs
    if (this.#isChecking || !displays.all().some(isSilent)) return
    this.#isChecking = true
    // With pauses, so that what prints does not wait for it.
    await board.catchUp().finally(() => {
      this.#isChecking = false
    })
    if (this.#cancel === null) return
    for (const display of displays.all())
      if (display.backupPrinterId !== null && isSilent(display)) this.#cover(display, display.backupPrinterId)
  }

  #cover(display: DisplayRecord, printerId: string): void {
    const unseen = this.#deps.board.orders().filter((order) => this.#isUnseen(display, order))
    for (const order of unseen) {
      try {
        if (!this.#print(display, printerId, order)) return
      } catch (error) {
        if (!isDiskFull(error)) throw error
        // As soon as there is room: the next check comes in a second.
        return
      }
    }
  }

  #isUnseen(display: DisplayRecord, order: BoardOrder): boolean {
    const { store, presence, displays } = this.#deps
    if (order.isScheduled || order.readyAtMs !== null || order.pickedUpAtMs !== null || order.voidedAtMs !== null)
      return false
    if (lastDueMs(order) < (display.claimedAtMs ?? 0) || ownLines(display, displays.all(), order).length === 0)
      return false
    if (presence.hasDrawn(display.displayId, order.orderId)) return false
    const seen = store.seen(order.orderId)
    if (
      seen.some(
        ({ displayId, seenAtMs, paperAtMs }) => displayId === display.displayId && (seenAtMs ?? paperAtMs) !== null,
      )
    )
      return false
    // Another screen of the same stations shows it.
    return !displays
      .all()
      .some(
        (other) =>
          isStandIn(other, display) &&
          presence.isAlive(other.displayId) &&
          presence.hasDrawn(other.displayId, order.orderId),
      )
  }

  #print(display: DisplayRecord, printerId: string, order: BoardOrder): boolean {
    const { store, displays, printBackup, time, site, log } = this.#deps
    const nowMs = time.now()
    const { displayId, name } = display
    const printed = store.transaction(() => {
      const slip = backupSlip(order, ownLines(display, displays.all(), order), {
        displayName: name,
        nowMs,
        timeZone: site.timeZone,
      })
      if (!printBackup(printerId, slip)) return false
      store.putSeen(order.orderId, { displayId, paperAtMs: nowMs })
      return true
    })
    if (printed)
      log.warn({ display: name, serviceOrderId: order.orderId }, 'display is silent: its ticket goes to paper')
    return printed
  }
}

function isStandIn(other: DisplayRecord, display: DisplayRecord): boolean {
  if (other.displayId === display.displayId) return false
  const keys = new Set(other.stations.map(stationKey))
  return display.stations.length === 0
    ? keys.size === 0
    : display.stations.every((station) => keys.has(stationKey(station)))
}
