// inject, trigger, orders tail, events tail: create sandbox orders and show events.
import { LineError, oneOf, text, word } from '#shared/cli/command.ts'
import { readJson } from '#shared/cli/read-input.ts'
import { frameTicket, isAsciiLocale } from '#shared/cli/ticket-frame.ts'
import { fromIso } from '#shared/clock.ts'
import type { InjectOrder, Order, Sku, TicketrailEvent } from '#shared/sdk/api.ts'
import { TicketrailError } from '#shared/sdk/error.ts'
import { plain } from '#shared/terminal-text.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { type Command, EXIT, type Line } from './command.ts'

const SOURCE = 'ticketrail-cli'
/** Pause between polls for events. */
const WATCH_PAUSE_MS = 400
const TAIL_PAUSE_MS = 2_000
/** Maximum wait for an order that is not printed. */
const WATCH_AT_MOST_MS = 120_000

const AFTER = {
  after: { value: '<now|start|evt_...>', text: 'Begins after this event, 30 days ago with start; now by default' },
}
const NOT_PRINTED_YET = 'No printer is connected now: the order is stored and prints later.'

export const orderCommands: readonly Command[] = [
  {
    name: 'inject',
    usage: '',
    summary: 'Sends an order: a sample of two menu items, or your own from a file',
    options: {
      sample: { text: 'Sends two items of the menu, the default' },
      file: { value: '<path>', text: 'An order in JSON, as in POST /v1/order/inject; - reads standard input' },
      watch: { text: 'Waits until the ticket is printed; draws it if the kitchen is simulated' },
    },
    examples: ['--watch', '--file order.json', '--file - --json < order.json'],
    run: async (line) => {
      const { order, printPending } = await inject(line, text(line, 'file') ?? null)
      if (line.options['watch'] === true) return watched(line, order, printPending)
      return { data: order, text: [orderLine(order), ...(printPending ? [NOT_PRINTED_YET] : [])].join('\n') }
    },
  },
  {
    name: 'trigger',
    usage: '<event>',
    summary: 'Causes an event on a real order of the sandbox, with all events that come before it',
    options: {
      order: { value: '<ord_...>', text: 'An existing order; a new one by default' },
      data: { value: '<path>', text: 'A file with the new order in JSON, instead of the sample' },
      sample: { text: 'Sends an event with made-up data instead; no order changes' },
      endpoint: { value: '<we_...>', text: 'With --sample: the endpoint to send it to; all by default' },
    },
    examples: ['order.ready', 'order.refunded --order ord_01jd3k5v8wz9x0y1a2b3c4d5e6', 'sku.silenced --sample'],
    run: async (line) => {
      const type = oneOf('the event', WEBHOOK_EVENT_TYPES, word(line, 0))
      requireSandbox(line)
      return line.options['sample'] === true ? fireSample(line, type) : drive(line, type)
    },
  },
  {
    name: 'orders tail',
    usage: '',
    summary: 'Prints a line for each event of an order, until Ctrl-C',
    options: { ...AFTER, order: { value: '<ord_...>', text: 'Only this order' } },
    examples: ['', '--after start --json'],
    run: (line) =>
      tail(line, text(line, 'order'), (event) =>
        'order' in event.data ? { data: event.data.order, text: orderLine(event.data.order) } : null,
      ),
  },
  {
    name: 'events tail',
    usage: '',
    summary: 'Prints a line for each event, oldest first, until Ctrl-C',
    options: {
      ...AFTER,
      type: { value: '<event>', choices: WEBHOOK_EVENT_TYPES, text: 'Only this type, such as order.ready' },
      subject: { value: '<id>', text: 'Only events of this order, item or alert' },
    },
    examples: ['', '--type order.ready --json'],
    run: (line) => tail(line, text(line, 'subject'), (event) => ({ data: event, text: eventLine(event) })),
  },
]

/** `12:00:01  order.ready  ord_...  #3` */
export function eventLine({ timestamp, type, sequence, data }: TicketrailEvent): string {
  return `${timeOf(timestamp)}  ${type.padEnd(16)}  ${subjectOf(data)}  #${sequence}`
}

