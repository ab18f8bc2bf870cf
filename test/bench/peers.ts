// node test/bench/peers.ts [--quick] [--docs]: Ticketrail, CUPS and node-thermal-printer beside each other, same printer, same faults.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from './figures.ts'
import { Cups, cupsMissing } from './peer-cups.ts'
import { Library } from './peer-library.ts'
import { PeerPrinter } from './peer-printer.ts'
import type { PrintSystem, Said } from './peer-system.ts'
import { ticketOf } from './peer-ticket.ts'
import { Ticketrail } from './peer-ticketrail.ts'

interface Outcome {
  latencyP50Ms: number
  latencyP95Ms: number
  /** From the system's word that it has the ticket; 0 when the first byte was sooner. */
  takenP50Ms: number
  takenP95Ms: number
  /** From the ticket's arrival at the box that prints. */
  boxP50Ms: number
  boxP95Ms: number
  /** Said to be printed, with nothing on paper. */
  falseOnReset: number
  falseOnStall: number
  /** Of the power cuts of the printer: tickets that are not whole on any paper at the end, though the system took them. */
  lostOnPowerCut: number
  falseOnPowerCut: number
  /** More than one whole copy without a mark. */
  unmarkedCopies: number
  lostOnKill: number | null
  recoverySeconds: number | null
}

const ROOT = new URL('../../', import.meta.url).pathname
/** A system that will say something else has had its chance by then. */
const SETTLE_MS = 12_000
/** The longest that CUPS was seen to wait before it tried a printer again is half a minute. */
const PATIENCE_MS = 60_000
/** RST after so many bytes of a ticket of about 400; behind the last byte, before any answer. */
const POWER_CUTS = [60, 150, 250, 'unproven'] as const

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let numbers = 0
/** Eight characters that stand on the ticket. */
const nextToken = (): string => `T${String(++numbers).padStart(6, '0')}X`

/** Whole copies of a ticket on paper: its first line of the order's number and its last line of the job both stand there. */
function copies(printer: PeerPrinter, token: string): { whole: number; marked: number } {
  const tickets = printer.paper().filter((text) => text.includes(`> ${token}`) && text.includes(`order ${token}`))
  // A piece that was cut off by the fault may stand above the whole ticket on the same paper: the foot counts.
  const whole = tickets.reduce((sum, text) => sum + text.split(`order ${token}`).length - 1, 0)
  return { whole, marked: tickets.filter((text) => text.includes('POSSIBLE DUPLICATE')).length }
}

async function submit(system: PrintSystem, token: string): Promise<string> {
  return system.submit(token, await ticketOf(token))
}

async function saidInTheEnd(system: PrintSystem, id: string, ms: number): Promise<Said> {
  const until = performance.now() + ms
  let said = await system.says(id)
  while (said === 'waiting' && performance.now() < until) {
    await sleep(50)
    said = await system.says(id)
  }
  return said
}

async function untilOnPaper(printer: PeerPrinter, tokens: readonly string[], ms: number): Promise<number> {
  const until = performance.now() + ms
  const missing = (): number => tokens.filter((token) => copies(printer, token).whole === 0).length
  while (missing() > 0 && performance.now() < until) await sleep(50)
  return missing()
}

async function latency(system: PrintSystem, printer: PeerPrinter, count: number) {
  const submitted: number[] = []
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const token = nextToken()
    const ticket = await ticketOf(token)
    const first = printer.firstByte.next()
    const cut = printer.cut.next((text) => text.includes(token))
    const submittedAt = performance.now()
    await system.submit(token, ticket)
    const takenAt = performance.now()
    const firstAt = await first
    submitted.push(firstAt - submittedAt)
    taken.push(Math.max(0, firstAt - takenAt))
    await cut
    await sleep(100)
  }
  // The first ones warm the system up.
  return { submitted: submitted.slice(3), taken: taken.slice(3) }
}

async function falsePrinted(system: PrintSystem, printer: PeerPrinter, mood: 'reset' | 'stall', ms: number) {
  printer.mood = mood
  const token = nextToken()
  const id = await submit(system, token)
  const said = await saidInTheEnd(system, id, ms)
  const isFalse = said === 'printed' && copies(printer, token).whole === 0
  printer.mood = 'print'
  // What is stuck is let out, so that it does not stand in the way of the next scenario.
  await printer.off()
  await printer.on()
  if (!system.hasNoQueue && said !== 'printed') await untilOnPaper(printer, [token], PATIENCE_MS)
  return isFalse ? 1 : 0
}

async function powerCuts(system: PrintSystem, printer: PeerPrinter) {
  const result = { lostOnPowerCut: 0, falseOnPowerCut: 0, unmarkedCopies: 0 }
  for (const fault of POWER_CUTS) {
    printer.mood = fault
    const token = nextToken()
    const id = await submit(system, token)
    const said = await saidInTheEnd(system, id, SETTLE_MS)
    if (said === 'waiting') await untilOnPaper(printer, [token], PATIENCE_MS)
    const { whole, marked } = copies(printer, token)
    if (whole === 0) result.lostOnPowerCut++
    if (whole === 0 && said === 'printed') result.falseOnPowerCut++
    if (whole > 1 && marked < whole - 1) result.unmarkedCopies++
    printer.mood = 'print'
  }
  return result
}

/** Printer off, tickets taken, SIGKILL at once, start, printer on: how many never come out. */
async function lostOnKill(system: PrintSystem, printer: PeerPrinter, count: number): Promise<number | null> {
  if (system.hasNoQueue) return null
  await printer.off()
  const tokens = Array.from({ length: count }, nextToken)
  for (const token of tokens) await submit(system, token)
  await system.killAndRestart()
  await printer.on()
  return untilOnPaper(printer, tokens, PATIENCE_MS)
}

