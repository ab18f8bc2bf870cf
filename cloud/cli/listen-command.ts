// listen: posts every event of a merchant to a program on this machine, as the relay would.
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { durationMs, LineError, list, text } from '#shared/cli/command.ts'
import { toIso } from '#shared/clock.ts'
import { TicketrailError } from '#shared/sdk/error.ts'
import { plain } from '#shared/terminal-text.ts'
import type { StreamDelivery } from '#shared/wire/api/listeners.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { whyNotDelivered } from './delivery-words.ts'
import { type AttemptResult, ListenJournal } from './listen-journal.ts'
import { type Away, HELD_MS, Listener, targetOf } from './listener.ts'
import { timeOf } from './order-commands.ts'
import { postToTarget } from './post-to-target.ts'
import { stateFolder } from './settings.ts'

/** The timeout of the relay for other endpoints. */
const TIMEOUT_MS = 15_000

export const listenCommand: Command = {
  name: 'listen',
  usage: '',
  summary: 'Posts every event of a merchant to a program on this machine, with the body and headers of the relay',
  options: {
    'forward-to': { value: '<url>', text: 'Where your program receives webhooks, such as localhost:3000/hooks' },
    events: { value: '<a,b>', text: 'Only these types; all except alerts by default' },
    like: { value: '<we_...>', text: 'Signs with the secret of this existing endpoint, which is not shown' },
    print: { text: 'Prints each event as JSON; without --forward-to nothing is posted, and each counts as delivered' },
    timeout: { value: '<15s>', text: 'How long your program may take; 15s by default, as for other endpoints' },
    'allow-remote': { text: 'Allows --forward-to to name another machine' },
  },
  examples: [
    '--forward-to localhost:3000/webhooks',
    '--forward-to 3000 --events order.ready,order.voided',
    '--forward-to 3000 --merchant M-TEST-002',
    '--print --json',
  ],
  run: listen,
}

async function listen(line: Line): ReturnType<Command['run']> {
  const { clock, random, isJson } = line
  const typed = text(line, 'forward-to')
  const prints = line.options['print'] === true
  if (typed === undefined && !prints) throw new LineError('Give --forward-to <url>, or --print.', EXIT.usage)
  const url = typed === undefined ? null : targetOf(typed, line.options['allow-remote'] === true)
  const timeoutMs = durationMs('timeout', text(line, 'timeout') ?? `${TIMEOUT_MS / 1_000}s`)
  const merchantId = await line.merchantId()
  const events = list(text(line, 'events') ?? '')
  const like = text(line, 'like')
  const wanted = {
    merchantId,
    label: `listen on ${hostname()}${url === null ? '' : ` to ${withoutSecrets(url)}`}`.slice(0, 100),
    ...(events.length > 0 && { events }),
    ...(like !== undefined && { like }),
  }
  const quit = new AbortController()
  const stopped = AbortSignal.any([line.stopped, quit.signal])
  let last: StreamDelivery | null = null
  const listener = new Listener({
    ...{ connection: line.connection(), clock, random, wanted },
    journal: ListenJournal.open(journalOf(line, [merchantId, url ?? '', events.join(), like ?? ''])),
    target: async (delivery, over) =>
      url === null ? { status: 200, ms: 0 } : postToTarget({ url, timeoutMs, clock, stopped: over }, delivery),
    onAttempt: (delivery, result) => {
      last = delivery
      const at = toIso(clock.now())
      const { deliveryId, eventId, number, type } = delivery
      line.print(
        { at, type, deliveryId, eventId, number, order: subjectOf(delivery), ...result, ...bodyIf(prints, delivery) },
        attemptLine(at, delivery, { result, url }),
        isSuccess(result) ? 'green' : 'red',
      )
      if (prints && !isJson) line.print(null, jsonOf(delivery))
    },
    onReady: ({ webhookId, secret, waiting }) => {
      const before = waiting === 0 ? '' : ` ${waiting} events waited.`
      const to = url === null ? '' : `, posting to ${url}`
      line.progress(`Listening as ${webhookId} to the events of ${merchantId}${to}.${before}`)
      line.progress(
        secret === null
          ? `Signed with the secret of ${like ?? 'the endpoint'}.`
          : `Start your program with the secret that signs:\nexport TICKETRAIL_WEBHOOK_SECRET=${secret}`,
      )
      if (isJson) line.print({ listening: webhookId, merchantId, forwardTo: url, secret, waiting }, '')
    },
    onLost: (why) => line.progress(`${why}. Connecting again: events wait for 15 minutes.`),
    onAway: (away) => line.progress(awayWords(line, url ?? '', away)),
  })
  const offKeys = line.terminal.onKey?.((key) => {
    if (key === 'q') quit.abort()
    if (key === 'j' && last !== null) line.print(null, jsonOf(last))
    if (key === 'r' && last !== null) void resend(line, last, merchantId)
  })
  if (offKeys) line.progress('Keys: r sends the last event again, j shows it as JSON, q quits.')
  try {
    await listener.run(stopped)
  } catch (error) {
    throw error instanceof TicketrailError && error.code === 'webhook.listener_limit'
      ? await fullOf(line, error)
      : error
  } finally {
    offKeys?.()
  }
  line.progress('Stopped. Events wait for 15 minutes, if you start the same command again.')
  return { data: undefined, text: '', exitCode: line.stopped.aborted ? EXIT.stopped : EXIT.ok }
}

