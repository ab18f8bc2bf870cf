// Reads a menu file: CSV with a heading line, or a JSON array. Pure; every wrong line is named.
import { z } from 'zod'
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { fieldMessage } from '#shared/field-message.ts'
import { toCents } from '#shared/money.ts'
import { itemNameField, stationField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { ControlRefusal } from './control-refusal.ts'

const MAX_ERRORS = 10
const COLUMNS = 'umsId, name, kind, price, prepMinutes, station, category'

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

/** @throws ControlRefusal invalid, naming the first wrong lines; nothing of such a file is taken over */
export function parseItems(content: string): MenuItem[] {
  const plain = content.replace(/^\uFEFF/, '')
  const records = plain.trimStart().startsWith('[') ? readJson(plain) : readCsv(plain)
  const errors: string[] = []
  const items = new Map<string, MenuItem>()
  for (const [index, record] of records.entries()) {
    const parsed = menuItem.safeParse(record, { error: fieldMessage })
    if (!parsed.success) errors.push(`item ${index + 1}: ${problemsOf(record, parsed.error)}`)
    else if (items.has(parsed.data.umsId)) errors.push(`item ${index + 1}: ${parsed.data.umsId} stands there twice`)
    else items.set(parsed.data.umsId, parsed.data)
    // Others wait for this thread: of a file with nothing right in it no more is read than is told.
    if (errors.length === MAX_ERRORS) break
  }
  if (errors.length > 0) throw refused(`The file was not taken over.\n  ${errors.join('\n  ')}`, 'wrong-lines')
  if (items.size === 0) throw refused('The file has no items.', 'empty')
  return [...items.values()]
}

function problemsOf(record: unknown, { issues }: z.ZodError): string {
  const problems = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `there is no ${issue.keys.join(', ')}: ${COLUMNS} is all`
    const [name = 'it'] = issue.path.map(String)
    const isMissing = typeof record === 'object' && record !== null && !(name in record) && issue.path.length > 0
    return `${name} ${isMissing ? 'is required' : issue.message}`
  })
  return problems.join('; ')
}

function readJson(content: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(content)
    if (Array.isArray(parsed)) return parsed
  } catch {
    throw refused('The file begins with [ and is not JSON.', 'not-json')
  }
  throw refused('The file is not a JSON array.', 'not-json')
}

/** RFC 4180: quotes double inside quotes. Empty cells count as absent; price and prepMinutes are numbers. */
function readCsv(content: string): Record<string, unknown>[] {
  const [heading, ...lines] = csvRows(content)
  if (heading === undefined) throw refused('The file is empty.', 'empty')
  const names = heading.map((name) => name.trim())
  return lines.map((cells) => {
    const record: Record<string, unknown> = {}
    for (const [i, cell] of cells.entries()) {
      const name = names[i]
      if (cell.trim() === '' || name === undefined) continue
      record[name] = name === 'price' || name === 'prepMinutes' ? Number(cell) : cell.trim()
    }
    return record
  })
}

function csvRows(content: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/y
  while (cell.lastIndex < content.length) {
    const match = cell.exec(content)
    if (match === null) throw refused(`Line ${rows.length + 1} of the CSV has a quote in the wrong place.`, 'quote')
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    if (row.some((text_) => text_.trim() !== '')) rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

function refused(message: string, word: string): ControlRefusal {
  return new ControlRefusal('invalid', message, {
    errors: [{ field: 'content', message }],
    said: { key: `menu.file-${word}` },
  })
}
