// The SHA-256 of a copy, in a file beside it: a byte that changes later is detected, here and by `sha256sum -c`.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { syncPath } from '#shared/disk/sync-path.ts'

const HASH_BYTES = 1_048_576
/** A hash and the longest name. */
const MOST_SUM_BYTES = 8_192
/** From sha256sum: a backslash precedes a line in which the name is escaped. */
const LINE = /^\\?([0-9a-f]{64}) [ *][^\n]+\n?$/

export interface Sum {
  state: 'fits' | 'differs' | 'none'
  /** A sentence for the operator, without its full stop. */
  words: string
}

export const sumFileOf = (copy: string): string => `${copy}.sha256`

/** The name that it has until the copy has its own. */
export const sumPartOf = (copy: string): string => `${sumFileOf(copy)}.part`

/** Never a relay's own file: closing it would take away the locks that SQLite holds in this process. */
export function hashOf(file: string): { bytes: number; sha256: string } {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(HASH_BYTES)
  const fd = openSync(file, 'r')
  try {
    for (;;) {
      const count = readSync(fd, buffer, 0, HASH_BYTES, null)
      if (count === 0) break
      hash.update(buffer.subarray(0, count))
    }
  } finally {
    closeSync(fd)
  }
  return { bytes: statSync(file).size, sha256: hash.digest('hex') }
}

/** On the disk. */
export function prepareSum(copy: string, sha256: string): void {
  writeFileSync(sumPartOf(copy), lineOf(basename(copy), sha256), { mode: 0o600 })
  syncPath(sumPartOf(copy))
}

/** Before another copy replaces this one: an old sum next to a new copy would be a fault. */
export function dropSum(copy: string): void {
  rmSync(sumFileOf(copy), { force: true })
}

/** After the copy has its name. */
export function nameSum(copy: string): void {
  renameSync(sumPartOf(copy), sumFileOf(copy))
  syncPath(dirname(copy))
}

/** Reads the whole copy. */
export function compareSum(copy: string): Sum {
  const beside = sumFileOf(copy)
  const found = statSync(beside, { throwIfNoEntry: false })
  if (found === undefined)
    return { state: 'none', words: `there is no ${beside}, so a byte that has changed since it was made may go unseen` }
  const text = found.isFile() && found.size <= MOST_SUM_BYTES ? readFileSync(beside, 'utf8') : ''
  const kept = LINE.exec(text)?.[1]
  if (kept === undefined) return { state: 'differs', words: `${beside} holds no SHA-256 of ${copy}` }
  const { sha256 } = hashOf(copy)
  if (kept === sha256) return { state: 'fits', words: `the SHA-256 is that in ${beside}` }
  return {
    state: 'differs',
    words: `${copy} has changed since it was made: its SHA-256 is ${sha256}, and ${kept} in ${beside}`,
  }
}

function lineOf(name: string, sha256: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`
}