async function recovery(system: PrintSystem, printer: PeerPrinter, awayMs: number): Promise<number | null> {
  if (system.hasNoQueue) return null
  await printer.off()
  await submit(system, nextToken())
  await sleep(awayMs)
  const first = printer.firstByte.next()
  await printer.on()
  const onAt = performance.now()
  return ((await first) - onAt) / 1_000
}

async function measure(make: () => PrintSystem, quick: boolean): Promise<Outcome> {
  const printer = new PeerPrinter()
  await printer.on()
  const system = make()
  await system.start(printer.port)
  const waits = await latency(system, printer, quick ? 13 : 63)
  const box = (await system.boxWaits?.(waits.submitted.length)) ?? waits.submitted
  const falseOnReset = await falsePrinted(system, printer, 'reset', SETTLE_MS)
  const falseOnStall = await falsePrinted(system, printer, 'stall', SETTLE_MS)
  const cuts = await powerCuts(system, printer)
  await system.stop()
  // A fresh one each: what a system still tries of the faults before must not count here.
  const killed = make()
  await killed.start(printer.port)
  const lost = await lostOnKill(killed, printer, 20)
  await killed.stop()
  const away = make()
  await away.start(printer.port)
  const recoverySeconds = await recovery(away, printer, quick ? 10_000 : 45_000)
  await away.stop()
  await printer.off()
  return {
    latencyP50Ms: percentile(waits.submitted, 50),
    latencyP95Ms: percentile(waits.submitted, 95),
    takenP50Ms: percentile(waits.taken, 50),
    takenP95Ms: percentile(waits.taken, 95),
    boxP50Ms: percentile(box, 50),
    boxP95Ms: percentile(box, 95),
    falseOnReset,
    falseOnStall,
    ...cuts,
    lostOnKill: lost,
    recoverySeconds,
  }
}

function table(outcomes: readonly { name: string; outcome: Outcome }[]): string {
  const rows: [string, (outcome: Outcome) => string][] = [
    ['submitted -> first byte, p50', ({ latencyP50Ms }) => `${latencyP50Ms.toFixed(1)} ms`],
    ['submitted -> first byte, p95', ({ latencyP95Ms }) => `${latencyP95Ms.toFixed(1)} ms`],
    ['arrived at the box -> first byte, p50', ({ boxP50Ms }) => `${boxP50Ms.toFixed(1)} ms`],
    ['arrived at the box -> first byte, p95', ({ boxP95Ms }) => `${boxP95Ms.toFixed(1)} ms`],
    ['taken -> first byte, p50', ({ takenP50Ms }) => `${takenP50Ms.toFixed(1)} ms`],
    ['taken -> first byte, p95', ({ takenP95Ms }) => `${takenP95Ms.toFixed(1)} ms`],
    ['said "printed", printer reset at connect (of 1)', ({ falseOnReset }) => String(falseOnReset)],
    ['said "printed", printer reads nothing (of 1)', ({ falseOnStall }) => String(falseOnStall)],
    [
      `said "printed", power cut in the ticket (of ${POWER_CUTS.length})`,
      ({ falseOnPowerCut }) => String(falseOnPowerCut),
    ],
    [`never whole on paper after that (of ${POWER_CUTS.length})`, ({ lostOnPowerCut }) => String(lostOnPowerCut)],
    [`second copies without a mark (of ${POWER_CUTS.length})`, ({ unmarkedCopies }) => String(unmarkedCopies)],
    ['lost on kill -9 (of 20 taken)', ({ lostOnKill }) => (lostOnKill === null ? 'no queue' : String(lostOnKill))],
    [
      'printer back -> first byte',
      ({ recoverySeconds }) => (recoverySeconds === null ? 'never' : `${recoverySeconds.toFixed(1)} s`),
    ],
  ]
  return [
    `| | ${outcomes.map(({ name }) => name).join(' | ')} |`,
    `| --- | ${outcomes.map(() => '---').join(' | ')} |`,
    ...rows.map(([label, cell]) => `| ${label} | ${outcomes.map(({ outcome }) => cell(outcome)).join(' | ')} |`),
  ].join('\n')
}

/** Runs all systems that this machine has, one after the other, and gives the table and the raw values. */
export async function comparePeers(quick: boolean) {
  const missing = cupsMissing()
  if (missing) console.log(`CUPS is left out: ${missing}`)
  const makers: (() => PrintSystem)[] = [
    () => new Ticketrail(),
    ...(missing ? [] : [() => new Cups()]),
    () => new Library(),
  ]
  const outcomes: { name: string; outcome: Outcome }[] = []
  for (const make of makers) {
    const { name } = make()
    console.log(`measuring ${name} ...`)
    outcomes.push({ name, outcome: await measure(make, quick) })
  }
  return { markdown: table(outcomes), outcomes }
}

const BEGIN = '<!-- peers:start -->'
const END = '<!-- peers:end -->'

if (import.meta.main) {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, docs: { type: 'boolean', default: false } },
  })
  const { markdown, outcomes } = await comparePeers(values.quick)
  console.log(`\n${markdown}`)
  const machine = `${cpus().length} cores, Node ${process.versions.node}`
  mkdirSync(join(ROOT, 'bench-results'), { recursive: true })
  writeFileSync(join(ROOT, 'bench-results/peers.json'), JSON.stringify({ machine, outcomes }, null, 2))
  if (values.docs) {
    const file = join(ROOT, 'docs/compared.md')
    const text = readFileSync(file, 'utf8')
    const [before = '', rest = ''] = text.split(BEGIN)
    writeFileSync(file, `${before}${BEGIN}\n${markdown}\n\n${machine}.\n${END}${rest.split(END)[1] ?? ''}`)
  }
}
