// npm run bench: measures every figure that we promise, prints a table, writes JSON, and with --readme puts the table into docs/figures.md and twelve rows of it into the README.
// --quick shortens every part (for trying it out); --only NAME[,NAME] runs parts: with --readme, the rows of the others stay.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callFigures } from './calls.ts'
import { measureDeadEndpoint } from './dead-endpoint.ts'
import { engineFigures } from './engines.ts'
import { writeTables } from './figure-tables.ts'
import { type Figure, median, ms, toMarkdown } from './figures.ts'
import { measureFloods } from './floods.ts'
import { HOSTILE_CASES, hostileFigures, measureHostile } from './hostile-orders.ts'
import { measureBesideIll, measureTwelveBack } from './ill-printers.ts'
import { type Latency, measureFloor, measureOurs, type OurLatency, openSite } from './latency.ts'
import { listenFigures } from './listen.ts'
import { measureMillion } from './million.ts'
import { measureMixed } from './mixed.ts'
import { openDashboardFigures } from './open-dashboards.ts'
import { measureAcceptedEvent, measureMemory, measureRecovery, type Resident } from './other-figures.ts'
import { compareSteady, type SteadyRun } from './peers-steady.ts'
import { measureOneAddress, measureStorm } from './reconnect-storm.ts'
import { measureRelayStart } from './relay-start.ts'
import { renderFigures } from './render.ts'
import { measureReplicaStorm } from './replica-storm.ts'
import { slowDashboardFigures } from './slow-dashboard.ts'
import { measureSlowTablet, SLOWER } from './slow-tablet.ts'
import { measureBackBesideCopy, measureQueueOnDisk, measureStart } from './start-time.ts'
import { measureThroughput } from './throughput.ts'
import { measureTwelvePrinters } from './twelve-printers.ts'
import { twoRelayFigures } from './two-relays.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const quick = options.quick
const figures: Figure[] = []
const raw: Record<string, unknown> = {}

function add(name: string, goal: string, value: string, met: boolean | null): void {
  figures.push({ name, goal, value, met })
  console.log(`${met === false ? 'NOT MET ' : ''}${name}: ${value} (goal ${goal})`)
}

function addAll(all: readonly Figure[]): void {
  for (const { name, goal, value, met } of all) add(name, goal, value, met)
}

const mid = (runs: readonly Latency[], pick: (run: Latency) => number): number => median(runs.map(pick))

async function latency(): Promise<void> {
  const seconds = quick ? 4 : 10
  const ours: OurLatency[] = []
  const floors: Latency[] = []
  const fast: Latency[] = []
  const bench = await openSite()
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    floors.push(await measureFloor(50, seconds))
    ours.push(await measureOurs(bench, 50, seconds))
    fast.push(await measureOurs(bench, 300, seconds))
  }
  await bench.stop()
  raw['latency'] = { floors, ours, fast }
  const floorP50 = mid(floors, (run) => run.firstByte.p50)
  const p50 = mid(ours, (run) => run.firstByte.p50)
  const p99 = mid(ours, (run) => run.firstByte.p99)
  const fastP99 = mid(fast, (run) => run.firstByte.p99)
  const confirmed = mid(ours, (run) => run.confirmed.p99)
  add('request -> first byte at the printer, 50 orders/s, p50', '<= 8 ms', ms(p50), p50 <= 8)
  add('the same, p99', '<= 25 ms', ms(p99), p99 <= 25)
  add('the same at 300 orders/s, p99', '<= 100 ms', ms(fastP99), fastP99 <= 100)
  add('request -> confirmed by the printer, 50 orders/s, p99', '<= 60 ms', ms(confirmed), confirmed <= 60)
  add('bare floor of the same hops, 50 orders/s, p50', 'measured beside', ms(floorP50), null)
  add('our p50 / floor p50', '<= 1.7 x', `${(p50 / floorP50).toFixed(2)} x`, p50 / floorP50 <= 1.7)
  const cpuMs = median(ours.map((run) => run.cpuMs))
  add('processor time of relay and gateway for each order, 50 orders/s', 'measured beside', ms(cpuMs), null)
  const lost = [...ours, ...fast].reduce((sum, run) => sum + run.offered - run.printed, 0)
  add('orders of these runs without paper', '0', String(lost), lost === 0)
}