/** Names the listeners of the merchant, each with the line that deletes it. */
async function fullOf(line: Line, { message }: TicketrailError): Promise<LineError> {
  const endpoints = await line
    .client()
    .webhooks.list({ merchantId: await line.merchantId() })
    .page()
  const lines = endpoints.data.flatMap(({ kind, webhookId, description, listener }) => {
    const state = listener?.connected ? 'connected' : 'not connected'
    const words = `ticketrail webhooks delete ${webhookId}${ofMerchant(line)}  # ${description ?? ''}, ${state}`
    return kind === 'listener' ? [plain(words)] : []
  })
  return new LineError([message, ...lines].join('\n'), EXIT.refused)
}

/** For people of the account: neither the user and password in the address nor its query. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function awayWords(line: Line, url: string, { webhookId, sinceMs, ...away }: Away): string {
  if (away.kind === 'held')
    return `Not delivered yet: ${adviceOf(url, away.error)}. Events wait for it, up to ${HELD_MS / 60_000} minutes.`
  if (away.kind === 'back' && away.missed === 0) return 'Your program answers again.'
  const hours = Math.ceil((line.clock.now() - sinceMs + HELD_MS) / 3_600_000)
  const recover = `ticketrail webhooks recover ${webhookId} --since ${hours}h${ofMerchant(line)}`
  return away.kind === 'missed'
    ? `An event was not delivered. When your program runs again: ${recover}`
    : `Your program answers again; ${away.missed} events were not delivered meanwhile. To send them again: ${recover}`
}

/** For a line that is to be typed next: the merchant, where this one named it. */
function ofMerchant(line: Line): string {
  const merchant = text(line, 'merchant')
  return merchant === undefined ? '' : ` --merchant ${merchant}`
}

/** One place for each line that can be typed, key and relay, so that the same line goes on with the same listener. */
function journalOf({ settings, env }: Line, parts: readonly string[]): string {
  const { url, apiKey } = settings()
  const name = createHash('sha256')
    .update([url, apiKey, ...parts].join('\n'))
    .digest('hex')
    .slice(0, 16)
  return join(stateFolder(env), `listen-${name}.jsonl`)
}

async function resend(line: Line, { deliveryId }: StreamDelivery, merchantId: string): Promise<void> {
  try {
    await line.client().deliveries.redeliver(deliveryId, { merchantId })
  } catch (error) {
    line.progress(`Not sent again: ${error instanceof Error ? error.message : ''}`)
  }
}

function isSuccess(result: AttemptResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300
}

/** `error`: the codes of the delivery log, for which the relay is not to blame but the program at `url`. */
function attemptLine(
  at: string,
  delivery: StreamDelivery,
  { result, url }: { result: AttemptResult; url: string | null },
): string {
  const outcome = 'status' in result ? String(result.status) : `not delivered: ${adviceOf(url ?? '', result.error)}`
  const again = delivery.number > 1 ? `  attempt ${delivery.number}` : ''
  return `${timeOf(at)}  ${delivery.type.padEnd(16)}  ${plain(subjectOf(delivery))}  ${outcome}  ${result.ms} ms${again}`
}

function adviceOf(url: string, error: string): string {
  const why = whyNotDelivered(url, error)
  if (error === 'refused') return `${why}, start your program`
  return error === 'timeout' ? `${why}, see --timeout` : why
}

/** The id of what the event is about. The body is JSON, of any shape. */
function subjectOf({ body }: StreamDelivery): string {
  const event = JSON.parse(body) as { data?: Record<string, Record<string, unknown> | null> | null } | null
  const data = event?.data ?? {}
  const ids = [data['order']?.['orderId'], data['sku']?.['umsId'], data['alert']?.['alertId']]
  return ids.find((id) => typeof id === 'string') ?? '-'
}

function jsonOf({ body }: StreamDelivery): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}

function bodyIf(prints: boolean, { body }: StreamDelivery): { event?: unknown } {
  return prints ? { event: JSON.parse(body) } : {}
}
