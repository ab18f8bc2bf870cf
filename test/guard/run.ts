// npm run guard: measures in a few minutes what an order, a backlog, an evening and a screen cost, as ratios beside the bench's bare floor,
// and fails when a limit of limits.ts is crossed, naming the part. --programs FOLDER measures the programs of another checkout; --only PART[,PART];
// --reached writes what was reached into limits.ts. docs/speed.md says how to read it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import { Blame } from './blame.ts'
import { buildPages, measureBrowser, whyNoBrowser } from './browser.ts'
import { type Drain, drain } from './drain.ts'
import { Floor } from './floor.ts'
import { HeapGuard } from './heap.ts'
import {
  besideReference,
  failuresOf,
  type Judged,
  judge,
  lineOf,
  partOfFigure,
  quickerHalf,
  reasonOf,
  tableOf,
  withReached,
} from './judge.ts'
import { type FigureName, REFERENCE } from './limits.ts'
import { asPrinted } from './load.ts'
import { Lookers } from './lookers.ts'
import { MeasuredSite } from './measured-site.ts'
import { type GuardOptions, guardOptions, type Part, USAGE } from './options.ts'
import { inTurns } from './pairs.ts'
import { measureByItsGuard, withReference } from './reference.ts'
import { fill, KITCHENS, type Kitchens, measureRounds, OPEN_ORDERS, SLICE } from './rounds.ts'
import { sealSamples } from './seals.ts'
import { type Slice, slice, unprinted } from './steady.ts'

const HERE = new URL('../../', import.meta.url).pathname
const ROUNDS = 6
const BROWSER_ROUNDS = 16
const SEAL_SAMPLES = 10
const SHORT = 60
const LONG = 1_000
const SHORT_DRAINS = 6
const LONG_DRAINS = 3
const DRAIN_CAP_MS = 30_000
/** With fewer, memory has had no time to grow. */
const LEAST_HEAP_ORDERS = 3_000
const WARM_UP = 1_000
const WARM_UP_CAP_MS = 15_000
const CROWD = { displays: 4, pages: 2 }

const { root, parts: wanted, reached, reference } = options()
const startedAt = performance.now()
let judged: Judged[] = []
const skipped: string[] = []
/** What did not happen as it was meant to while something was measured. */
const flaws: string[] = []
/** Lines that name the parts behind what was crossed. */
const parts = new Map<FigureName, string[]>()
const raw: Record<string, unknown> = {}