async function slowDisk(): Promise<void> {
  const shim = join(tmpdir(), 'ticketrail-slow-fsync.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', shim, join(ROOT, 'test/bench/slow-fsync.c'), '-ldl'])
  } catch {
    add('first byte with a 15 ms fsync at the gateway, 10 orders/s, p50', '<= 60 ms', 'skipped: no C compiler', null)
    return
  }
  const bench = await openSite({ gatewayEnv: { LD_PRELOAD: shim, SLOW_FSYNC_MS: '15' } })
  const run = await measureOurs(bench, 10, quick ? 5 : 20)
  await bench.stop()
  raw['slowDisk'] = run
  const value = run.firstByte.p50
  add('first byte with a 15 ms fsync at the gateway, 10 orders/s, p50', '<= 60 ms', ms(value), value <= 60)
}

async function events(): Promise<void> {
  const run = await measureAcceptedEvent(50, quick ? 4 : 20)
  raw['events'] = run
  add('accepted -> order.accepted at a loopback receiver, 50 orders/s, p99', '<= 200 ms', ms(run.p99), run.p99 <= 200)
}

async function throughput(): Promise<void> {
  const run = await measureThroughput(quick ? 4 : 10, quick ? 1 : 3)
  raw['throughput'] = run
  const ratio = run.durablePerSecond / run.barePerSecond
  add(
    'sustained inject over HTTP with durable commits / the same route and inject code with stores in memory',
    '>= 0.5 x',
    `${ratio.toFixed(2)} x (${Math.round(run.durablePerSecond)}/s of ${Math.round(run.barePerSecond)}/s)`,
    ratio >= 0.5,
  )
  const bench = await openSite()
  const offered = await measureOurs(bench, 500, quick ? 4 : 15)
  await bench.stop()
  raw['offered500'] = offered
  add('inject answered at 500 orders/s offered, p99', '<= 180 ms', ms(offered.answer.p99), offered.answer.p99 <= 180)
}

async function recovery(): Promise<void> {
  const value = await measureRecovery(quick ? 5 : 60)
  raw['recovery'] = value
  add("printer's port back after 60 s -> first byte", '<= 1 s', ms(value), value <= 1_000)
  const twelve = await measureTwelveBack(quick ? 5 : 60)
  raw['twelveBack'] = twelve
  const worst = `${ms(twelve.worst)} (median ${ms(twelve.median)})`
  add('12 printers back at once after 60 s -> first byte at the slowest', '<= 0.5 s', worst, twelve.worst <= 500)
}

async function start(): Promise<void> {
  const run = await measureStart()
  raw['start'] = run
  const isExecutable = run.program !== 'gateway/main.ts'
  const what = `power -> gateway ready, from a cold disk, best of five (${isExecutable ? 'executable' : run.program})`
  add(what, '<= 600 ms', ms(run.gatewayMs), isExecutable ? run.gatewayMs <= 600 : null)
  add(
    'the same / a bare Node that starts and ends',
    'measured beside',
    `${(run.gatewayMs / run.nodeMs).toFixed(1)} x`,
    null,
  )
  const rounds = quick ? 2 : 5
  const queue = await measureQueueOnDisk(rounds)
  const beside = await measureBackBesideCopy(rounds)
  raw['startWithQueue'] = { queue, beside }
  const worst = (times: readonly number[]): string => `${ms(Math.max(...times))} (median ${ms(median([...times]))})`
  const first = 'start after a power cut, relay away -> first byte of what waits on the disk, slowest'
  add(first, '<= 1 s', worst(queue), isExecutable ? Math.max(...queue) <= 1_000 : null)
  const back = 'start beside a copied card that is connected -> the box itself is connected, slowest'
  add(back, '<= 3 s', worst(beside), isExecutable ? Math.max(...beside) <= 3_000 : null)
}

async function memory(): Promise<void> {
  const run = await measureMemory()
  raw['memory'] = run
  const { idle, after2k, after10k } = run
  const mb = ({ own, all }: Resident) => `${own.toFixed(0)} MB of its own, ${all.toFixed(0)} MB with mapped files`
  add('gateway memory, idle', '<= 64 MB of its own', mb(idle), idle.own <= 64)
  const grown = `${after2k.own.toFixed(0)} MB after 2,000, ${after10k.own.toFixed(0)} MB after 10,000 orders`
  add('gateway memory of its own under orders', 'flat (< 10 % more)', grown, after10k.own <= after2k.own * 1.1)
}

