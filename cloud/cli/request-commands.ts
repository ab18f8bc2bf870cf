// requests tail: the calls that the relay answered for the account, as they come.
import { oneOf, text } from '#shared/cli/command.ts'
import type { ApiRequest } from '#shared/sdk/api.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line } from './command.ts'

const PAUSE_MS = 2_000
/** Calls that one question asks for. */
const PAGE = 100
const KEYS = ['all', 'this'] as const

export const requestCommands: readonly Command[] = [
  {
    name: 'requests tail',
    usage: '',
    summary: 'Prints a line for each call that the relay answered for your account, until Ctrl-C',
    options: {
      status: { value: '<404|4xx>', text: 'Only calls with this status, or of this class' },
      path: { value: '</v1/...>', text: 'Only calls whose path begins so' },
      keys: { value: '<all|this>', text: 'Calls of every key of the account, or of this one alone; without it: all' },
    },
    examples: ['--status 4xx', '--json'],
    run: tail,
  },
]

/** Begins with what comes from now on. */
async function tail(line: Line) {
  const { requests } = line.client()
  const status = text(line, 'status')
  const path = text(line, 'path')
  const keys = oneOf('--keys', KEYS, text(line, 'keys') ?? 'all')
  const query = { keys, limit: PAGE, ...(status !== undefined && { status }), ...(path !== undefined && { path }) }
  const newest = async () => (await requests.list(query, { signal: line.stopped }).page()).data
  let last = (await newest())[0]?.requestId ?? ''
  line.progress('Waiting for calls. Ctrl-C ends it.')
  for (;;) {
    await line.clock.sleep(PAUSE_MS, line.stopped)
    if (line.stopped.aborted) return { data: null, text: '', exitCode: EXIT.stopped }
    const fresh = (await newest()).filter(({ requestId }) => requestId > last)
    last = fresh[0]?.requestId ?? last
    for (const call of fresh.toReversed()) line.print(call, lineOf(call))
  }
}

/** `12:00:01  422  POST /v1/order/inject  12.3 ms  request.invalid items[0].qty  req_...` */
function lineOf({ answeredAt, method, path, status, durationMs, code, fields, requestId }: ApiRequest): string {
  const time = answeredAt.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)
  const why = code === null ? [] : [[code, ...fields].join(' ')]
  return plain([time, status, `${method} ${path}`, `${durationMs} ms`, ...why, requestId].join('  '))
}