function say(text: string): void {
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${text}`)
}

function add(...args: Parameters<typeof judge>): void {
  const figure = judge(...args)
  judged.push(figure)
  say(lineOf(figure))
}

function mustBePrinted(slices: readonly Slice[], kitchen: string): void {
  const lost = unprinted(slices)
  if (lost > 0) flaws.push(`${lost} orders of "${kitchen}" were not on paper in time`)
}

async function rounds(kitchens: Kitchens, which: keyof typeof KITCHENS): Promise<void> {
  const { floors, ours } = await measureRounds(kitchens, KITCHENS[which], ROUNDS, say)
  raw[which] = { floors, ours }
  mustBePrinted(floors, 'floor')
  for (const kitchen of KITCHENS[which]) {
    const slices = ours[kitchen] ?? []
    mustBePrinted(slices, kitchen)
    const column = (of: Slice[], name: keyof Slice): number[] => of.map((one) => one[name])
    add(`gateway.${kitchen}`, column(slices, 'gatewayMs'), column(floors, 'gatewayMs'))
    add(`relay.${kitchen}`, column(slices, 'relayMs'), column(floors, 'relayMs'))
    if (kitchen !== 'quiet') continue
    add('first-byte', column(slices, 'firstByteMs'), column(floors, 'firstByteMs'))
    seals(slices)
  }
}

/** The seals are part of what was measured: an order without them is what is left. */
function seals(slices: readonly Slice[]): void {
  const sealMs = quickerHalf(sealSamples(SEAL_SAMPLES))
  raw['seals'] = { sealMs }
  const orders = slices.map(({ gatewayMs, relayMs }) => gatewayMs + relayMs)
  add(
    'link.seals',
    orders,
    orders.map((ms) => ms - sealMs),
  )
}

/** @returns whether one was cut off: then its kitchen still prints for a while. */
async function drains({ floor, site }: Kitchens): Promise<boolean> {
  const floors: { backlog: Drain; order: Slice }[] = []
  const measureFloor = async (): Promise<void> => {
    const backlog = await drain(floor, LONG, DRAIN_CAP_MS)
    floors.push({ backlog, order: await slice(floor, SLICE) })
  }
  const shorts: Drain[] = []
  for (let turn = 0; turn < SHORT_DRAINS; turn++) {
    await measureFloor()
    shorts.push(await drain(site, SHORT, DRAIN_CAP_MS))
  }
  const longs: Drain[] = []
  // One that is cut off is known to be slow: not again.
  while (longs.length < LONG_DRAINS && !longs.some(isCutOff)) {
    longs.push(await drain(site, LONG, DRAIN_CAP_MS))
    say(`a backlog of ${LONG}: ${longs.at(-1)?.wallMs.toFixed(2)} ms a ticket, ${longs.at(-1)?.counted} counted`)
    await measureFloor()
  }
  raw['drain'] = { floors, shorts, longs }
  const orders = floors.map(({ order }) => order)
  mustBePrinted(orders, 'floor')
  const cpu = (runs: readonly { gatewayMs: number }[]): number[] => runs.map(({ gatewayMs }) => gatewayMs)
  const wall = (runs: Drain[]): number[] => runs.map(({ wallMs }) => wallMs)
  add('drain.60', cpu(shorts), cpu(orders))
  add('drain.1000', cpu(longs), cpu(orders))
  // What the floor's backlog waits for is the disk and the printer; what an order of it computes says how quick this machine is.
  add(
    'drain.wall',
    wall(longs),
    floors.map(({ backlog, order }) => backlog.wallMs + order.gatewayMs),
  )
  add('drain.length', wall(longs), wall(shorts))
  for (const { backlog, counted } of [...floors.map((one) => one.backlog), ...shorts, ...longs].filter(isCutOff))
    flaws.push(`of a backlog of ${backlog} only ${counted + 1} were on paper after ${DRAIN_CAP_MS / 1_000} s`)
  return [...shorts, ...longs].some(isCutOff)
}

function isCutOff({ backlog, counted }: Drain): boolean {
  return counted < backlog - 1
}

async function heap(guard: HeapGuard): Promise<void> {
  const grown = await guard.end()
  raw['heap'] = grown
  const { ordersBefore, ordersAfter } = grown
  say(`heap after ${ordersBefore} and after ${ordersAfter} orders`)
  if (ordersAfter < LEAST_HEAP_ORDERS)
    flaws.push(`the heap was read after ${ordersAfter} orders: at least ${LEAST_HEAP_ORDERS} were to be printed`)
  for (const program of ['gateway', 'relay'] as const) {
    const { before, after } = grown[program]
    add(`heap.${program}`, [after / 1e6], [before / 1e6], 'MB')
  }
  for (const figure of crossed('heap.'))
    parts.set(figure.name, guard.partOf(figure.name === 'heap.relay' ? 'relay' : 'gateway'))
}

async function browser(): Promise<void> {
  const reason = whyNoBrowser()
  if (reason !== null) {
    skipped.push(`browser.update: ${reason}`)
    say(`SKIPPED ${skipped.at(-1)}`)
    return
  }
  const site = await MeasuredSite.start(root)
  try {
    const update = await measureBrowser(site, BROWSER_ROUNDS)
    raw['browser'] = update
    const { page } = update
    add('browser.update', update.pageMs, update.referenceMs)
    const split = `script ${page.script.toFixed(1)}, style ${page.style.toFixed(1)}, layout ${page.layout.toFixed(1)} ms`
    for (const figure of crossed('browser.'))
      parts.set(figure.name, [
        '  PART: gateway/web/kitchen',
        `  of ${page.all.toFixed(1)} ms: ${split}, the rest is painting`,
      ])
  } finally {
    await site.stop()
  }
}

function crossed(prefix = ''): Judged[] {
  return judged.filter(({ name, isCrossed }) => isCrossed && name.startsWith(prefix))
}

async function programs(): Promise<void> {
  const [floor, site] = await Promise.all([Floor.start(), MeasuredSite.start(root)])
  const kitchens: Kitchens = { floor, site, lookers: await Lookers.of(site, CROWD) }
  try {
    say('started: the first thousand orders')
    const guard = await HeapGuard.begin(site)
    // What follows is measured on a program that has been in use for an evening: its code is compiled.
    await heap(guard)
    const blame = new Blame(kitchens)
    if (wanted.has('drain')) {
      const isBehind = await drains(kitchens)
      if (isBehind) await openAnother(kitchens)
      await blame.prepare(crossed('drain.'))
      await nameParts(blame, 'drain.')
      if (isBehind && wanted.has('rounds')) await openAnother(kitchens)
    }
    if (!wanted.has('rounds')) return
    await rounds(kitchens, 'empty')
    await nameParts(blame)
    await blame.prepare([{ name: 'gateway.open' }, { name: 'relay.open' }])
    await fill(kitchens.site, OPEN_ORDERS)
    say(`${OPEN_ORDERS} orders wait`)
    await rounds(kitchens, 'full')
    await nameParts(blame)
  } finally {
    flaws.push(...new Set(kitchens.lookers.blind))
    await Promise.all([floor.stop(), kitchens.site.stop()])
  }
}

/** A kitchen that cannot keep up would be measured by what it still has to print: another one takes its place. */
async function openAnother(kitchens: Kitchens): Promise<void> {
  say('a backlog was cut off: what follows is measured on another kitchen')
  flaws.push(...new Set(kitchens.lookers.blind))
  await kitchens.site.stop()
  kitchens.site = await MeasuredSite.start(root)
  kitchens.lookers = await Lookers.of(kitchens.site, CROWD)
  await asPrinted(kitchens.site, WARM_UP, WARM_UP_CAP_MS)
}

/** Of what has been crossed and has no name yet, while the kitchen is still as it was. */
async function nameParts(blame: Blame, prefix = ''): Promise<void> {
  for (const figure of crossed(prefix)) {
    if (!parts.has(figure.name)) parts.set(figure.name, await partOf(blame, figure))
  }
}

/** That a part could not be named changes nothing of the figure. */
async function partOf(blame: Blame, figure: Judged): Promise<string[]> {
  try {
    return await blame.of(figure)
  } catch (error) {
    return [`  PART: could not be found out: ${error}`]
  }
}

async function judgeBesideReference(): Promise<void> {
  const asked = new Set(crossed().map(({ name }) => partOfFigure(name)))
  if (asked.size === 0) return
  console.log(`\n${tableOf(judged)}\n\nWhat is crossed is measured on the tree of the limits (${REFERENCE}), too:\n`)
  try {
    judged = besideReference(judged, await withReference(HERE, REFERENCE, (folder) => reachedThere(folder, asked)))
  } catch (error) {
    say(`the tree of the limits was not measured: ${error instanceof Error ? error.message : error}`)
    return
  }
  console.log('\nBeside the tree of the limits:')
  for (const figure of judged) if (asked.has(partOfFigure(figure.name))) say(lineOf(figure))
}

/** The kitchens of both trees in turns; backlogs, heap and browser by the guard of that tree. */
async function reachedThere(folder: string, asked: ReadonlySet<Part>): Promise<Judged[]> {
  const others = new Set([...asked].filter((part) => part !== 'rounds'))
  const reached = others.size > 0 ? measureByItsGuard(folder, others) : []
  if (!asked.has('rounds')) return reached
  const sides = { ours: root, reference: join(folder, '/') }
  return [...reached, ...(await inTurns(crossed(), { ...sides, rounds: ROUNDS, crowd: CROWD, said: say }))]
}

function heading({ name, value, limit }: Judged): string {
  const { what } = reasonOf(name)
  return `${what}: ${value.toFixed(2)}, the limit is ${limit.toFixed(2)}`
}

function options(): GuardOptions {
  try {
    return guardOptions(process.argv.slice(2), HERE)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exit(2)
  }
}

// What was started ends with this program.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

buildPages(root)
if ([...wanted].some((part) => part !== 'browser')) await programs()
if (wanted.has('browser')) await browser()
if (reference) await judgeBesideReference()
console.log(`\n${tableOf(judged)}\n${skipped.map((text) => `  SKIPPED  ${text}\n`).join('')}`)
for (const figure of crossed()) {
  const lines = parts.get(figure.name) ?? []
  if (lines.length > 0) console.log([heading(figure), ...lines].join('\n'))
}
mkdirSync(join(HERE, 'bench-results'), { recursive: true })
const when = new Date(systemClock.now()).toISOString()
writeFileSync(
  join(HERE, 'bench-results/guard.json'),
  JSON.stringify(
    { when, root, node: process.version, judged, skipped, flaws, parts: Object.fromEntries(parts), raw },
    null,
    2,
  ),
)
if (reached) {
  const file = join(HERE, 'test/guard/limits.ts')
  writeFileSync(file, withReached(readFileSync(file, 'utf8'), judged))
}
const failures = failuresOf({ asked: wanted, judged, skipped, flaws }, process.env['CI'] === 'true')
console.log(failures.map((text) => `\nFAILED: ${text}`).join('') || '\nAll within their limits.')
process.exit(failures.length > 0 ? 1 : 0)
