// A log for what works on the database: while nothing can be stored, that is said once by the watch and not by everybody who tries.
import type { Logger } from '#shared/log.ts'
import { writesInto } from '#shared/sampled-log.ts'
import { type RefusalReason, SERVER_TROUBLES, StorageRefusal } from './storage-refusal.ts'

/** Of what lasts: the watch says when it begins and when it ends. All others are of one call, and nobody else tells of them. */
const TOLD_BY_THE_WATCH: ReadonlySet<RefusalReason> = new Set([
  'full',
  'locked',
  'damaged',
  'failing',
  ...SERVER_TROUBLES,
])

/** The same log, in which warnings and errors whose cause is a full disk, a lock, damage or a server that is away are of level debug. */
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
