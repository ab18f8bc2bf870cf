// A backlog drains: the printer is switched off, orders gather, it comes back. Time and processor time a ticket, from the first ticket to the last.
import { systemClock } from '#shared/clock.ts'
import { percentile } from '#test/bench/figures.ts'
import { allAtOnce, type Side } from './load.ts'

export interface Drain {
  backlog: number
  /** Tickets between the first and the last that were counted: fewer than the backlog when the time was up. */
  counted: number
  /** From ticket to ticket: {@link pace}. */
  wallMs: number
  /** Processor time of the gateway a ticket. */
  gatewayMs: number
}

interface Mark {
  cpuMs: number
  printed: number
}

/** Tickets whose mean is one reading of the pace. */
const GROUP = 10
const GATHER_CAP_MS = 30_000
/** Longer than any ticket takes. */
const LOOK_MS = 250
const COMES_BACK_CAP_MS = 30_000
/** What the gateway does when it has taken the last of them. */
const SETTLE_MS = 500

/**
 * @param capMs after the first ticket: the rest is printed, but not waited for
 * @param gathered called when the backlog stands, before the printer comes back
 */
export async function drain(
  side: Side,
  backlog: number,
  capMs: number,
  gathered: () => Promise<void> = async () => {},
): Promise<Drain> {
  await gather(side, backlog)
  await gathered()
  const { paper, gateway } = side
  const before = paper.tickets.size
  const printed = (): number => paper.tickets.size - before
  const now = (): Mark => ({ cpuMs: gateway.cpuMs(), printed: printed() })
  const marks: Mark[] = []
  const times: number[] = []
  /** Read in the very moment, not after a turn of this program's own. */
  const markWhen = (count: number, forMs: number): Promise<boolean> =>
    paper.until(() => {
      times.push(performance.now())
      if (printed() < count) return false
      marks.push(now())
      return true
    }, forMs)
  const first = markWhen(1, COMES_BACK_CAP_MS)
  await paper.switchOn()
  if (!(await first)) throw new Error('the printer is back, and nothing is printed')
  times.length = 0
  if (!(await markWhen(backlog, capMs))) marks.push(now())
  const [began = now(), ended = now()] = marks
  const counted = ended.printed - began.printed
  return { backlog, counted, wallMs: pace(times), gatewayMs: (ended.cpuMs - began.cpuMs) / counted }
}

/**
 * Milliseconds from ticket to ticket: the mean of each ten, and of these the end of the quicker quarter. What else runs on the machine stops some
 * of them for a while, not all; what makes every second or every tenth ticket wait is in each.
 *
 * @param times at which tickets were on paper. @returns NaN for fewer than eleven
 */
export function pace(times: readonly number[]): number {
  const means: number[] = []
  for (let end = GROUP; end < times.length; end += GROUP)
    means.push(((times[end] ?? Number.NaN) - (times[end - GROUP] ?? Number.NaN)) / GROUP)
  return means.length === 0 ? Number.NaN : percentile(means, 25)
}

/** What waits when nothing more is printed: of a backlog that was not waited for the rest goes to paper first. */
async function stands(side: Side): Promise<number> {
  const endAt = performance.now() + GATHER_CAP_MS
  let before = await side.waiting()
  for (;;) {
    await systemClock.sleep(LOOK_MS)
    const now = await side.waiting()
    if (now === before || performance.now() > endAt) return now
    before = now
  }
}

async function gather(side: Side, backlog: number): Promise<void> {
  const stood = await stands(side)
  await side.paper.switchOff()
  await allAtOnce(side, backlog)
  const endAt = performance.now() + GATHER_CAP_MS
  while ((await side.waiting()) < stood + backlog) {
    if (performance.now() > endAt) throw new Error('the backlog did not gather')
    await systemClock.sleep(50)
  }
  await systemClock.sleep(SETTLE_MS)
}
