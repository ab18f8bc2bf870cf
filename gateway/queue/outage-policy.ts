// When a printer's tickets go to its backup, and which of them are too old to print after an outage. Pure.
import type { Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { ListedTicket } from '#gateway/storage/outage-store.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'

/** Since when a printer does not do its work, milliseconds of the monotonic clock; null: it does. */
export interface Trouble {
  /** Nothing answers, or another program uses it: not one byte can be sent. */
  unreachableMs: number | null
  /** It reports that it cannot print: paper, cover, error. Also in the middle of a ticket. */
  blockedMs: number | null
  /** It takes tickets, or the slip before one, and proves none. Only a proof ends this: to be ready is none. */
  doubtMs: number | null
}

export const NO_TROUBLE: Trouble = { unreachableMs: null, blockedMs: null, doubtMs: null }

/** The outage begins with its first reason and ends when the printer is well: another reason meanwhile is the same outage. */
function sinceOf({ unreachableMs, blockedMs }: Trouble): number | null {
  return unreachableMs === null || blockedMs === null
    ? (unreachableMs ?? blockedMs)
    : Math.min(unreachableMs, blockedMs)
}

export function troubleAfterAsking(trouble: Trouble, readiness: Readiness, nowMs: number): Trouble {
  switch (readiness.kind) {
    case 'ready':
      return { ...trouble, unreachableMs: null, blockedMs: null }
    case 'blocked':
      return { ...trouble, unreachableMs: null, blockedMs: sinceOf(trouble) ?? nowMs }
    default:
      return { ...trouble, unreachableMs: sinceOf(trouble) ?? nowMs }
  }
}

export function troubleAfterSending(trouble: Trouble, outcome: SendOutcome, nowMs: number): Trouble {
  if (outcome.kind === 'printed') return NO_TROUBLE
  if (outcome.kind === 'not-sent' && !outcome.slipUnproved) return troubleAfterAsking(trouble, outcome.readiness, nowMs)
  return { ...trouble, doubtMs: trouble.doubtMs ?? trouble.blockedMs ?? nowMs }
}

/** It stopped in the middle of a ticket, or goes on. */
export function troubleInPlace(trouble: Trouble, isBlocked: boolean, nowMs: number): Trouble {
  return { ...trouble, blockedMs: isBlocked ? (sinceOf(trouble) ?? nowMs) : null }
}

/** In how many milliseconds its tickets may go elsewhere: 0 = now. Null: it is paused, or it has no trouble. */
export function backupDueInMs(trouble: Trouble, settings: PrinterSettings, nowMs: number): number | null {
  if (settings.paused) return null
  const { unreachableMs, blockedMs, doubtMs } = trouble
  const dues = [
    ...(unreachableMs === null ? [] : [unreachableMs + settings.backupAfterMs]),
    ...[blockedMs, doubtMs].flatMap((sinceMs) =>
      sinceMs === null ? [] : [sinceMs + settings.backupWhenDoubtfulAfterMs],
    ),
  ]
  return dues.length === 0 ? null : Math.max(0, Math.min(...dues) - nowMs)
}

/** A printer as the choice of a backup sees it. */
export interface BackupCandidate {
  printerId: string
  backupPrinterId: string | null
  /** Its own tickets go elsewhere until it prints again. */
  isAbsent: boolean
  /** It was not seen to be unable to print, and it is not paused. */
  isUsable: boolean
  /** It took tickets and proved none. It may be well since, which only another ticket can show. */
  isDoubtful: boolean
}

/**
 * The printer that takes over a ticket which waits at a printer that cannot print: the first ready one in the chain of the ticket's intended
 * printer, that one included. Members that are off, idle or busy, are skipped. One that leaves tickets in doubt gets only those that
 * no other can print, including the one where they wait. A ticket that a person moved to a printer outside of that chain follows the chain of
 * its current printer. Null: none can; then the ticket stays.
 */
export function takeOverFor(
  { meantFor, at }: { meantFor: string; at: string },
  printers: readonly BackupCandidate[],
): string | null {
  const chain = chainOf(meantFor, printers)
  const members = chain.some(({ printerId }) => printerId === at) ? chain : chainOf(at, printers)
  const able = members.filter((member) => member.printerId !== at && member.isUsable && !member.isAbsent)
  const holder = printers.find(({ printerId }) => printerId === at)
  // Between two that are in doubt a ticket would go to and fro.
  const next = able.find(({ isDoubtful }) => !isDoubtful) ?? (holder?.isUsable ? undefined : able[0])
  return next?.printerId ?? null
}

/** A printer, its backup, that one's backup, and so on; each once. */
function chainOf(printerId: string, printers: readonly BackupCandidate[]): BackupCandidate[] {
  const chain: BackupCandidate[] = []
  let next = printers.find((printer) => printer.printerId === printerId)
  while (next && !chain.includes(next)) {
    chain.push(next)
    const { backupPrinterId } = next
    next = printers.find((printer) => printer.printerId === backupPrinterId)
  }
  return chain
}

/** Whether anything is ever too old at this printer. */
export function hasStaleRule({ staleAfterMs, staleAboveTickets }: PrinterSettings): boolean {
  return staleAfterMs !== null || staleAboveTickets !== null
}

/**
 * Which of the waiting tickets that nobody has released are parked after an outage: those older than `staleAfterMs`; and when more than `staleAboveTickets` wait,
 * all but the newest so many.
 * @param waiting in printing order
 */
export function staleTickets(
  waiting: readonly ListedTicket[],
  { staleAfterMs, staleAboveTickets }: PrinterSettings,
  nowMs: number,
): ListedTicket[] {
  const candidates = waiting.filter(({ isWanted }) => !isWanted)
  const tooMany = staleAboveTickets === null ? 0 : Math.max(0, candidates.length - staleAboveTickets)
  return candidates.filter(
    ({ dueAtMs }, index) => index < tooMany || (staleAfterMs !== null && nowMs - dueAtMs > staleAfterMs),
  )
}
