// An order as the blocks of its ticket: what a display shows of it, in pieces that the layout may split. Pure.
import { listed } from '#shared/ui/isolation.ts'
import type { BoardAllergy, BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'
import type { BlockKind } from './board-layout.ts'
import {
  allergyBanners,
  isChangeUnseen,
  isExpo,
  isHeldLine,
  isLineDone,
  isNobodys,
  nextStep,
  ownPlaces,
  ownStations,
  type Viewer,
} from './board-view.ts'
import { isUnreadable } from './readable-order.ts'

/** The content of one block. Whether a line is struck never changes its height. */
export type BlockContent =
  | { is: 'head' }
  /** `lines`: how many were voided, if not all of them are shown. */
  | { is: 'banner'; tone: 'test' | 'void' | 'change' | 'paper'; word: BannerWord; text: string; lines?: number }
  | { is: 'order-allergy'; words: string; dishes: readonly BoardAllergy[] }
  | { is: 'order-note'; text: string; opens: boolean; closes: boolean }
  | { is: 'course'; course: number; isHeld: boolean }
  /** `isAlone`: it has no modifiers or notes. */
  | { is: 'line'; place: number; line: BoardLine; nobodys: string | null; isAlone: boolean }
  /** `isLast`: the last of its line. */
  | { is: 'modifier'; place: number; does: ModifierDoes; sign: string; words: string; isLast: boolean }
  | { is: 'line-note'; place: number; text: string; opens: boolean; closes: boolean; isLast: boolean }
  | { is: 'line-allergy'; place: number; words: readonly string[]; isLast: boolean }
  | { is: 'stations'; isAll: boolean; stations: readonly StationProgress[] }
  /** `more`: lines that are shown only when it is open. */
  | { is: 'fold'; more: number; isOpen: boolean }
  | { is: 'foot'; buttons: 'void-seen' | 'change-seen' | 'step' }

export type BannerWord = 'test' | 'voided' | 'addOn' | 'changedBy' | 'recalled' | 'notPrinted' | 'notDrawn'
export type ModifierDoes = 'remove' | 'instead' | 'side' | 'more' | 'less' | 'add' | 'plain'

export interface StationProgress {
  key: string
  /** '': lines without a station. */
  name: string
  done: number
  lines: number
  isReady: boolean
  isStarted: boolean
}

export interface TicketBlock {
  kind: BlockKind
  /** Blocks with the same key have the same height in columns of the same width. */
  key: string
  content: BlockContent
}

/** Longer texts are split, so that a note of any length fits some columns. */
const MOST_LETTERS = 120
const MOST_DISHES = 5

/** @param addOns numbers of the open orders that add to this one; '': none */
export function blocksOf(order: BoardOrder, viewer: Viewer, addOns: string): TicketBlock[] {
  return [
    headOf(order, viewer),
    ...bannersOf(order, addOns),
    ...(isUnreadable(order) ? [] : [...linesOf(order, viewer), ...stationsOf(order, viewer)]),
    ...footOf(order, viewer),
  ]
}

/** `1-4`, `1, 3`: the seats of the lines that this display shows; '': none has one. */
export function seatsOf(order: BoardOrder, viewer: Viewer, comma = ', '): string {
  const seats = [...new Set(ownPlaces(order, viewer).flatMap(({ line }) => line.seat ?? []))].sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const seat of seats) {
    const last = ranges[ranges.length - 1]
    if (last && last[1] === seat - 1) last[1] = seat
    else ranges.push([seat, seat])
  }
  return listed(
    ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)),
    comma,
  )
}

/** By the sign before it, as on paper. */
export function modifierOf(modifier: string): { does: ModifierDoes; sign: string; words: string } {
  const [, sign = '', words = modifier] = /^(-|<>|\/\/|\+\+|\+-|\+) (.*)$/s.exec(modifier) ?? []
  return { does: DOES[sign] ?? 'plain', sign: sign === '<>' ? '→' : sign, words }
}

const DOES: Readonly<Record<string, ModifierDoes>> = {
  '-': 'remove',
  '<>': 'instead',
  '//': 'side',
  '++': 'more',
  '+-': 'less',
  '+': 'add',
}

/** The progress of each station, of the whole order. */
export function progressOf(order: BoardOrder): StationProgress[] {
  return order.stations.map(({ key, name, readyAtMs, startedAtMs }) => {
    const places = order.lines.map((line, place) => ({ line, place })).filter(({ line }) => line.station === key)
    const done = places.filter(({ line, place }) => isLineDone(line, place, order) && !isHeldLine(line, order)).length
    return { key, name, done, lines: places.length, isReady: readyAtMs !== null, isStarted: startedAtMs !== null }
  })
}

/** @returns the name of the line's station if no display serves it and this one has adopted it; otherwise null */
function nobodysStation(line: BoardLine, { stations }: BoardOrder, viewer: Viewer): string | null {
  if (!isNobodys(line, viewer)) return null
  return stations.find(({ key }) => key === line.station)?.name || line.station
}

function block(kind: BlockKind, content: BlockContent, ...more: unknown[]): TicketBlock {
  return { kind, key: JSON.stringify([content, ...more]), content }
}

