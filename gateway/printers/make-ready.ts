// The steps before a ticket: connect, read the status, check that the printer answers in order, identify it. No ticket byte is sent here.
import { reasonOfOpenFailure } from './byte-channel.ts'
import { FLOODED } from './flood-guard.ts'
import { clearBuffers } from './keep-connection.ts'
import type { Printer } from './printer.ts'
import type { Purpose } from './printer-language.ts'
import { FINE } from './printer-status.ts'
import type { StatusConnection } from './status-connection.ts'
import type { Readiness } from './transport.ts'

/** Why a printer cannot take a ticket now. */
export type NotReady = Exclude<Readiness, { kind: 'ready' }>

const READY: Readiness = { kind: 'ready' }
const STOPPED: NotReady = { kind: 'offline', reason: 'shutdown', detail: 'The gateway is stopping.' }

/** All steps, without a ticket. */
export async function makeReady<C extends StatusConnection>(
  printer: Printer<C>,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<Readiness> {
  return (
    (await connect(printer, signal)) ??
    (await askStatus(printer, purpose, signal)) ??
    (await verify(printer, purpose, signal)) ??
    (await introduce(printer, purpose, signal)) ??
    READY
  )
}

/** Takes the kept connection, or opens a new one. Null: the slot has one. */
export async function connect<C extends StatusConnection>(
  printer: Printer<C>,
  signal: AbortSignal,
): Promise<NotReady | null> {
  const { slot, language, health, timeouts } = printer
  slot.use()
  if (signal.aborted) return STOPPED
  const kept = slot.current
  if (kept?.unconfirmed) slot.retire(true)
  else if (kept?.open && !isReady(kept) && !language.mayAskAgain(kept)) slot.retire(false)
  if (slot.current?.open) return null
  const connection = await slot.open(health.away ? timeouts.reconnectMs : timeouts.connectMs, signal)
  if (!('failed' in connection)) {
    const { isOtherHardware, greet } = language.recognition
    if (printer.mayWaitForParameters && !isOtherHardware()) connection.write(language.padding)
    const who = await greet(connection, printer.mayStandUncut, signal)
    if (who === 'same') return null
    return signal.aborted ? STOPPED : another(printer)
  }
  if (connection.code === 'ECONNRESET') return lost(printer, null)
  if (connection.code === 'ABORT_ERR') return STOPPED
  const reason = reasonOfOpenFailure(connection)
  health.failed(reason)
  return { kind: 'offline', reason, detail: `Connecting failed: ${connection.code}.` }
}

/** Reads the printer's status, once on each connection. Null: it may get a ticket, or has never answered. */
export async function askStatus<C extends StatusConnection>(
  printer: Printer<C>,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<NotReady | null> {
  const { slot, language, health } = printer
  const connection = slot.current
  if (!connection) return lost(printer, null)
  if (isReady(connection)) return null
  const heard = await language.ask(connection, { mayStandUncut: printer.mayStandUncut, purpose }, signal)
  if (heard === 'aborted') return STOPPED
  if (heard === 'ended') return lost(printer, connection)
  if (heard === 'silent' && language.capability() !== null)
    return language.recognition.countSilence() === 'other' ? another(printer) : silent(printer)
  if (heard === 'answered') printer.mayWaitForParameters = false
  const isStopped = heard === 'answered' && connection.condition?.blocked === true
  const stopped = isStopped ? await blocked(printer, connection, signal) : null
  const who = await language.recognition.recognise(
    connection,
    { isStopped, mayStandUncut: printer.mayStandUncut },
    signal,
  )
  if (who === 'other') return another(printer)
  if (who === 'silent' && signal.aborted) {
    // Late answers there would be taken for the answer to the next query.
    slot.drop()
    return STOPPED
  }
  if (who === 'silent') return connection.end === null ? silent(printer) : lost(printer, connection)
  if (signal.aborted) return STOPPED
  if (stopped) return stopped
  // One that does not answer may be one of those that never do.
  if (heard === 'silent') health.reached()
  else if (!language.isDoubted()) health.report(connection.condition ?? FINE)
  connection.ready = true
  return null
}

/** Sends the in-order queries when they are due: a silent printer gets no byte of a ticket. */
export async function verify<C extends StatusConnection>(
  printer: Printer<C>,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<NotReady | null> {
  const { slot, language, health } = printer
  const connection = slot.current
  if (!connection?.open || !language.isVerifyDue(connection, purpose)) return null
  const isVerified = await language.verify(connection, printer.mayStandUncut, signal)
  if (signal.aborted) return STOPPED
  if (connection.end !== null) return lost(printer, connection)
  if (connection.condition?.blocked) return blocked(printer, connection, signal)
  if (language.recognition.sawStrange()) return another(printer)
  // It used to prove its tickets, and now it answers no in-order query: each copy may be one more on paper.
  if (!isVerified) return silent(printer)
  if (language.capability() !== null) health.report(connection.condition ?? FINE)
  connection.mayIntroduce = true
  return null
}

/** Right after that, identifies a printer that has never been identified. If its answers may come late, a new connection is made ready. */
export async function introduce<C extends StatusConnection>(
  printer: Printer<C>,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<NotReady | null> {
  const { slot } = printer
  if (!slot.current?.mayIntroduce) return null
  slot.current.mayIntroduce = false
  if (await askWhoItIs(printer, signal)) return null
  // Late answers there would be taken for the proof of a ticket.
  slot.retire(false)
  return (await connect(printer, signal)) ?? (await askStatus(printer, purpose, signal))
}

/** Identifies it once, if that is worthwhile. False: a new connection is needed. */
export async function askWhoItIs<C extends StatusConnection>(
  printer: Printer<C>,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = printer.slot.current
  if (!connection?.open) return true
  return printer.language.recognition.askWhoItIs(connection, printer.mayStandUncut, signal)
}

/** The connection ended before a ticket byte: it was accepted and dropped, as when another client uses the printer. */
export function lost<C extends StatusConnection>(printer: Printer<C>, connection: C | null): NotReady {
  printer.slot.drop()
  if (connection?.flooded) {
    printer.health.failed('not-responding', printer.watch.busyPatienceMs)
    return { kind: 'busy', reason: 'not-responding', detail: FLOODED }
  }
  printer.health.failed('busy', printer.watch.busyPatienceMs)
  const detail = `The printer dropped the connection (${connection?.endCode || 'closed'}).`
  return { kind: 'busy', reason: 'busy', detail }
}

/** Another device than the printer is at the address: it gets no ticket until a person accepts it. */
function another<C extends StatusConnection>(printer: Printer<C>): NotReady {
  printer.slot.drop()
  printer.health.failed('another-printer', 0)
  return { kind: 'busy', reason: 'another-printer', detail: 'Another device answers at the address of the printer.' }
}

function silent<C extends StatusConnection>(printer: Printer<C>): NotReady {
  printer.slot.drop()
  printer.health.failed('not-responding', printer.watch.busyPatienceMs)
  return { kind: 'busy', reason: 'not-responding', detail: 'Connected, but no answer to the status question.' }
}

/** It reports that it cannot print. Tries what may make it continue. */
async function blocked<C extends StatusConnection>(
  printer: Printer<C>,
  connection: C,
  signal: AbortSignal,
): Promise<NotReady> {
  const { reasons } = connection.condition ?? FINE
  printer.health.report(connection.condition ?? FINE)
  if (printer.language.recover(connection, printer.mayStandUncut)) await clearBuffers(printer, connection, signal)
  return {
    kind: 'blocked',
    reason: reasons[0] ?? 'offline',
    detail: `The printer reports ${reasons.join(', ')}.`,
  }
}

function isReady(connection: StatusConnection): boolean {
  return connection.open && connection.ready && !connection.condition?.blocked
}