async function mixed(): Promise<void> {
  const run = await measureMixed(300, quick ? 6 : 60)
  raw['mixed'] = run
  const load = 'mixed load at 300 requests/s (70 % inject, 20 % reads, 10 % void, refund and SKU)'
  add(`${load}, mean`, '<= 25 ms', ms(run.meanMs), run.meanMs <= 25)
  add('the same, p99', '<= 180 ms', ms(run.p99Ms), run.p99Ms <= 180)
  add('the same, answers a second', '>= 297/s', `${run.perSecond.toFixed(1)}/s`, run.perSecond >= 297)
  add('the same, errors', '0', String(run.errors), run.errors === 0)
}

async function million(): Promise<void> {
  const orders = quick ? 50_000 : 1_000_000
  const run = await measureMillion(orders, quick ? 1 : 2, quick ? 1 : 9)
  raw['million'] = run
  for (const [name, { few, many, ratio }] of Object.entries(run.calls)) {
    const value = `${ratio.toFixed(2)} x (${ms(many)} to ${ms(few)})`
    const what = `${name} with ${orders.toLocaleString('en-US')} orders / with ${run.fewOrders.toLocaleString('en-US')}`
    add(what, '<= 1.3 x', value, ratio <= 1.3)
  }
  add('errors of these runs', '0', String(run.errors), run.errors === 0)
}

/** In turns, so that what else the machine does falls on both alike. */
async function relayStart(): Promise<void> {
  const orders = quick ? 50_000 : 1_000_000
  const run = await measureRelayStart(orders, quick ? 3 : 9)
  raw['relayStart'] = run
  const what = `start of the relay with ${orders.toLocaleString('en-US')} orders / with ${run.fewOrders.toLocaleString('en-US')}`
  const value = `${run.ready.ratio.toFixed(2)} x (${ms(run.ready.many)} to ${ms(run.ready.few)})`
  add(`${what}: ready`, '<= 1.3 x', value, run.ready.ratio <= 1.3)
  const { few, many, ratio } = run.settled
  const cpu = `${ratio.toFixed(2)} x (${ms(many)} to ${ms(few)})`
  add(`${what}: processor time of its first thread in the first seconds`, '<= 1.3 x', cpu, ratio <= 1.3)
}

async function deadEndpoint(): Promise<void> {
  const undelivered = quick ? 2_000 : 10_000
  const { alone, beside, ...rest } = await measureDeadEndpoint(undelivered, quick ? 4 : 20)
  raw['deadEndpoint'] = { alone, beside, ...rest }
  const delay = beside.p99 - alone.p99
  const what = `first attempt at a healthy endpoint, p99: later beside ${undelivered.toLocaleString('en-US')} undelivered of a dead one by`
  add(what, '<= 50 ms', `${ms(delay)} (${ms(beside.p99)} to ${ms(alone.p99)})`, delay <= 50)
}

async function hostile(): Promise<void> {
  const run = await measureHostile(quick ? 5_000 : HOSTILE_CASES)
  raw['hostile'] = run
  if (run.failure !== null) console.log(run.failure)
  addAll(hostileFigures(run))
}

async function twelvePrinters(): Promise<void> {
  const run = await measureTwelvePrinters(quick ? 2 : 5)
  raw['twelvePrinters'] = run
  const { well, oneFrozen } = run
  const worst = (kitchen: typeof well): string => `${ms(kitchen.worstFirstByteMs)} (median ${ms(kitchen.firstByteMs)})`
  const what = '12 printers, 20 tickets each at once: first byte at the slowest printer'
  add(what, '<= 100 ms', worst(well), well.worstFirstByteMs <= 100)
  add('the same with one of the 12 frozen', '<= 100 ms', worst(oneFrozen), oneFrozen.worstFirstByteMs <= 100)
  const all = `${ms(oneFrozen.allConfirmedMs)} to ${ms(well.allConfirmedMs)}`
  add('all tickets of the others confirmed, with one frozen to without', 'measured beside', all, null)
}

