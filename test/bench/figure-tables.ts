// The tables of figures in the documents: all of them in docs/figures.md, twelve in the README.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, toMarkdown } from './figures.ts'

/** What a reader of the README wants to know first; not only where the goal is met. */
export const IN_README: readonly string[] = [
  'request -> first byte at the printer, 50 orders/s, p50',
  'our p50 / floor p50',
  'request -> confirmed by the printer, 50 orders/s, p99',
  'request -> first byte, 20 orders/s, warm, p50',
  'request -> first byte, 20 orders/s, warm, p99',
  'accepted -> order.accepted at a loopback receiver, 50 orders/s, p99',
  'sustained inject over HTTP with durable commits / the same route and inject code with stores in memory',
  'inject with 1,000,000 orders / with 2,000',
  'start after a power cut, relay away -> first byte of what waits on the disk, slowest',
  'gateway memory, idle',
  '10,000 gateways after kill -9 of the relay: connections a gateway until all are welcomed',
  'kill -9 of a relay -> the next order of each of its gateways is at it, p99',
]

const TABLE = /(?<=<!-- bench:start -->\n)[\s\S]*(?=\n<!-- bench:end -->)/

/** What a run adds to the tables. */
export interface Run {
  figures: readonly Figure[]
  /** Day and commit of the run, for each of its rows. */
  at: string
  /** One sentence: on which machine, by what. */
  machine: string
  /** Not every part was run: the rows of the others stay, with the day and the commit of their own run. */
  isPartial: boolean
}

/**
 * Writes both tables.
 * @param root the folder with README.md and docs/figures.md
 * @throws when a figure of the README is in no run, before anything is written
 */
export function writeTables({ figures, at, machine, isPartial }: Run, root: string): void {
  const texts = new Map(
    ['docs/figures.md', 'README.md'].map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  )
  const [header = '', rule = '', ...rows] = toMarkdown(figures).split('\n')
  const measured = rows.map((row) => `${row} ${at} |`)
  const all = isPartial ? merged(tableRows(texts.get('docs/figures.md') ?? ''), measured) : measured
  const first = IN_README.map((name) => {
    const row = all.find((one) => nameOf(one) === name)
    if (row === undefined) throw new Error(`--readme: no run has the figure "${name}"`)
    return withoutLastCell(row)
  })
  const tables = {
    'docs/figures.md': [`${header} Run |`, `${rule} --- |`, ...all, '', machine],
    'README.md': [header, rule, ...first],
  }
  for (const [file, lines] of Object.entries(tables)) {
    const text = texts.get(file) ?? ''
    if (!TABLE.test(text)) throw new Error(`${file} has no place for the table`)
    writeFileSync(
      join(root, file),
      text.replace(TABLE, () => lines.join('\n')),
    )
  }
}

/** The rows of the table between the marks, without its header. */
export function tableRows(text: string): string[] {
  const lines = TABLE.exec(text)?.[0].split('\n') ?? []
  return lines.filter((line) => line.startsWith('| ')).slice(2)
}

export const nameOf = (row: string): string => row.split(' | ')[0]?.slice(2) ?? ''

export const withoutLastCell = (row: string): string => row.replace(/ [^|]* \|$/, '')

/** Each measured row in the place of the one that it measures again; a new one follows its neighbour of the same run. */
function merged(before: readonly string[], measured: readonly string[]): string[] {
  const rows = new Map(keyed(before))
  let last: string | null = null
  for (const [key, row] of keyed(measured)) {
    if (rows.has(key) || last === null) rows.set(key, row)
    else insertBehind(rows, last, [key, row])
    last = key
  }
  return [...rows.values()]
}

function insertBehind(rows: Map<string, string>, last: string, entry: readonly [string, string]): void {
  const entries = [...rows]
  const place = entries.findIndex(([key]) => key === last) + 1
  rows.clear()
  for (const [key, row] of [...entries.slice(0, place), entry, ...entries.slice(place)]) rows.set(key, row)
}

/** "the same, p99" is a figure only below the row that it belongs to. */
function keyed(rows: readonly string[]): [string, string][] {
  let head = ''
  return rows.map((row) => {
    const name = nameOf(row)
    if (!name.startsWith('the same')) head = name
    return [name === head ? name : `${head} ${name}`, row]
  })
}
