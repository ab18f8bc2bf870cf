// The bundle for support: the state of the box, its printers, the newest tickets and log lines; redacted, and with a list of its contents.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { toIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { tarOf } from './tar-file.ts'

const packed = promisify(gzip)
const LEVEL = { info: 30, warn: 40 } as const

type Sources = Pick<ControlHandlers, 'status' | 'health.list' | 'jobs.list' | 'routing.get' | 'settings.get'>

export function diagnosticsOperations(
  { logs, machine, users, clock }: ControlContext,
  handlers: Sources,
): Pick<ControlHandlers, 'diagnostics.export'> {
  return {
    'diagnostics.export': async () => {
      const madeAtMs = clock.now()
      const log = (leastLevel: number, limit: number) => logs.lines({ leastLevel, text: '', limit })
      const parts: [string, string, unknown][] = [
        ['status.json', 'gateway, link, queue, printers', await handlers.status({})],
        ['health.json', 'what is wrong, and what to do', await handlers['health.list']({})],
        ['machine.json', 'program, memory, time; number of users', { ...machine(), users: users.count() }],
        ['settings.json', 'name, time zone, language', await handlers['settings.get']({})],
        ['routing.json', 'routing rules', await handlers['routing.get']({})],
        [
          'tickets.json',
          'the newest 200 tickets, without what stands on them',
          await handlers['jobs.list']({ limit: 200 }),
        ],
        ['warnings.json', 'the newest 500 warnings and errors of the log', log(LEVEL.warn, 500)],
        ['log.json', 'the newest 500 lines of the log', log(LEVEL.info, 500)],
      ]
      const files = parts.map(([name, , data]) => ({ name, bytes: jsonOf(data) }))
      const readMe = { name: 'README.txt', bytes: Buffer.from(readMeOf(parts, toIso(madeAtMs))) }
      const entries = [readMe, ...files]
      const archive = await packed(tarOf(entries, madeAtMs))
      return {
        fileName: `ticketrail-diagnostics-${dayAndTime(madeAtMs)}.tar.gz`,
        mediaType: 'application/gzip',
        base64: archive.toString('base64'),
        contents: entries.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
      }
    },
  }
}

/** `20261121-1105`, for file names. */
export function dayAndTime(ms: number): string {
  return toIso(ms).slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')
}

function jsonOf(data: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(redacted(data), null, 2)}\n`)
}

function readMeOf(parts: readonly [string, string, unknown][], madeAt: string): string {
  const lines = parts.map(([name, what]) => `${name.padEnd(16)} ${what}`)
  return `Diagnostics of a Ticketrail gateway, made ${madeAt}. Without passwords, keys and customers' data.\n\n${lines.join('\n')}\n`
}

// The gateway's own log, for people.
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

// Takes out of diagnostics what no support needs: secrets and people. A second line of defence, because neither should be there.
const SECRET_FIELDS = new Set([
  'apikey',
  'authorization',
  'body',
  'code',
  'cookie',
  'customer',
  'email',
  'guest',
  'password',
  'phone',
  'secret',
  'token',
])
const HIDDEN = '[redacted]'
const PATTERNS: readonly RegExp[] = [
  // API keys and credentials of this product, then anything as long and as random.
  /\b(?:sk|gwt|whsec)_[A-Za-z0-9_-]{8,}/g,
  /\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{40,}/g,
  /[^\s@"']{1,64}@[^\s@"']{1,255}\.[A-Za-z]{2,}/g,
  /\+\d[\d ()-]{7,}\d/g,
]

/** A copy of JSON data without the values of secret fields, and without text that looks like a secret, an address or a telephone number. */
export function redacted(value: unknown): unknown {
  if (typeof value === 'string') return PATTERNS.reduce((text, pattern) => text.replace(pattern, HIDDEN), value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, SECRET_FIELDS.has(key.toLowerCase()) ? HIDDEN : redacted(one)]),
  )
}