async function illPrinters(): Promise<void> {
  const run = await measureBesideIll(quick ? 1 : 3, quick ? 4 : 15)
  raw['illPrinters'] = run
  const what = 'first byte at 10 healthy printers, p99: beside 22 ill ones / alone'
  const value = `${run.ratio.toFixed(2)} x (${ms(run.beside)} to ${ms(run.alone)})`
  add(what, '<= 1.2 x', value, run.ratio <= 1.2)
}

/** Beside CUPS in the same run, where it is installed. */
async function steady(): Promise<void> {
  const seconds = quick ? 5 : 15
  const prompt = await compareSteady(seconds, false)
  const holding = await compareSteady(seconds, true)
  raw['steady'] = { prompt, holding }
  const [ours, cups] = prompt
  for (const state of ['warm', 'cold'] as const) {
    for (const rank of ['p50', 'p99'] as const) {
      const limit = cups?.[state][rank] ?? null
      const name = `request -> first byte, 20 orders/s, ${state}, ${rank}`
      const value = ours?.[state][rank] ?? Number.NaN
      const beside = limit === null ? 'CUPS is not installed' : `CUPS raw socket: ${ms(limit)}`
      add(name, '<= CUPS raw socket', `${ms(value)} (${beside})`, limit === null ? null : value <= limit)
    }
  }
  const proof = (runs: readonly SteadyRun[]) => runs[0]?.proof ?? { p50: Number.NaN, p99: Number.NaN }
  const { p50, p99 } = proof(holding)
  const name =
    'last byte -> proof, 20 orders/s, a printer that holds its answers back until they are acknowledged, p50 / p99'
  const beside = `one that does not: ${ms(proof(prompt).p50)} / ${ms(proof(prompt).p99)}`
  add(name, '<= 15 ms', `${ms(p50)} / ${ms(p99)} (${beside})`, p99 <= 15)
}

/** One flooder of each kind beside orders of another kitchen. */
async function floods(): Promise<void> {
  const measured = await measureFloods(quick ? 6 : 15)
  raw['floods'] = measured
  for (const { quiet, flooded } of measured) {
    const { name, p50, rssMb, logBytesAMinute, lost } = flooded
    const slower = p50 / quiet.p50
    const larger = rssMb / quiet.rssMb
    const log = logBytesAMinute / 1e6
    add(`flood of ${name}: first byte of others, p50 / quiet`, '<= 1.5 x', `${slower.toFixed(2)} x`, slower <= 1.5)
    add("the same: relay's memory / quiet", '<= 1.3 x', `${larger.toFixed(2)} x`, larger <= 1.3)
    add('the same: log a minute', '<= 1 MB', `${log.toFixed(2)} MB`, log <= 1)
    add('the same: orders without paper', '0', String(lost), lost === 0)
  }
}

/** The display of a five-year-old tablet. */
async function display(): Promise<void> {
  const what = `kitchen display in a browser at 1/${SLOWER} of its speed: an update of half of 60 tickets -> drawn, median`
  const run = await measureSlowTablet(quick ? 4 : 24)
  if (run === null) return add(what, '<= 60 ms', 'skipped: chromium is not installed', null)
  raw['display'] = run
  const value = median(run)
  add(what, '<= 60 ms', `${ms(value)} (slowest ${ms(Math.max(...run))})`, value <= 60)
}

async function storm(): Promise<void> {
  const run = await measureStorm(quick ? [200, 2_000] : [200, 2_000, 10_000], quick)
  raw['storm'] = run
  const many = (count: number): string => count.toLocaleString('en-US')
  const [first, ...larger] = run.returns
  for (const { gateways, backMs, attempts, hellos, waits } of run.returns) {
    const value = `${attempts.toFixed(2)} (${ms(backMs)}; ${hellos.toFixed(2)} hellos each, ${many(waits)} times told to wait)`
    const what = `${many(gateways)} gateways after kill -9 of the relay: connections a gateway until all are welcomed`
    add(what, '<= 1.2', value, attempts <= 1.2)
  }
  for (const { gateways, backMs } of larger) {
    const [each, few] = [backMs / gateways, (first?.backMs ?? Number.NaN) / (first?.gateways ?? 1)]
    const what = `time until all are welcomed, for each of ${many(gateways)} gateways / for each of ${many(first?.gateways ?? 0)}`
    add(what, '<= 1.2 x', `${(each / few).toFixed(2)} x (${ms(each)} to ${ms(few)})`, each / few <= 1.2)
  }
  const most = run.returns.at(-1)
  if (most) {
    const { gateways, kbPerGateway: kb, idleMsPerSecondPer1000: idle } = most
    add(
      `memory of the relay for each of ${many(gateways)} idle gateways`,
      '<= 100 kB',
      `${kb.toFixed(0)} kB`,
      kb <= 100,
    )
    const what = `processor of the relay for 1,000 of ${many(gateways)} idle gateways`
    add(what, '<= 5 ms/s', `${idle.toFixed(1)} ms/s`, idle <= 5)
    const { ratio, few, many: spread } = run.dispatch
    const ordered = `order -> at its gateway, p50, orders spread over ${many(gateways)} gateways / over ${many(first?.gateways ?? 0)}`
    add(ordered, '<= 2 x', `${ratio.toFixed(2)} x (${ms(spread)} to ${ms(few)})`, ratio <= 2)
  }
  const oneAddressMs = await measureOneAddress(60)
  raw['oneAddress'] = oneAddressMs
  add('60 gateways behind one address: all are welcomed', '<= 5 s', ms(oneAddressMs), oneAddressMs <= 5_000)
}