function subjectOf(data: TicketrailEvent['data']): string {
  if ('order' in data) return plain(data.order.serviceOrderId)
  if ('sku' in data) return plain(data.sku.umsId)
  return 'alert' in data ? plain(data.alert.alertId) : ''
}

const CLOCK_FACE = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** The local time of day of an instant. */
export function timeOf(iso: string): string {
  return CLOCK_FACE.format(fromIso(iso) ?? 0)
}

function orderLine({ serviceOrderId, orderId, status, total, queuedAt }: Order): string {
  return `${timeOf(queuedAt)}  ${serviceOrderId}  ${status.padEnd(9)}  ${total.toFixed(2)}  ${plain(orderId)}`
}

async function inject(line: Line, file: string | null): Promise<{ order: Order; printPending: boolean }> {
  // A sample order must never be printed in a real kitchen.
  if (file === null) requireSandbox(line)
  const client = line.client()
  const merchantId = await line.merchantId()
  const typed = file === null ? await sampleOrder(line, merchantId) : orderIn(file)
  const accepted = await client.orders.inject({ merchantId, ...typed }, { signal: line.stopped })
  const of = { merchantId: typed.merchantId ?? merchantId }
  const order = await client.orders.get(accepted.serviceOrderId, of, { signal: line.stopped })
  return { order, printPending: accepted.printPending }
}

/** The relay validates the rest and names the invalid fields. @throws LineError */
export function orderIn(file: string): InjectOrder {
  const read = readJson(file)
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as InjectOrder
  throw new LineError(`${file} is not an order: it must be a JSON object as in POST /v1/order/inject.`, EXIT.usage)
}

/** From the menu of the restaurant, with its prices, so the total is correct. @throws LineError without a menu */
async function sampleOrder({ client, clock }: Line, merchantId: string): Promise<InjectOrder> {
  const { data: skus } = await client().skus.list({ merchantId }).page()
  const sold = skus.filter(({ kind, orderable, price }) => kind === 'item' && orderable && price !== null).slice(0, 2)
  if (sold.length === 0)
    throw new LineError(`${merchantId} has no item that can be ordered now: give an order with --file.`)
  const items = sold.map(({ umsId, price }, i) => ({ umsId, qty: i + 1, price: price ?? 0 }))
  const cents = items.reduce((sum, { price, qty }) => sum + Math.round(price * 100) * qty, 0)
  return {
    orderId: `cli-${clock.now().toString(36)}-${crypto.randomUUID().slice(0, 4)}`,
    source: SOURCE,
    items,
    total: cents / 100,
  }
}

/** Follows an order by its events until its ticket is on paper, or never will be. */
async function watched(line: Line, order: Order, printPending: boolean): ReturnType<Command['run']> {
  const { client, env, isJson, terminal } = line
  const { serviceOrderId, merchantId, printJobId } = order
  const stopped = AbortSignal.any([line.stopped, AbortSignal.timeout(WATCH_AT_MOST_MS)])
  const pages = client().events.follow(
    { merchantId, subjectId: serviceOrderId, after: 'start', pauseMs: WATCH_PAUSE_MS },
    { signal: stopped },
  )
  let last = order
  if (!isJson) line.progress(orderLine(order))
  if (printJobId === null) return { data: { order, tickets: [] }, text: 'It has no ticket: print is false.' }
  if (printPending) line.progress(NOT_PRINTED_YET)
  for await (const { data } of endingAt(pages, stopped)) {
    for (const event of data) {
      if (!isJson) line.progress(eventLine(event))
      if ('order' in event.data) last = event.data.order
    }
    if (last.status !== 'accepted') break
  }
  line.stopped.throwIfAborted()
  if (last.status === 'accepted')
    throw new LineError(
      `${serviceOrderId} is not printed yet. \`ticketrail doctor\` shows whether its kitchen is connected.`,
    )
  const isSandbox = line.settings().apiKey.startsWith('sk_sandbox_')
  const { data: tickets } = isSandbox ? await client().sandbox.tickets(printJobId, { merchantId }).page() : { data: [] }
  const look = { columns: terminal.columns, isAscii: isAsciiLocale(env) }
  const drawn = tickets.map((ticket) => frameTicket(ticket.text, plain(ticket.printerName), look))
  if (drawn.length > 0) return { data: { order: last, tickets }, text: drawn.join('\n') }
  const simulated = isSandbox && last.printedAt !== null ? await simulatedMerchant(line) : null
  const hint =
    simulated === null ? [] : [`To see a ticket drawn here, use a simulated kitchen: --merchant ${simulated}`]
  return { data: { order: last, tickets }, text: [outcomeOf(last), ...hint].join('\n') }
}

