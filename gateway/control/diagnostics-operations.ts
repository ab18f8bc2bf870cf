// The bundle for support: the state of the box, its printers, the newest tickets and log lines; redacted, and with a list of its contents.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { toIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { redacted } from './redact.ts'
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
