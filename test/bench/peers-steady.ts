// node test/bench/peers-steady.ts [--quick]: Ticketrail and CUPS beside each other at a steady rate, cold and warm, with a printer that answers at
// once and with one that holds its answers back until what it sent before is acknowledged.
import { parseArgs } from 'node:util'
import { percentile } from './figures.ts'
import { Cups, cupsMissing } from './peer-cups.ts'
import { PeerPrinter } from './peer-printer.ts'
import type { PrintSystem } from './peer-system.ts'
import { ticketOf } from './peer-ticket.ts'
import { Ticketrail } from './peer-ticketrail.ts'

const PER_SECOND = 20
/** Longest wait for a ticket's paper; what comes later counts as this. */
const GIVE_UP_MS = 30_000

export interface Spread {
  p50: number
  p99: number
}

export interface SteadyRun {
  system: string
  /** Request sent -> first ticket byte at the printer, the first order of programs that have just started included. */
  cold: Spread
  /** The same on the same programs, right after that. */
  warm: Spread
  /** Last byte taken by the operating system -> proof, of both; null: the system knows no proof. */
  proof: Spread | null
}

let numbers = 0

/** Offers orders at their planned times, whether or not earlier ones are printed. Waits to the first byte, milliseconds, in order. */
async function offer(system: PrintSystem, printer: PeerPrinter, seconds: number): Promise<number[]> {
  const sentAt = new Map<string, number>()
  const waits = new Map<string, number>()
  const total = PER_SECOND * seconds
  let firstByteAt = 0
  const stops = [
    printer.firstByte.subscribe((at) => {
      firstByteAt = at
    }),
  ]
  const all = new Promise<void>((resolve) => {
    stops.push(
      printer.cut.subscribe((text) => {
        const token = /T\d{6}X/.exec(text)?.[0]
        const sent = token === undefined ? undefined : sentAt.get(token)
        if (token !== undefined && sent !== undefined && !waits.has(token)) waits.set(token, firstByteAt - sent)
        if (waits.size === total) resolve()
      }),
    )
  })
  const submitted: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let i = 0; i < total; i++) {
    const token = `T${String(++numbers).padStart(6, '0')}X`
    const ticket = await ticketOf(token)
    const waitMs = startedAt + (i * 1_000) / PER_SECOND - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    sentAt.set(token, performance.now())
    submitted.push(system.submit(token, ticket))
  }
  await Promise.all(submitted)
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, GIVE_UP_MS).unref())])
  for (const stop of stops) stop()
  return [...sentAt.keys()].map((token) => waits.get(token) ?? GIVE_UP_MS)
}

async function measure(make: () => PrintSystem, printer: PeerPrinter, seconds: number): Promise<SteadyRun> {
  await printer.on()
  const system = make()
  await system.start(printer.port)
  const cold = await offer(system, printer, seconds)
  const warm = await offer(system, printer, seconds)
  const proofs = (await system.proofWaits?.(Math.min(200, cold.length + warm.length))) ?? null
  await system.stop()
  await printer.off()
  return { system: system.name, cold: spread(cold), warm: spread(warm), proof: proofs && spread(proofs) }
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 50), p99: percentile(values, 99) }
}

/** Each system with its own fresh programs and the same kind of printer, one after the other. CUPS is left out where it is missing. */
export async function compareSteady(seconds: number, holdsAnswers: boolean): Promise<SteadyRun[]> {
  const makers: (() => PrintSystem)[] = [() => new Ticketrail(), ...(cupsMissing() ? [] : [() => new Cups()])]
  const runs: SteadyRun[] = []
  for (const make of makers) runs.push(await measure(make, new PeerPrinter({ holdsAnswers }), seconds))
  return runs
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  const cell = ({ p50, p99 }: Spread): string => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
  for (const holdsAnswers of [false, true]) {
    console.log(
      `\n${holdsAnswers ? 'a printer that holds its answers back' : 'a printer that answers at once'}, p50 / p99`,
    )
    for (const { system, cold, warm, proof } of await compareSteady(values.quick ? 5 : 15, holdsAnswers)) {
      console.log(
        `${system}: cold ${cell(cold)}, warm ${cell(warm)}, last byte -> proof ${proof ? cell(proof) : 'none'}`,
      )
    }
  }
  // The connections that fetch keeps to programs that are gone.
  process.exit()
}
