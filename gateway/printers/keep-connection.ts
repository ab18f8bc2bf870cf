// What happens to a printer's connection after a call: kept for the next ticket, or closed with what it still holds.
import type { Printer } from './printer.ts'
import type { StatusConnection } from './status-connection.ts'
import type { SendOutcome } from './transport.ts'

/** Keeps the idle connection for the next ticket. After that time other clients can use the printer. */
export function keepConnection<C extends StatusConnection>(printer: Printer<C>): void {
  const { slot, language, health, watch, timeouts, exclusive } = printer
  const kept = slot.current
  if (exclusive && kept?.open && kept.ready) language.stayOpen(kept)
  let seen = kept?.condition
  slot.keep(exclusive && !kept?.unconfirmed ? null : timeouts.lingerMs, (connection) => {
    const { condition, end, dialogue } = connection
    if (end !== null) watch.lost()
    if (connection.flooded) health.failed('not-responding')
    if (!condition || condition === seen || !dialogue.pollAnswered) return
    seen = condition
    health.report(condition)
  })
}

/** After a ticket without proof: closes the connection with what it still holds, unless it is still useful. */
export async function letGoUnproved<C extends StatusConnection>(
  printer: Printer<C>,
  connection: C,
  { reason }: Extract<SendOutcome, { kind: 'uncertain' }>,
): Promise<void> {
  const { slot } = printer
  connection.unconfirmed = true
  if (connection.open && canClearBuffers(printer)) {
    // Aborted: the caller may want to clear the rest, which works only here.
    if (reason === 'shutdown') return keepConnection(printer)
    // Stopped for too long: what is left must not print when somebody fixes the printer tomorrow.
    const { signal } = new AbortController()
    if (connection.condition?.blocked && (await clearBuffers(printer, connection, signal))) return
  }
  slot.retire(true)
}

/** Discards what was sent and not printed. True if the printer confirmed that, or if nothing of ours is left in it. */
export async function discard<C extends StatusConnection>(printer: Printer<C>, signal: AbortSignal): Promise<boolean> {
  const { slot, timeouts } = printer
  if (!printer.mayStandUncut) return true
  if (!canClearBuffers(printer) || signal.aborted) return false
  slot.use()
  const kept = slot.current
  // After bytes that the printer does not read, the command would not reach it.
  if (kept?.open && kept.unsentBytes === 0 && (await clearBuffers(printer, kept, signal))) return true
  slot.drop(true)
  const fresh = await slot.open(timeouts.connectMs, signal)
  return !('failed' in fresh) && (await clearBuffers(printer, fresh, signal))
}

/** Clears the printer's buffers. A connection without a confirmation is closed, with what it still holds. */
export async function clearBuffers<C extends StatusConnection>(
  printer: Printer<C>,
  connection: C,
  signal: AbortSignal,
): Promise<boolean> {
  const cleared = (await printer.language.clearBuffers?.(connection, signal)) ?? false
  if (cleared) keepConnection(printer)
  else printer.slot.drop(true)
  return cleared
}

function canClearBuffers<C extends StatusConnection>({ language, profile }: Printer<C>): boolean {
  return language.clearBuffers !== null && profile.clearsBuffer
}
