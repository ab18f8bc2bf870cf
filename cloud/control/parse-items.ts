// Reads a menu file: CSV with a heading line, or a JSON array. Every wrong line is named.
import { z } from 'zod'
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { fieldMessage } from '#shared/field-message.ts'
import { fieldRule } from '#shared/field-rule.ts'
import { toCents } from '#shared/money.ts'
import { itemNameField, stationField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { ControlRefusal, type RefusedField, type Said } from './control-refusal.ts'
import { slicesOf } from './list-slices.ts'

/** At most this many errors of a file are reported, and this many columns of an invalid line. */
const MAX_ERRORS = 10
/** 2 to 5 ms of work. */
const AT_ONCE = 200
const COLUMNS = ['umsId', 'name', 'kind', 'price', 'prepMinutes', 'station', 'category'] as const
const NEEDED = ['umsId', 'name'] as const
/** Where a comma is the decimal sign, spreadsheets put semicolons. */
const BETWEEN = [',', ';', '\t'] as const

const price = z
  .number()
  .refine((dollars) => toCents(dollars) !== null, { error: 'must be dollars with at most 2 decimals' })
  .transform((dollars) => toCents(dollars))

const menuItem = z
  .strictObject({
    umsId: umsIdField,
    name: itemNameField,
    kind: z.enum(['item', 'modifier']).default('item'),
    price: price.nullable().default(null),
    prepMinutes: z.number().int().min(0).max(600).nullable().default(null),
    station: stationField.nullable().default(null),
    category: text(64).nullable().default(null),
  })
  .transform(({ price: priceCents, ...item }): MenuItem => ({ ...item, priceCents }))

/** An item as the file has it, and where. */
interface Read {
  item: unknown
  /** A line of CSV, from 1; an entry of a JSON list, from 1. */
  place: Place
}
type Place = `line ${number}` | `entry ${number}`

/**
 * @throws ControlRefusal invalid; nothing of such a file is imported. `errors` has one entry for each error, whose `field` is
 * `content.line.4.price`, or `content.entry.4.price` in a JSON list
 */
export async function parseItems(content: string): Promise<MenuItem[]> {
  const plain = content.replace(/^\uFEFF/, '')
  // The decoder put U+FFFD where the bytes are not UTF-8: a picture, or CSV in an older encoding of a spreadsheet.
  if (/[\0\uFFFD]/.test(plain)) throw refused('The file is not text in UTF-8.', 'not-text')
  const records = /^\s*[[{]/.test(plain) ? readJson(plain) : readCsv(plain)
  const wrong: { place: Place; errors: RefusedField[] }[] = []
  const items = new Map<string, MenuItem>()
  for await (const slice of slicesOf(records, AT_ONCE)) {
    for (const { item, place } of slice) {
      const parsed = menuItem.safeParse(item, { error: fieldMessage })
      if (!parsed.success) wrong.push({ place, errors: problemsOf(item, place, parsed.error) })
      else if (items.has(parsed.data.umsId)) wrong.push({ place, errors: [twice(place, parsed.data.umsId)] })
      else items.set(parsed.data.umsId, parsed.data)
    }
    // Others wait for this thread.
    if (wrong.length >= MAX_ERRORS) break
  }
  if (wrong.length > 0) throw wrongLines(wrong.slice(0, MAX_ERRORS))
  if (items.size === 0) throw refused('The file has no items.', 'empty')
  return [...items.values()]
}

function wrongLines(wrong: readonly { place: Place; errors: RefusedField[] }[]): ControlRefusal {
  const lines = wrong.map(({ place, errors }) => {
    const words = errors.map(({ field, message }) => `${columnOf(field)} ${message}`.trim())
    return `${place}: ${words.join('; ')}`
  })
  return new ControlRefusal('invalid', `The file was not taken over.\n  ${lines.join('\n  ')}`, {
    errors: wrong.flatMap(({ errors }) => errors),
    said: { key: 'menu.file-wrong-lines' },
  })
}

const fieldAt = (place: Place, column: string): string =>
  ['content', ...place.split(' '), column].filter(Boolean).join('.')
const columnOf = (field: string): string => field.split('.').slice(3).join('.')

function problemsOf(item: unknown, place: Place, { issues }: z.ZodError): RefusedField[] {
  const problems = issues.flatMap((issue): RefusedField[] => {
    if (issue.code === 'unrecognized_keys') {
      const message = `is no column: ${COLUMNS.join(', ')} is all`
      return issue.keys.map((key) => ({ field: fieldAt(place, key), message, rule: { key: 'unknown', limit: null } }))
    }
    const column = issue.path.map(String).join('.')
    const field = fieldAt(place, column)
    const isMissing = typeof item === 'object' && item !== null && column !== '' && !(column in item)
    if (isMissing) return [{ field, message: 'is required', rule: { key: 'required', limit: null } }]
    return [{ field, message: issue.message, rule: fieldRule(issue) ?? { key: 'form', limit: null } }]
  })
  return problems.slice(0, MAX_ERRORS)
}

function twice(place: Place, umsId: string): RefusedField {
  return {
    field: fieldAt(place, 'umsId'),
    message: `${umsId} stands in the file twice`,
    rule: { key: 'twice', limit: null },
  }
}

function readJson(content: string): Iterable<Read> {
  try {
    const parsed: unknown = JSON.parse(content)
    if (Array.isArray(parsed)) return entriesOf(parsed)
  } catch {
    throw refused('The file begins like JSON and is not JSON.', 'not-json')
  }
  throw refused('The file is not a JSON array.', 'not-json')
}

function* entriesOf(list: readonly unknown[]): Generator<Read> {
  for (const [at, item] of list.entries()) yield { item, place: `entry ${at + 1}` }
}

/** Empty cells count as absent; price and prepMinutes are numbers. @throws ControlRefusal invalid: the heading has no umsId or no name */
function* readCsv(content: string): Generator<Read> {
  let names: string[] | null = null
  for (const { cells, line } of csvRows(content)) {
    if (names === null) {
      names = cells.map((name) => name.trim())
      const missing = NEEDED.filter((name) => !names?.includes(name))
      if (missing.length > 0)
        throw wrongLines([{ place: `line ${line}`, errors: missing.map((name) => noColumn(line, name)) }])
      continue
    }
    const item: Record<string, unknown> = {}
    for (const [i, cell] of cells.entries()) {
      const name = names[i]
      if (cell.trim() === '' || name === undefined) continue
      item[name] = name === 'price' || name === 'prepMinutes' ? numberOf(cell.trim()) : cell.trim()
    }
    yield { item, place: `line ${line}` }
  }
  if (names === null) throw refused('The file is empty.', 'empty')
}

function noColumn(line: number, name: string): RefusedField {
  return {
    field: fieldAt(`line ${line}`, name),
    message: 'is missing in the heading line',
    rule: { key: 'column-missing', limit: null },
  }
}

/** `12.50`, or `12,50` as spreadsheets write it in many countries. A comma before three digits may mean thousands: that is not a number. */
function numberOf(cell: string): number {
  return Number(/^\d+,\d{1,2}$/.test(cell) ? cell.replace(',', '.') : cell)
}

/** The separator of the cells, taken from the heading line, whose names contain none. */
function betweenCells(content: string): string {
  const heading = /^.*\S.*$/m.exec(content)?.[0] ?? ''
  return BETWEEN.find((one) => heading.includes(one)) ?? ','
}

interface CsvRow {
  cells: string[]
  /** On which it begins, from 1. */
  line: number
}

/** RFC 4180, or with semicolons or tabs: quotes double inside quotes. Lines without anything are left out, and counted. */
function* csvRows(content: string): Generator<CsvRow> {
  let line = 1
  let row: CsvRow = { cells: [], line }
  const between = betweenCells(content)
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${between}"\\r\\n]*))(${between}|\\r?\\n|$)`, 'y')
  while (cell.lastIndex < content.length) {
    const match = cell.exec(content)
    if (match === null) throw refused(`Line ${line} of the CSV has a quote in the wrong place.`, 'quote', { line })
    row.cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    line += match[0].split('\n').length - 1
    if (match[3] === between) continue
    if (row.cells.some((text_) => text_.trim() !== '')) yield row
    row = { cells: [], line }
  }
  if (row.cells.length > 0) yield row
}

function refused(message: string, word: string, values: Said['values'] = {}): ControlRefusal {
  return new ControlRefusal('invalid', message, {
    errors: [{ field: 'content', message }],
    said: { key: `menu.file-${word}`, values },
  })
}