/** Two relays on one PostgreSQL database, of which one is killed. */
async function stormReplicas(): Promise<void> {
  const what = 'gateways of two relays after kill -9 of one'
  const returns = await measureReplicaStorm(quick ? [200, 2_000] : [200, 2_000, 10_000])
  if (returns === null) return add(what, '<= 1.2 x', "skipped: Debian's postgresql is not installed", null)
  raw['stormReplicas'] = returns
  const many = (count: number): string => count.toLocaleString('en-US')
  const [first, ...larger] = returns
  for (const { gateways, lost, backMs, attempts, waits } of returns) {
    const value = `${attempts.toFixed(2)} (${many(lost)} in ${ms(backMs)}; ${many(waits)} times told to wait)`
    add(`${many(gateways)} ${what}: connections of each that it had`, '<= 1.2', value, attempts <= 1.2)
  }
  for (const { gateways, lost, backMs } of larger) {
    const [each, few] = [backMs / lost, (first?.backMs ?? Number.NaN) / (first?.lost ?? 1)]
    const time = `time until all are welcomed by the other relay, for each of ${many(gateways)} / for each of ${many(first?.gateways ?? 0)}`
    add(time, '<= 1.2 x', `${(each / few).toFixed(2)} x (${ms(each)} to ${ms(few)})`, each / few <= 1.2)
  }
}

const parts = {
  latency,
  steady,
  slowDisk,
  events,
  listen: async () => addAll(await listenFigures(quick)),
  throughput,
  recovery,
  start,
  memory,
  mixed,
  million,
  relayStart,
  deadEndpoint,
  twelvePrinters,
  illPrinters,
  hostile,
  floods,
  render: async () => addAll(await renderFigures(quick)),
  display,
  slowDashboard: async () => addAll(await slowDashboardFigures(quick)),
  storm,
  engines: async () => addAll(await engineFigures(quick)),
  twoRelays: async () => addAll(await twoRelayFigures(quick)),
  stormReplicas,
  dashboards: async () => addAll(await openDashboardFigures(quick)),
  calls: async () => addAll(await callFigures(quick)),
}
const wanted = options.only?.split(',') ?? Object.keys(parts)
for (const name of wanted) {
  const part = parts[name as keyof typeof parts]
  if (!part) throw new Error(`--only ${name}: there is ${Object.keys(parts).join(', ')}`)
  console.log(`\n-- ${name}`)
  await part()
}

const table = toMarkdown(figures)
console.log(`\n${table}\n`)
mkdirSync(join(ROOT, 'bench-results'), { recursive: true })
const when = new Date().toISOString()
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
writeFileSync(
  join(ROOT, 'bench-results', 'latest.json'),
  JSON.stringify({ when, machine, quick, figures, raw }, null, 2),
)
if (options.readme) {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const sentence = `Measured on ${machine}, everything on this one machine, by \`npm run bench\`. The last column is the day and the commit of the run.`
  const at = `${when.slice(0, 10)} ${commit}`
  writeTables({ figures, at, machine: sentence, isPartial: options.only !== undefined }, ROOT)
}
process.exitCode = figures.some((figure) => figure.met === false) ? 1 : 0
