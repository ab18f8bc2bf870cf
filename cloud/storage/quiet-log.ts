// A log for what works on the database: while nothing can be stored, that is said once by the watch and not by everybody who tries.
import type { Logger } from '#shared/log.ts'
import { writesInto } from '#shared/sampled-log.ts'
import { StorageRefusal } from './storage-refusal.ts'

/** The same log, in which warnings and errors whose cause is a full disk, a lock or damage are of level debug. */
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
  return error instanceof StorageRefusal && error.reason !== 'undone'
}
