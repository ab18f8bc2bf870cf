// A folder of copies: how a copy is named by its time, and which are too many.
import { toIso } from '#shared/clock.ts'

const NAME = /^relay-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.db$/
/** What follows the name while a copy is made. */
const PASSING_END = /(?:\.sha256)?\.part(?:-wal|-shm|-journal|\.lock)?$/

/** `relay-2026-11-25T18-00-00Z.db`: names sort by time. */
export function copyName(atMs: number): string {
  return `relay-${toIso(atMs).slice(0, 19).replaceAll(':', '-')}Z.db`
}

/** The oldest beyond `keep`. Files with other names are never deleted. */
export function tooMany(names: readonly string[], keep: number): string[] {
  const copies = names.filter((name) => NAME.test(name)).sort()
  return copies.slice(0, Math.max(0, copies.length - keep))
}

/** The copies that are being made, or were when their program died: each once, by the name that it was to have. */
export function begunCopies(names: readonly string[]): string[] {
  const begun = names.filter((name) => PASSING_END.test(name)).map((name) => name.replace(PASSING_END, ''))
  return [...new Set(begun)].filter((name) => NAME.test(name))
}

/** Null: there is none. */
export function newestCopy(names: readonly string[]): string | null {
  return (
    names
      .filter((name) => NAME.test(name))
      .sort()
      .at(-1) ?? null
  )
}
