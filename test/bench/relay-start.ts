// How soon a relay with a million orders behind it is ready, beside one with a few: in turns, and what both do in the seconds after it.
import { systemClock } from '#shared/clock.ts'
import { cpuMsOfThread } from '#test/guard/process-cpu.ts'
import { median } from './figures.ts'
import { FEW_ORDERS, pastOrders, startRelay } from './past-orders.ts'

/** So long after the ready line it is watched: every service has looked for its work by then. */
const WATCHED_MS = 3_000

interface Ratio {
  few: number
  many: number
  ratio: number
}

export interface RelayStart {
  fewOrders: number
  /** Milliseconds from the start of the program to its ready line. */
  ready: Ratio
  /**
   * Milliseconds of processor time of its first thread from its start to 3 s after the ready line: what goes on behind the start and would
   * hold up orders. The look for damage reads the whole file, in a thread of the lowest priority.
   */
  settled: Ratio
}

export async function measureRelayStart(orders: number, rounds: number): Promise<RelayStart> {
  const { few, many, key } = await pastOrders(orders)
  const seen = { few: [] as Started[], many: [] as Started[] }
  // The first of each compiles the program and reads the file into memory.
  for (let round = 0; round <= rounds; round++) {
    const started = { few: await start(few, key), many: await start(many, key) }
    if (round === 0) continue
    seen.few.push(started.few)
    seen.many.push(started.many)
  }
  return {
    fewOrders: FEW_ORDERS,
    ready: ratioOf(seen, ({ readyMs }) => readyMs),
    settled: ratioOf(seen, ({ cpuMs }) => cpuMs),
  }
}

interface Started {
  readyMs: number
  cpuMs: number
}

async function start(file: string, key: string): Promise<Started> {
  const { program, ms } = await startRelay(file, key)
  await systemClock.sleep(WATCHED_MS)
  const cpuMs = cpuMsOfThread(program.pid)
  await program.kill('SIGTERM')
  return { readyMs: ms, cpuMs }
}

function ratioOf(seen: Record<'few' | 'many', readonly Started[]>, pick: (of: Started) => number): Ratio {
  const few = seen.few.map(pick)
  const many = seen.many.map(pick)
  const ratio = median(many.map((value, round) => value / (few[round] ?? Number.NaN)))
  return { few: median(few), many: median(many), ratio }
}