/** The first merchant of the key, by id, whose kitchen is simulated and prints; null: the key may use none, or may not ask. */
async function simulatedMerchant({ client, stopped }: Line): Promise<string | null> {
  const { gateways, merchants } = client()
  try {
    const ids: string[] = []
    for await (const { merchantId } of merchants.list({}, { signal: stopped })) ids.push(merchantId)
    // In this order the sandbox's merchants that misbehave on purpose come last: they have names instead of numbers.
    for (const merchantId of ids.toSorted()) {
      const { data } = await gateways.list({ merchantId }, { signal: stopped }).page()
      if (data.some(({ simulated, state }) => simulated && state === 'online')) return merchantId
    }
  } catch (error) {
    // Only a hint: the order is printed.
    if (!(error instanceof TicketrailError)) throw error
  }
  return null
}

/** For an order whose ticket cannot be drawn: a gateway does not send back what it printed, unlike the simulated kitchen. */
export function outcomeOf({ serviceOrderId, status, queuedAt, printedAt }: Order): string {
  if (printedAt === null) return `${serviceOrderId} is ${status}: it was not printed.`
  const took = (fromIso(printedAt) ?? 0) - (fromIso(queuedAt) ?? 0)
  return `On paper after ${took} ms, at a printer of the restaurant's gateway.`
}

