// A backlog drains: the printer is switched off, orders gather, it comes back. Time and processor time a ticket, from the first ticket to the last.
import { systemClock } from '#shared/clock.ts'
import { allAtOnce, type Side } from './load.ts'
import { readyMsOf } from './process-cpu.ts'

export interface Drain {
  backlog: number
  /** Tickets between the first and the last that were counted: fewer than the backlog when the time was up. */
  counted: number
  /** From ticket to ticket, less the time that gateway and printer stood ready to run while other programs had the processors. */
  wallMs: number
  /** Processor time of the gateway a ticket. */
  gatewayMs: number
}

interface Mark {
  at: number
  cpuMs: number
  readyMs: number
  printed: number
}

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
  const now = (): Mark => ({
    at: performance.now(),
    cpuMs: gateway.cpuMs(),
    readyMs: readyMs(side),
    printed: printed(),
  })
  const marks: Mark[] = []
  /** Read in the very moment, not after a turn of this program's own. */
  const markWhen = (count: number, forMs: number): Promise<boolean> =>
    paper.until(() => {
      if (printed() < count) return false
      marks.push(now())
      return true
    }, forMs)
  const first = markWhen(1, COMES_BACK_CAP_MS)
  await paper.switchOn()
  if (!(await first)) throw new Error('the printer is back, and nothing is printed')
  if (!(await markWhen(backlog, capMs))) marks.push(now())
  const [began = now(), ended = now()] = marks
  const counted = ended.printed - began.printed
  return {
    backlog,
    counted,
    wallMs: (ended.at - began.at - (ended.readyMs - began.readyMs)) / counted,
    gatewayMs: (ended.cpuMs - began.cpuMs) / counted,
  }
}

/** They wait for each other, so their times add up. */
function readyMs({ gateway }: Side): number {
  return gateway.readyMs() + readyMsOf(process.pid)
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
