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

/**
 * @param measured one sentence: when, where, by what
 * @param root the folder with README.md and docs/figures.md
 * @throws when a figure of the README was not measured, before anything is written
 */
export function writeTables(figures: readonly Figure[], measured: string, root: string): void {
  const first = IN_README.map((name) => {
    const figure = figures.find((one) => one.name === name)
    if (!figure) throw new Error(`--readme needs a run of all parts: there is no figure "${name}"`)
    return figure
  })
  for (const [file, table] of [
    ['docs/figures.md', `${toMarkdown(figures)}\n\n${measured}`],
    ['README.md', toMarkdown(first)],
  ] as const) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    if (!TABLE.test(text)) throw new Error(`${file} has no place for the table`)
    writeFileSync(
      path,
      text.replace(TABLE, () => table),
    )
  }
}