/** A loop that ends when the signal aborts, instead of throwing. */
async function* endingAt<T>(pages: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    yield* pages
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function tail(
  line: Line,
  subjectId: string | undefined,
  show: (event: TicketrailEvent) => { data: unknown; text: string } | null,
): ReturnType<Command['run']> {
  const after = text(line, 'after') ?? 'now'
  if (!/^(now|start|evt_\w+)$/.test(after))
    throw new LineError(`--after must be now, start, or the id of an event (evt_...), not "${after}"`, EXIT.usage)
  const merchantId = await line.merchantId()
  const type = text(line, 'type')
  const pages = line.client().events.follow(
    {
      merchantId,
      after,
      pauseMs: TAIL_PAUSE_MS,
      ...(subjectId !== undefined && { subjectId }),
      ...(type !== undefined && { type: oneOf('--type', WEBHOOK_EVENT_TYPES, type) }),
    },
    { signal: line.stopped },
  )
  let isSaid = false
  for await (const { data, restarted } of endingAt(pages, line.stopped)) {
    if (restarted && !isSaid) {
      isSaid = true
      line.progress('That position is unknown or older than 30 days: these are all events that are kept.')
    }
    for (const event of data) {
      const shown = show(event)
      if (shown !== null) line.print(shown.data, shown.text)
    }
  }
  return { data: undefined, text: '', exitCode: EXIT.stopped }
}

/** @throws LineError for an event that no call can cause */
async function drive(line: Line, type: TicketrailEvent['type']): ReturnType<Command['run']> {
  switch (type) {
    case 'alert.started':
    case 'alert.ended':
      throw new LineError(
        `${type} is sent for a problem that lasts: add --sample to send it with made-up data.`,
        EXIT.usage,
      )
    case 'sku.silenced':
    case 'sku.restored':
    case 'sku.low_stock':
      return driveItem(line, type)
    default:
      return driveOrder(line, type)
  }
}

/** Moves a real order through all earlier states, so that sequence and numbers are real. */
async function driveOrder(
  line: Line,
  type: Extract<TicketrailEvent['type'], `order.${string}`>,
): ReturnType<Command['run']> {
  const id = text(line, 'order')
  const of = { merchantId: await line.merchantId() }
  const { orders, sandbox } = line.client()
  let order: Order =
    id === undefined ? (await inject(line, text(line, 'data') ?? null)).order : await orders.get(id, of)
  const { serviceOrderId } = order
  const advance = async (to: 'printed' | 'ready' | 'completed') => {
    order = await sandbox.advance(serviceOrderId, { ...of, to })
  }
  const complete = async () => {
    if (order.status === 'accepted' || order.status === 'printed') await advance('ready')
    if (order.status === 'ready') await advance('completed')
  }
  // The compiler asks for a case for each further event.
  const causes: Record<typeof type, () => Promise<unknown>> = {
    'order.accepted': async () => {},
    'order.printed': async () => order.print && advance('printed'),
    'order.ready': () => advance('ready'),
    'order.completed': complete,
    'order.voided': () => orders.void(serviceOrderId, { ...of, reason: SOURCE }),
    'order.refunded': async () => {
      await complete()
      await orders.refund(serviceOrderId, { ...of, amount: order.total, reason: SOURCE })
    },
  }
  await causes[type]()
  order = await orders.get(serviceOrderId, of)
  return { data: order, text: `${type}  ${orderLine(order)}` }
}

/** Checked before anything is sent. @throws LineError for a live key */
function requireSandbox({ settings }: Line): void {
  if (settings().apiKey.startsWith('sk_sandbox_')) return
  throw new LineError(
    'This acts on the sandbox only, and the key is live: set TICKETRAIL_API_KEY to a sandbox key, or sign in with `ticketrail login`.',
    EXIT.refused,
  )
}

/** Restores the menu afterwards, except for what `sku.silenced` requires. */
async function driveItem(line: Line, type: TicketrailEvent['type']): ReturnType<Command['run']> {
  const of = { merchantId: await line.merchantId() }
  const { skus } = line.client()
  const { umsId, name, stock } = await untouchedItem(line, of)
  if (type === 'sku.low_stock') {
    try {
      await skus.setStock(umsId, { ...of, quantity: 10, lowThreshold: 3 })
      await skus.setStock(umsId, { ...of, quantity: 3, lowThreshold: 3 })
    } finally {
      await skus.setStock(umsId, { ...of, quantity: null, lowThreshold: stock.lowThreshold })
    }
  } else {
    await skus.silence(umsId, { ...of })
    if (type === 'sku.restored') await skus.restore(umsId, { ...of })
  }
  return { data: await skus.get(umsId, of), text: `${type}  ${umsId}  ${plain(name)}` }
}

/**
 * An item without counted stock and silenced channels: neither a stock that orders change meanwhile nor the end of a silence could be
 * restored.
 */
async function untouchedItem({ client }: Line, of: { merchantId: string }): Promise<Sku> {
  for await (const sku of client().skus.list(of))
    if (sku.kind === 'item' && sku.state === 'live' && sku.stock.quantity === null) return sku
  throw new LineError(
    `Every item of ${of.merchantId} is silenced or has its stock counted, which could not be put back: restore one, or stop counting it.`,
  )
}

async function fireSample(line: Line, type: TicketrailEvent['type']): ReturnType<Command['run']> {
  const { webhooks } = line.client()
  const of = { merchantId: await line.merchantId() }
  const named = text(line, 'endpoint')
  const ids = named === undefined ? (await webhooks.list(of).page()).data.map(({ webhookId }) => webhookId) : [named]
  if (ids.length === 0)
    throw new LineError('There is no endpoint yet: `ticketrail listen --forward-to <url>` creates one.')
  const fired: unknown[] = []
  for (const id of ids) fired.push(await webhooks.test(id, { ...of, type }))
  return { data: fired, text: `${type} with made-up data sent to ${ids.join(', ')}` }
}
