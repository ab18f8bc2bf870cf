// What a ticket costs before its first byte: layout and encoding, and drawing text that the printer has no characters for. Alone: node test/bench/render.ts
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemClock } from '#shared/clock.ts'
import { type KitchenOrder, kitchenOrder } from '#shared/order.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { type JobTicketInput, renderJobTicket } from '#shared/tickets/render-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { type Figure, median, ms, toMarkdown } from './figures.ts'

const PROFILE = profileById('epson-thermal-203')
const NOW_MS = Date.UTC(2026, 10, 21, 18, 2, 0)

const PLAIN = ['Cheeseburger “Ñandú”', 'Crème brûlée', 'Jalapeño poppers', 'Schnitzel mit Pommes', 'Caesar salad €5']
const FOREIGN = ['شاورما دجاج', 'שניצל עם צ׳יפס', 'ต้มยำกุ้ง', '宫保鸡丁', 'カレーうどん 🥜']

/** Asks this program for the first drawing of a new one. */
const FIRST = '--first'

/** About 30 lines on paper. */
function orderOf(names: readonly string[], notes: readonly string[]): KitchenOrder {
  const items = Array.from({ length: 8 }, (_, i) => ({
    umsId: `u${i}`,
    name: names[i % names.length] ?? '',
    qty: i + 1,
    modifiers: [
      { umsId: 'm', name: 'sin cebolla' },
      { umsId: 'n', name: 'extra queso' },
    ].slice(0, i % 3),
    note: notes[i % notes.length] ?? '',
    station: 'grill',
  }))
  return kitchenOrder.parse({
    ...{ serviceOrderId: 'ord_1', orderId: 'WEB-1042', merchantId: 'M-1', locationId: 'loc_1', source: 'PICKUP' },
    ...{ posOrderId: '20261121-042', queuedAtMs: NOW_MS, timeZone: 'Europe/Madrid', items },
  })
}

function inputOf(order: KitchenOrder): JobTicketInput {
  return {
    doc: { kind: 'order', order },
    part: { printerId: 'grill', station: 'grill', items: order.items.map((_, i) => i), alsoAt: [] },
    kind: 'order',
    printerName: 'Grill',
    marks: { possibleDuplicate: false, lateSinceMs: null },
    ticketLabel: '8F3A-1',
    attempt: 1,
    nowMs: NOW_MS,
  }
}

const PLAIN_TICKET = inputOf(orderOf(PLAIN, ['well done, please', '']))
/** Six lines of it are drawn. */
const FOREIGN_TICKET = inputOf(orderOf([...FOREIGN, ...PLAIN], ['well done, please', '']))
/** One line of it is drawn, and no letter of that is in the other. */
const OTHER_TICKET = inputOf(orderOf([...PLAIN, 'ჰ'], ['']))

async function timed(input: JobTicketInput, raster: TextRaster | null): Promise<number> {
  const startedMs = performance.now()
  await renderJobTicket(input, PROFILE, raster)
  return performance.now() - startedMs
}

async function times<T>(count: number, one: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let i = 0; i < count; i++) all.push(await one())
  return all
}

/** A program's first drawn ticket in milliseconds, and the program's memory in bytes before it and with the worker running. */
interface First {
  readonly tookMs: number
  readonly beforeBytes: number
  readonly withBytes: number
}

/** In a program of its own: an engine that has drawn once draws faster in all later workers, and memory is not given back. */
async function fromNothing(): Promise<First> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, FIRST])
  return JSON.parse(stdout) as First
}

/** The first drawn ticket of a program: with the start of the worker and of its engine, the reading of the fonts, and the drawing. */
async function first(): Promise<First> {
  await times(200, () => timed(PLAIN_TICKET, null))
  const beforeBytes = process.memoryUsage().rss
  const raster = new ResvgRaster({ clock: systemClock })
  const tookMs = await timed(FOREIGN_TICKET, raster)
  const withBytes = process.memoryUsage().rss
  await raster.stop()
  return { tookMs, beforeBytes, withBytes }
}

/** The worker has ended because nothing was to draw for a while; what comes then is new. */
async function afterIdleness(): Promise<number> {
  const raster = new ResvgRaster({ clock: systemClock, idleMs: 1 })
  await timed(OTHER_TICKET, raster)
  while (raster.isWorkerRunning) await systemClock.sleep(5)
  const took = await timed(FOREIGN_TICKET, raster)
  await raster.stop()
  return took
}

/** The worker runs; fonts, letters and words are all new to it. */
async function newText(): Promise<number> {
  const raster = new ResvgRaster({ clock: systemClock })
  await timed(OTHER_TICKET, raster)
  const took = await timed(FOREIGN_TICKET, raster)
  await raster.stop()
  return took
}

export async function renderFigures(quick = false): Promise<Figure[]> {
  await times(200, () => timed(PLAIN_TICKET, null))
  const plain = median(await times(quick ? 300 : 2_000, () => timed(PLAIN_TICKET, null)))
  const firsts = await times(quick ? 3 : 9, fromNothing)
  const middle = (of: (first: First) => number) => median(firsts.map(of))
  const idle = median(await times(quick ? 3 : 9, afterIdleness))
  const cold = median(await times(quick ? 3 : 9, newText))
  const raster = new ResvgRaster({ clock: systemClock })
  await times(50, () => timed(FOREIGN_TICKET, raster))
  const warm = median(await times(quick ? 200 : 1_000, () => timed(FOREIGN_TICKET, raster)))
  await raster.stop()
  return [
    figure('layout and encoding of a 30-line ticket, p50', '<= 1 ms', plain, 1),
    figure('the same with six lines drawn, worker running, all letters new, p50', '<= 60 ms', cold, 60),
    figure('the same, letters and words drawn before, p50', '<= 15 ms', warm, 15),
    beside('the same, the worker having ended after idleness: its start included, p50', ms(idle)),
    beside(
      'the same, first drawing of the program: start of worker and engine included, p50',
      ms(middle((one) => one.tookMs)),
    ),
    beside(
      'memory of that program with the drawing worker running / before',
      `${megabytes(middle((one) => one.withBytes))} / ${megabytes(middle((one) => one.beforeBytes))}`,
    ),
  ]
}

function figure(name: string, goal: string, valueMs: number, limitMs: number): Figure {
  return { name, goal, value: ms(valueMs), met: valueMs <= limitMs }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

function beside(name: string, value: string): Figure {
  return { name, goal: 'measured beside', value, met: null }
}

if (import.meta.main)
  console.log(process.argv.includes(FIRST) ? JSON.stringify(await first()) : toMarkdown(await renderFigures()))
