// What a gateway prepares after its start: the letters of its last tickets, and nothing if nothing was drawn.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import { systemClock } from '#shared/clock.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import type { Bitmap } from '#shared/tickets/bitmap.ts'
import type { RasterRequest } from '#shared/tickets/text-raster.ts'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { Rehearsal } from './rehearsal.ts'

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore()
})
afterEach(async () => {
  await core.stop()
})

function accept(jobId: string, name: string): void {
  core.accept(jobId, { order: { items: [{ umsId: 'u', name, qty: 1, modifiers: [], station: null }] } })
}

/** Records its requests. Each drawing waits until it is released. */
class WaitingRaster {
  /** Draws nothing, so the caller continues at once. */
  isOpen = false
  readonly asked: string[] = []
  /** Resolves with the first drawing. */
  readonly begun = Promise.withResolvers<void>()
  readonly #gates: PromiseWithResolvers<void>[] = []

  async draw(requests: readonly RasterRequest[]): Promise<readonly Bitmap[]> {
    this.asked.push(requests.map(({ line }) => line.runs.map((run) => run.text).join('')).join('|'))
    const gate = Promise.withResolvers<void>()
    this.#gates.push(gate)
    this.begun.resolve()
    if (!this.isOpen) await gate.promise
    throw new Error('Nothing comes out of this one')
  }

  async missing(): Promise<ReadonlyMap<string, string>> {
    return new Map()
  }

  letThrough(): void {
    this.#gates.at(-1)?.resolve()
  }
}

function rehearsalWith(raster: ResvgRaster | WaitingRaster): Rehearsal {
  const { printers, relayTime: time } = core
  return new Rehearsal({ contents: new TicketContentStore(core.db), printers, raster, time })
}

async function rehearsed(raster: ResvgRaster): Promise<void> {
  const rehearsal = rehearsalWith(raster)
  await rehearsal.start()
  await rehearsal.ended
}

it('draws the text of the last tickets, so that the worker runs when the next one arrives', async () => {
  accept('pj_1', 'Burger')
  accept('pj_2', '宫保鸡丁')
  const raster = new ResvgRaster({ clock: systemClock })
  await rehearsed(raster)
  expect(raster.isWorkerRunning).toBe(true)
  await raster.stop()
})

it('starts no worker if the printers had every letter', async () => {
  accept('pj_1', 'Burger')
  const raster = new ResvgRaster({ clock: systemClock })
  await rehearsed(raster)
  expect(raster.isWorkerRunning).toBe(false)
  await raster.stop()
})

it('lays out one ticket at a time, the newest first, and none after it is stopped', async () => {
  accept('pj_1', '一')
  accept('pj_2', '二')
  accept('pj_3', '三')
  const raster = new WaitingRaster()
  const rehearsal = rehearsalWith(raster)
  await rehearsal.start()
  await raster.begun.promise
  expect(raster.asked).toEqual([' 1   三'])
  const stopped = rehearsal.stop()
  raster.letThrough()
  await stopped
  expect(raster.asked).toHaveLength(1)
})

it('takes nothing from the queue and sends nothing', async () => {
  accept('pj_1', '宫保鸡丁')
  const raster = new ResvgRaster({ clock: systemClock })
  await rehearsed(raster)
  expect(core.queue.snapshot().queue).toMatchObject({ queued: 1 })
  expect(core.transport('grill').sent).toEqual([])
  await raster.stop()
})

describe('a printer without any ticket', () => {
  const drawsAll = { ...GRILL, name: 'Bar', port: 9102, profileId: 'star-raster', stations: ['bar'] }

  /** What a printer that draws everything gets. */
  async function drawnAtStart(prints?: string): Promise<string> {
    await core.stop()
    core = new GatewayCore([drawsAll])
    if (prints !== undefined) accept('pj_1', prints)
    const raster = new WaitingRaster()
    raster.isOpen = true
    const rehearsal = rehearsalWith(raster)
    await rehearsal.start()
    await rehearsal.ended
    return raster.asked.join('|')
  }

  it('lays out a sample order, so that all code has run before the first order', async () => {
    expect(await drawnAtStart()).toContain('Model dish')
  })

  it('does not use the sample if it has tickets', async () => {
    const drawn = await drawnAtStart('Burger')
    expect(drawn).toContain('Burger')
    expect(drawn).not.toContain(
      'prints and stores nothing of it, and starts no worker for it if the printer has every letter',
    )
  })

  it('prints nothing of it, stores nothing of it, and starts no worker for it where the printer has every letter', async () => {
    const raster = new ResvgRaster({ clock: systemClock })
    await rehearsed(raster)
    expect(raster.isWorkerRunning).toBe(false)
    expect(core.queue.snapshot().queue).toMatchObject({ queued: 0 })
    expect(core.db.sqlite.prepare('select count(*) as n from jobs').get()).toEqual({ n: 0 })
    await raster.stop()
  })
})
