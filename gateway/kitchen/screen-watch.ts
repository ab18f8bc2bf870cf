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
import { type KitchenScreens, ownLines } from './adoption.ts'
import { Background } from './background.ts'
import { backupSlip } from './backup-slip.ts'
import type { Board } from './board.ts'
import { lastDueMs, stationKey } from './board-order.ts'
import type { Presence } from './presence.ts'

/** Queues a document at a printer, in the caller's transaction. @returns false when there is no such printer */
export type PrintBackup = (printerId: string, doc: LocalDoc) => boolean

export interface ScreenWatchDeps {
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

export class ScreenWatch {
  readonly #deps: ScreenWatchDeps
  #cancel: Cancel | null = null
  readonly #background: Background
  #isChecking = false

  constructor(deps: ScreenWatchDeps) {
    this.#deps = deps
    this.#background = new Background({ ...deps, name: 'what silent screens have not shown' })
  }

  start(): void {
    this.#cancel ??= this.#deps.clock.every(CHECK_EVERY_MS, () => void this.#background.run(() => this.#check()))
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  async #check(): Promise<void> {
    const { displays, presence, board } = this.#deps
    const isSilent = ({ displayId, claimedAtMs, backupPrinterId }: DisplayRecord): boolean =>
      backupPrinterId !== null && claimedAtMs !== null && presence.isSilent(displayId)
    if (this.#isChecking || this.#background.isResting || !displays.all().some(isSilent)) return
    this.#isChecking = true
    // With pauses, so that what prints does not wait for it.
    await board.catchUp().finally(() => {
      this.#isChecking = false
    })
    if (this.#cancel === null) return
    const screens = this.#deps.screens()
    for (const display of screens.displays)
      if (display.backupPrinterId !== null && isSilent(display))
        this.#cover(display, { printerId: display.backupPrinterId, screens })
  }

  #cover(display: DisplayRecord, to: { printerId: string; screens: KitchenScreens }): void {
    const faults: unknown[] = []
    for (const order of this.#deps.board.orders()) {
      try {
        if (!this.#isUnseen(display, to.screens, order)) continue
        if (!this.#print(display, to, order)) return
      } catch (error) {
        // As soon as there is room: the next check comes in a second.
        if (isDiskFull(error)) return
        // What cannot be read of one order keeps none of the others from the paper.
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }

  #isUnseen(display: DisplayRecord, screens: KitchenScreens, order: BoardOrder): boolean {
    const { store, presence } = this.#deps
    if (order.isScheduled || order.readyAtMs !== null || order.pickedUpAtMs !== null || order.voidedAtMs !== null)
      return false
    if (lastDueMs(order) < (display.claimedAtMs ?? 0) || ownLines(display, screens, order).length === 0) return false
    if (presence.hasDrawn(display.displayId, order.orderId)) return false
    const seen = store.seen(order.orderId)
    if (
      seen.some(
        ({ displayId, seenAtMs, paperAtMs }) => displayId === display.displayId && (seenAtMs ?? paperAtMs) !== null,
      )
    )
      return false
    // Another screen of the same stations shows it.
    return !screens.displays.some(
      (other) =>
        isStandIn(other, display) &&
        presence.isAlive(other.displayId) &&
        presence.hasDrawn(other.displayId, order.orderId),
    )
  }

  #print(
    display: DisplayRecord,
    { printerId, screens }: { printerId: string; screens: KitchenScreens },
    order: BoardOrder,
  ): boolean {
    const { store, printBackup, time, site, log } = this.#deps
    const nowMs = time.now()
    const { displayId, name } = display
    const printed = store.transaction(() => {
      const slip = backupSlip(order, ownLines(display, screens, order), {
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
