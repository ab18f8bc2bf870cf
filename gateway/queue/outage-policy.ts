// When a printer's tickets go to its backup, and which of them are too old to print after an outage. Pure.
import type { Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { ListedTicket } from '#gateway/storage/outage-store.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'

/** Since when a printer cannot print, by reason, in milliseconds of the monotonic clock. Null: it can. */
export interface Trouble {
  /** No connection: it does not answer, or another program uses it. */
  unreachableMs: number | null
  /** It reports that it cannot print (paper, cover, error), also in the middle of a ticket. */
  blockedMs: number | null
  /** It takes tickets, or the slip before one, and proves none. Only a proof ends this; being ready does not. */
  doubtMs: number | null
}

export const NO_TROUBLE: Trouble = { unreachableMs: null, blockedMs: null, doubtMs: null }

/** The outage begins with its first reason and ends when the printer is ready. Another reason meanwhile is the same outage. */
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

/** It stopped in the middle of a ticket, or continued. */
export function troubleInPlace(trouble: Trouble, isBlocked: boolean, nowMs: number): Trouble {
  return { ...trouble, blockedMs: isBlocked ? (sinceOf(trouble) ?? nowMs) : null }
}

/** Milliseconds until its tickets may be moved; 0 = now. Null: it is paused, or there is no trouble. */
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

/** A printer, as needed for choosing a backup. */
export interface BackupCandidate {
  printerId: string
  backupPrinterId: string | null
  /** Its own tickets go elsewhere until it prints again. */
  isAbsent: boolean
  /** It is not known to be unable to print, and it is not paused. */
  isUsable: boolean
  /** It took tickets and proved none. It may work again, which only another ticket can show. */
  isDoubtful: boolean
}

/**
 * The printer that takes over a ticket which waits at a printer that cannot print: the first ready one in the chain of the ticket's
 * intended printer, including that one. Members that are off, idle or busy are skipped. One that leaves tickets in doubt gets only those
 * that no other can print, including the one where they wait. A ticket that a person moved to a printer outside that chain uses the chain
 * of its current printer. Null: none is ready, so the ticket stays.
 */
export function takeOverFor(
  { meantFor, at }: { meantFor: string; at: string },
  printers: readonly BackupCandidate[],
): string | null {
  const chain = chainOf(meantFor, printers)
  const members = chain.some(({ printerId }) => printerId === at) ? chain : chainOf(at, printers)
  const able = members.filter((member) => member.printerId !== at && member.isUsable && !member.isAbsent)
  const holder = printers.find(({ printerId }) => printerId === at)
  // Between two printers in doubt a ticket would go back and forth.
  const next = able.find(({ isDoubtful }) => !isDoubtful) ?? (holder?.isUsable ? undefined : able[0])
  return next?.printerId ?? null
}

/** A printer, its backup, that one's backup, and so on, each once. */
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

/** True if tickets can become too old at this printer. */
export function hasStaleRule({ staleAfterMs, staleAboveTickets }: PrinterSettings): boolean {
  return staleAfterMs !== null || staleAboveTickets !== null
}

/**
 * The waiting tickets that are parked after an outage: those older than `staleAfterMs`; and if more than `staleAboveTickets` wait, all
 * except the newest that many. Tickets that a person released are not included.
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