function headOf(order: BoardOrder, viewer: Viewer): TicketBlock {
  const { number, orderType, table, guests, server, customer, source, clientOrderId, readyByMs } = order
  const shown = [number, orderType, table, guests, server, customer, source, clientOrderId, readyByMs !== null]
  return block('head', { is: 'head' }, shown, seatsOf(order, viewer))
}

function bannersOf(order: BoardOrder, addOns: string): TicketBlock[] {
  const banner = (tone: 'test' | 'void' | 'change' | 'paper', word: BannerWord, text = ''): TicketBlock =>
    block('banner', { is: 'banner', tone, word, text })
  const { voidReason } = order
  return [
    ...(order.isTest ? [banner('test', 'test')] : []),
    ...(order.voidedAtMs === null ? [] : [banner('void', 'voided', voidReason ?? '')]),
    ...allergyBanners(order.allergens).flatMap(({ words, dishes }) =>
      chunks(dishes, MOST_DISHES).map((some) => block('banner', { is: 'order-allergy', words, dishes: some })),
    ),
    ...(order.addOnTo === null ? [] : [banner('change', 'addOn', order.addOnTo)]),
    ...(addOns === '' ? [] : [banner('change', 'changedBy', addOns)]),
    ...(order.recalledAtMs === null ? [] : [banner('change', 'recalled')]),
    ...(order.paper === 'failed' ? [banner('paper', 'notPrinted')] : []),
    ...(isUnreadable(order) ? [banner('paper', 'notDrawn')] : []),
    ...parted(order.note).map((part) => block('banner', { is: 'order-note', ...part })),
  ]
}

/** By course: what is made now first, held courses under their own headings. */
function linesOf(order: BoardOrder, viewer: Viewer): TicketBlock[] {
  const places = ownPlaces(order, viewer)
  const later = order.courses.map(({ course }) => course)
  const isOf = (course: number | null, line: BoardLine): boolean =>
    course === null ? line.course === null || !later.includes(line.course) : line.course === course
  return [null, ...later].flatMap((course) => {
    const mine = places.filter(({ line }) => isOf(course, line))
    if (mine.length === 0) return []
    const isHeld = order.voidedAtMs === null && mine.some(({ line }) => isHeldLine(line, order))
    const heading = course === null ? [] : [block('course', { is: 'course', course, isHeld })]
    return [
      ...heading,
      ...mine.flatMap(({ line, place }) => lineBlocks(line, place, nobodysStation(line, order, viewer))),
    ]
  })
}

function lineBlocks(line: BoardLine, place: number, nobodys: string | null): TicketBlock[] {
  const { name, qty, seat, modifiers, note, isAllergy, allergens = [] } = line
  const more = [
    ...modifiers.flatMap((modifier) => {
      const { words, does, sign } = modifierOf(modifier)
      return parted(words).map(({ text, opens }) => ({
        is: 'modifier' as const,
        does,
        sign: opens ? sign : '',
        words: text,
      }))
    }),
    ...parted(note).map((part) => ({ is: 'line-note' as const, ...part })),
    ...(isAllergy ? [{ is: 'line-allergy' as const, words: allergens }] : []),
  ]
  // A line without modifiers or notes is as tall as a finger needs; with more below it, it may be less.
  const isAlone = more.length === 0
  return [
    {
      kind: 'line',
      key: JSON.stringify(['line', name, qty, seat, nobodys, isAlone]),
      content: { is: 'line', place, line, nobodys, isAlone },
    },
    ...more.map((piece, index): TicketBlock => {
      const content = { ...piece, isLast: index === more.length - 1 }
      return { kind: 'more', key: JSON.stringify(content), content: { ...content, place } }
    }),
  ]
}

/** At expo the progress of all stations, elsewhere of the others. */
function stationsOf(order: BoardOrder, viewer: Viewer): TicketBlock[] {
  const isAll = isExpo(viewer)
  const own = ownStations(order, viewer).map(({ key }) => key)
  const stations = progressOf(order).filter(({ key }) => isAll || !own.includes(key))
  if (stations.length === 0 || (isAll && stations.length === 1)) return []
  // Progress does not change the height, so it is not part of the key.
  const key = JSON.stringify(['stations', isAll, stations.map(({ name, lines }) => [name, lines])])
  return [{ kind: 'tail', key, content: { is: 'stations', isAll, stations } }]
}

function footOf(order: BoardOrder, viewer: Viewer): TicketBlock[] {
  if (order.voidedAtMs !== null) return [block('foot', { is: 'foot', buttons: 'void-seen' })]
  if (isChangeUnseen(order, viewer)) return [block('foot', { is: 'foot', buttons: 'change-seen' })]
  return nextStep(order, viewer) === null ? [] : [block('foot', { is: 'foot', buttons: 'step' })]
}

/** Splits a text into pieces, between words if there are any. */
function parted(text: string | null): { text: string; opens: boolean; closes: boolean }[] {
  if (text === null) return []
  const texts: string[] = []
  let rest = text
  while (rest.length > MOST_LETTERS) {
    const space = rest.lastIndexOf(' ', MOST_LETTERS)
    const end = space > MOST_LETTERS / 2 ? space : wholeLetters(rest, MOST_LETTERS)
    texts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  texts.push(rest)
  return texts.map((part, index) => ({ text: part, opens: index === 0, closes: index === texts.length - 1 }))
}

/** Does not split a surrogate pair. */
function wholeLetters(text: string, end: number): number {
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  if (all.length === 0) return [[]]
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}
