// Orders at a steady pace: processor time an order of both programs, and how long until the first byte is at the printer.
import { systemClock } from '#shared/clock.ts'
import { median } from '#test/bench/figures.ts'
import { atPace, type Side } from './load.ts'

/** The pace of the promise about the first byte. */
export const PER_SECOND = 50
/** What follows the last ticket: its result goes to the relay. */
const SETTLE_MS = 300
const PAPER_CAP_MS = 10_000

export interface Slice {
  /** Processor time an order, milliseconds. What a program does without orders is in it: nothing is taken off, on neither side. */
  gatewayMs: number
  relayMs: number
  /** Request sent -> first byte of its ticket at the printer: the median, milliseconds. */
  firstByteMs: number
  printed: number
  offered: number
}

/** How many orders of these slices were not on paper in time. They make an order look cheap. */
export function unprinted(slices: readonly Slice[]): number {
  return slices.reduce((sum, { offered, printed }) => sum + offered - printed, 0)
}

export async function slice(side: Side, count: number): Promise<Slice> {
  const before = { gateway: side.gateway.cpuMs(), relay: side.relay.cpuMs() }
  const sent = await atPace(side, PER_SECOND, count)
  const tokens = sent.map(({ token }) => token)
  await side.paper.until(() => side.paper.countOf(tokens) === count, PAPER_CAP_MS)
  await systemClock.sleep(SETTLE_MS)
  const printed = side.paper.countOf(tokens)
  const waits = sent.flatMap(({ token, sentAt }) => {
    const ticket = side.paper.tickets.get(token)
    return ticket ? [ticket.firstByteAt - sentAt] : []
  })
  return {
    gatewayMs: (side.gateway.cpuMs() - before.gateway) / printed,
    relayMs: (side.relay.cpuMs() - before.relay) / printed,
    firstByteMs: median(waits),
    printed,
    offered: count,
  }
}
