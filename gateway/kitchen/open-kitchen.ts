// Builds the kitchen's room from the gateway's parts.

import { BoardRows } from '#gateway/storage/board-rows.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import { DisplayStore } from '#gateway/storage/display-store.ts'
import { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import { hintWhileAway } from '#shared/away-hint.ts'
import type { Signal } from '#shared/signal.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { BoardPrinter } from '#shared/wire/kitchen.ts'
import { Kitchen, type KitchenDeps } from './kitchen.ts'

type QueuePrinter = Omit<BoardPrinter, 'reason' | 'backup'> & { reasons: readonly string[]; ticketsGoTo?: string }

export interface KitchenParts extends Pick<KitchenDeps, 'jobs' | 'intake' | 'time' | 'clock' | 'log' | 'app' | 'site'> {
  db: GatewayDatabase
  queue: {
    printers(): readonly QueuePrinter[]
    readonly changed: Signal
    printLocal(printerId: string, doc: LocalDoc): string
  }
}

export function openKitchen({ db, queue, ...rest }: KitchenParts): Kitchen {
  const list = (): BoardPrinter[] => boardPrinters(queue.printers())
  const missed = new Set<string>()
  return new Kitchen({
    ...rest,
    store: new KitchenStore(db, rest.jobs.courses),
    displays: new DisplayStore(db),
    rows: new BoardRows(db),
    printers: { list, changed: queue.changed },
    printBackup: (printerId, doc) => {
      if (!list().some((printer) => printer.printerId === printerId)) {
        // Called each second.
        if (!missed.has(printerId)) rest.log.error({ printerId }, 'a display has a backup printer that is not set up')
        missed.add(printerId)
        return false
      }
      missed.delete(printerId)
      queue.printLocal(printerId, doc)
      return true
    },
  })
}

const HARMLESS = new Set(['none', 'busy', 'connecting-to-device'])

/** The printers' states for the screens; for one that cannot print, which other one prints its tickets. */
export function boardPrinters(printers: readonly QueuePrinter[]): BoardPrinter[] {
  return printers.map((printer) => {
    const backup = printers.find(({ printerId }) => printerId === printer.ticketsGoTo)
    const isAway = backup !== undefined && backup !== printer
    if (!isAway) return boardPrinter(printer)
    return { ...boardPrinter({ ...printer, hint: hintWhileAway(printer.hint, backup.name) }), backup: backup.name }
  })
}

/** A hint only where a person must act: a ready printer has words, too. */
export function boardPrinter({ printerId, name, stations, state, reasons, hint }: QueuePrinter): BoardPrinter {
  const isFaulty = state === 'offline' || reasons.some((reason) => !HARMLESS.has(reason))
  // The worst is first, and the hint is about it.
  const [reason = ''] = reasons.filter((one) => one !== 'none')
  return { printerId, name, stations, state, ...(isFaulty ? { reason, hint } : { reason: '', hint: '' }) }
}
