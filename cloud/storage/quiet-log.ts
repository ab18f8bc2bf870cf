// A log for code that uses the database: while nothing can be stored, the watch logs that once, and not every caller.
import type { Logger } from '#shared/log.ts'
import { writesInto } from '#shared/sampled-log.ts'
import { type RefusalReason, SERVER_TROUBLES, StorageRefusal } from './storage-refusal.ts'

/** Lasting reasons: the watch logs when they begin and end. All others concern one call, and are logged nowhere else. */
const TOLD_BY_THE_WATCH: ReadonlySet<RefusalReason> = new Set([
  'full',
  'locked',
  'damaged',
  'failing',
  ...SERVER_TROUBLES,
])

/** The same log, in which warnings and errors caused by a full disk, a lock, damage or an unreachable server have the level debug. */
export function quietWhileRefused(log: Logger): Logger {
  const quiet: Logger = Object.create(log)
  writesInto(quiet, log)
  for (const level of ['warn', 'error'] as const) {
    quiet[level] = ((...line: Parameters<Logger['warn']>) => {
      if (isToldByTheWatch(line[0])) log.debug(...line)
      else log[level](...line)
    }) as Logger['warn']
  }
  return quiet
}

function isToldByTheWatch(first: unknown): boolean {
  const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : first
  return error instanceof StorageRefusal && TOLD_BY_THE_WATCH.has(error.reason)
}
