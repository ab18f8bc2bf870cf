// The four kitchens in turns with the floor: orders at a steady pace with and without open orders, with and without anybody looking.
import { systemClock } from '#shared/clock.ts'
import type { Floor } from './floor.ts'
import { allAtOnce, asPrinted } from './load.ts'
import type { Lookers } from './lookers.ts'
import type { MeasuredSite } from './measured-site.ts'
import { type Slice, slice } from './steady.ts'

export const KITCHENS = ['quiet', 'looking', 'open', 'open-looking'] as const
export type KitchenName = (typeof KITCHENS)[number]

export const OPEN_ORDERS = 5_000
export const WARM_UP_ORDERS = 1_000
/** Orders of one slice. */
const SLICE = 75
/** Orders that print push those that wait off the board, which holds 400: before each measurement as many come again. */
const TOP_UP = 400
const WARM_UP_CAP_MS = 25_000
const ARRIVE_CAP_MS = 60_000
const CALM_CAP_MS = 8_000
const CALM_LOOK_MS = 400
/** Processor time of a program in a look, at which it has nothing more to do than it always has. */
const CALM_MS = 20

export interface Kitchens {
  floor: Floor
  /** Nothing waits here. */
  empty: MeasuredSite
  /** Here 5,000 orders wait for a printer that is switched off. */
  full: MeasuredSite
  lookers: { empty: Lookers; full: Lookers }
}

export interface Rounds {
  /** One more than rounds: it begins and ends with the floor. */
  floors: Slice[]
  ours: Record<KitchenName, Slice[]>
}

/** Not measured: code becomes warm, and the board full of printed orders. @returns orders printed at the empty kitchen */
export async function warmUp({ floor, empty, full }: Pick<Kitchens, 'floor' | 'empty' | 'full'>): Promise<number> {
  const [printed] = await Promise.all([
    asPrinted(empty, WARM_UP_ORDERS, WARM_UP_CAP_MS),
    asPrinted(full, WARM_UP_ORDERS / 2, WARM_UP_CAP_MS),
  ])
  await slice(floor, 2 * SLICE)
  return printed
}

/** Orders for the printer that is switched off, until the gateway has them all. */
export async function fill(site: MeasuredSite, count: number): Promise<void> {
  const stood = await site.waiting()
  await allAtOnce(site, count, (token) => site.waitingBody(token))
  const endAt = performance.now() + ARRIVE_CAP_MS
  while ((await site.waiting()) < stood + count) {
    if (performance.now() > endAt)
      throw new Error(`of ${count} orders ${(await site.waiting()) - stood} arrived at the gateway`)
    await systemClock.sleep(100)
  }
  await calm(site)
}

/** Waits until both programs of the site have done what they had to do, or gives up: then that is part of what is measured. */
export async function calm({ gateway, relay }: MeasuredSite): Promise<void> {
  const endAt = performance.now() + CALM_CAP_MS
  while (performance.now() < endAt) {
    const before = [gateway.cpuMs(), relay.cpuMs()]
    await systemClock.sleep(CALM_LOOK_MS)
    const [ofGateway = 0, ofRelay = 0] = [gateway.cpuMs(), relay.cpuMs()].map((ms, index) => ms - (before[index] ?? 0))
    if (ofGateway < CALM_MS && ofRelay < CALM_MS) return
  }
}

export async function measureRounds(kitchens: Kitchens, rounds: number, said: (text: string) => void): Promise<Rounds> {
  const measured: Rounds = { floors: [], ours: { quiet: [], looking: [], open: [], 'open-looking': [] } }
  const { floors, ours } = measured
  for (let round = 1; round <= rounds; round++) {
    floors.push(await slice(kitchens.floor, SLICE))
    for (const name of KITCHENS) ours[name].push(await inKitchen(kitchens, name, (site) => slice(site, SLICE)))
    const now = (name: KitchenName): string => (ours[name].at(-1)?.gatewayMs ?? Number.NaN).toFixed(2)
    said(
      `round ${round}: gateway, CPU ms an order: ${KITCHENS.map((name) => `${name} ${now(name)}`).join(', ')}; floor ${floors.at(-1)?.gatewayMs.toFixed(2)}`,
    )
  }
  floors.push(await slice(kitchens.floor, SLICE))
  return measured
}

/** Makes the kitchen so, measures, and leaves it as it was. */
export async function inKitchen<T>(
  kitchens: Kitchens,
  name: KitchenName,
  measure: (site: MeasuredSite) => Promise<T>,
): Promise<T> {
  const which = name === 'open' || name === 'open-looking' ? 'full' : 'empty'
  const isLookedAt = name === 'looking' || name === 'open-looking'
  const site = kitchens[which]
  const lookers = kitchens.lookers[which]
  if (name === 'open') await fill(site, TOP_UP)
  if (isLookedAt) await lookers.look()
  try {
    return await measure(site)
  } finally {
    if (isLookedAt) await lookers.leave()
  }
}
