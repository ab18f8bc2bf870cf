// requests tail: prints the calls that the relay answered for the account, as they happen.
import { oneOf, text } from '#shared/cli/command.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import type { ApiRequest } from '#shared/sdk/api.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line } from './command.ts'

const PAUSE_MS = 2_000
/** Calls per page. */
const PAGE = 100
/** No call takes longer. */
const OVERLAP_MS = 60_000
const KEYS = ['all', 'this'] as const

export const requestCommands: readonly Command[] = [
  {
    name: 'requests tail',
    usage: '',
    summary: 'Prints a line for each API call of your account, until Ctrl-C',
    options: {
      status: { value: '<404|4xx>', text: 'Only calls with this status or class of status' },
      path: { value: '</v1/...>', text: 'Only calls whose path begins with this' },
      keys: { value: '<all|this>', text: 'Calls of all keys of the account (the default), or of this key' },
    },
    examples: ['--status 4xx', '--json'],
    run: tail,
  },
]

/**
 * Starts with new calls. The log is ordered by the start of calls, but a call is listed only when it was answered: a slow one appears below
 * others that were printed already. So each poll goes back by OVERLAP_MS and skips what was printed.
 */
async function tail(line: Line) {
  const { requests } = line.client()
  const status = text(line, 'status')
  const path = text(line, 'path')
  const keys = oneOf('--keys', KEYS, text(line, 'keys') ?? 'all')
  const query = { keys, limit: PAGE, ...(status !== undefined && { status }), ...(path !== undefined && { path }) }
  const page = (more: { cursor?: string; from?: string }) =>
    requests.list({ ...query, ...more }, { signal: line.stopped }).page()
  /** When each began, on the relay's clock. */
  const seen = new Map((await page({})).data.map((call) => [call.requestId, begunMs(call)]))
  /** What was not seen, in the order in which it was answered. */
  const look = async (): Promise<ApiRequest[]> => {
    const fromMs = Math.max(0, ...seen.values()) - OVERLAP_MS
    for (const [requestId, atMs] of seen) if (atMs < fromMs) seen.delete(requestId)
    const fresh = new Map<string, ApiRequest>()
    // The relay looks no further back, so that a filter that nothing fits costs it little.
    const from = fromMs === 0 ? {} : { from: toIso(fromMs) }
    let cursor: string | null | undefined
    do {
      const { data, nextCursor } = await page({ ...from, ...(cursor && { cursor }) })
      const recent = data.filter((call) => begunMs(call) >= fromMs)
      for (const call of recent) if (!seen.has(call.requestId)) fresh.set(call.requestId, call)
      cursor = recent.length < data.length ? null : nextCursor
    } while (cursor)
    for (const call of fresh.values()) seen.set(call.requestId, begunMs(call))
    return [...fresh.values()].sort((one, other) => answeredMs(one) - answeredMs(other))
  }
  await look()
  line.progress('Waiting for calls. Ctrl-C ends it.')
  for (;;) {
    await line.clock.sleep(PAUSE_MS, line.stopped)
    if (line.stopped.aborted) return { data: undefined, text: '', exitCode: EXIT.stopped }
    for (const call of await look()) line.print(call, lineOf(call))
  }
}

function answeredMs({ answeredAt }: ApiRequest): number {
  return fromIso(answeredAt) ?? 0
}

function begunMs(call: ApiRequest): number {
  return answeredMs(call) - call.durationMs
}

/** `12:00:01  422  POST /v1/order/inject  12.3 ms  request.invalid items[0].qty  req_...` */
function lineOf({ answeredAt, method, path, status, durationMs, code, fields, requestId }: ApiRequest): string {
  const time = answeredAt.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)
  const why = code === null ? [] : [[code, ...fields].join(' ')]
  return plain([time, status, `${method} ${path}`, `${durationMs} ms`, ...why, requestId].join('  '))
}
