// What ten thousand orders leave in memory: the heap of both programs after a collection, early and late, and which files made what stays.

import { linesOf } from './blame.ts'
import type { Inspector } from './inspector.ts'
import { asPrinted } from './load.ts'
import type { MeasuredSite } from './measured-site.ts'
import { heapShares, nameGrowth, type Shares, workOf } from './profile-files.ts'
import { calm } from './rounds.ts'

const ORDERS = 10_000
const FIRST_ORDERS = 1_000
const CAP_MS = 40_000
const NAMES = ['gateway', 'relay'] as const
type ProgramName = (typeof NAMES)[number]

export interface HeapGrowth {
  ordersBefore: number
  /** Fewer than 10,000 when the time was up. */
  ordersAfter: number
  gateway: { before: number; after: number }
  relay: { before: number; after: number }
}

export class HeapGuard {
  readonly #site: MeasuredSite
  readonly #ordersBefore: number
  readonly #before: Readonly<Record<ProgramName, number>>
  readonly #made = new Map<ProgramName, Shares>()

  private constructor(site: MeasuredSite, ordersBefore: number, before: Record<ProgramName, number>) {
    this.#site = site
    this.#ordersBefore = ordersBefore
    this.#before = before
  }

  /** The first reading, after a thousand orders: code is loaded, the board is full. */
  static async begin(site: MeasuredSite): Promise<HeapGuard> {
    const orders = await asPrinted(site, FIRST_ORDERS, CAP_MS)
    await calm(site)
    return new HeapGuard(site, orders, await heapsOf(site))
  }

  /** Orders until there are 10,000, and the second reading. */
  async end(): Promise<HeapGrowth> {
    const site = this.#site
    const sampled = await Promise.all(NAMES.map((name) => site[name].inspect()))
    for (const inspector of sampled) await inspector.startHeapSampling()
    const printed = await asPrinted(site, ORDERS - site.paper.tickets.size, CAP_MS)
    await calm(site)
    const after = await heapsOf(site)
    for (const [index, inspector] of sampled.entries()) await this.#keep(NAMES[index] ?? 'gateway', inspector, printed)
    const grown = (name: ProgramName) => ({ before: this.#before[name], after: after[name] })
    return {
      ordersBefore: this.#ordersBefore,
      ordersAfter: site.paper.tickets.size,
      gateway: grown('gateway'),
      relay: grown('relay'),
    }
  }

  /** Lines that name the file whose work has left most. */
  partOf(program: ProgramName): string[] {
    const made: Shares = this.#made.get(program) ?? new Map()
    const where = `${program}: of what it made since the first reading ${workOf(made).toFixed(0)} bytes an order are still there`
    return linesOf(nameGrowth(new Map(), made), where, 'bytes')
  }

  async #keep(program: ProgramName, inspector: Inspector, orders: number): Promise<void> {
    this.#made.set(program, heapShares(await inspector.stopHeapSampling(), this.#site.root, orders))
    inspector.close()
  }
}

async function heapsOf(site: MeasuredSite): Promise<Record<ProgramName, number>> {
  const heaps = { gateway: 0, relay: 0 }
  for (const name of NAMES) {
    const inspector = await site[name].inspect()
    heaps[name] = await inspector.heapBytes()
    inspector.close()
  }
  return heaps
}
