// The gateway's own log, for people.
import { toIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export function logOperations({ logs }: ControlContext): Pick<ControlHandlers, 'logs.list'> {
  return {
    'logs.list': ({ level, text, limit, before }) => {
      const lines = logs.lines({ leastLevel: LEVELS[level], text, limit, before })
      return {
        lines: lines.map(({ atMs, level: number, ...line }) => ({ ...line, at: toIso(atMs), level: nameOf(number) })),
        next: lines.length < limit ? null : (lines.at(-1)?.position ?? null),
      }
    },
  }
}

function nameOf(number: number): string {
  return Object.entries(LEVELS).findLast(([, least]) => number >= least)?.[0] ?? 'trace'
}
