// The kitchens in turns with the floor: orders at a steady pace with and without open orders, with and without anybody looking.
import { systemClock } from '#shared/clock.ts'
import type { Floor } from './floor.ts'
import { allAtOnce } from './load.ts'
import type { Lookers } from './lookers.ts'
import type { MeasuredSite } from './measured-site.ts'
import { type Slice, slice } from './steady.ts'

/** Without open orders, and with 5,000 that wait for a printer that is switched off. */
export const KITCHENS = { empty: ['quiet', 'looking'], full: ['open', 'open-looking'] } as const
export type KitchenName = 'quiet' | 'looking' | 'open' | 'open-looking'

export const OPEN_ORDERS = 5_000
/** Orders of one slice. */
export const SLICE = 75
/** Orders that print push those that wait off the board, which holds 400: before each measurement as many come again. */
const TOP_UP = 400
const ARRIVE_CAP_MS = 60_000
const CALM_CAP_MS = 8_000
const CALM_LOOK_MS = 400
/** Processor time of a program in a look, at which it has nothing more to do than it always has. */
const CALM_MS = 20

export interface Kitchens {
  floor: Floor
  site: MeasuredSite
  lookers: Lookers
}

export interface Rounds {
  /** It begins and ends with the floor. */
  floors: Slice[]
  ours: Partial<Record<KitchenName, Slice[]>>
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

/** @param names of kitchens that have the same orders open, in turns with the floor */
export async function measureRounds(
  kitchens: Kitchens,
  names: readonly KitchenName[],
  rounds: number,
  said: (text: string) => void,
): Promise<Rounds> {
  const measured: Rounds = { floors: [], ours: {} }
  const { floors, ours } = measured
  for (let round = 1; round <= rounds; round++) {
    floors.push(await slice(kitchens.floor, SLICE))
    const now: string[] = []
    for (const name of names) {
      const one = await inKitchen(kitchens, name, (site) => slice(site, SLICE))
      ours[name] = [...(ours[name] ?? []), one]
      now.push(`${name} ${one.gatewayMs.toFixed(2)}`)
    }
    said(`gateway, CPU ms an order: ${now.join(', ')}; floor ${floors.at(-1)?.gatewayMs.toFixed(2)}`)
  }
  floors.push(await slice(kitchens.floor, SLICE))
  return measured
}

/** Makes the kitchen so, measures, and leaves it. The 5,000 orders are there already. */
export async function inKitchen<T>(
  { site, lookers }: Omit<Kitchens, 'floor'>,
  name: KitchenName,
  measure: (site: MeasuredSite) => Promise<T>,
): Promise<T> {
  const isLookedAt = name === 'looking' || name === 'open-looking'
  if (name === 'open') await fill(site, TOP_UP)
  if (isLookedAt) await lookers.look()
  try {
    return await measure(site)
  } finally {
    if (isLookedAt) await lookers.leave()
  }
}
