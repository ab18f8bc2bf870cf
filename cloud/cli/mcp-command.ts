// mcp: the tools of a voice agent over standard input and output, in the Model Context Protocol. Standard output has nothing but its messages.
import * as z from 'zod/mini'
import { LineError } from '#shared/cli/command.ts'
import { call } from '#shared/sdk/call.ts'
import { TicketrailError } from '#shared/sdk/error.ts'
import { VERSION } from '#shared/version.ts'
import { type Command, EXIT, type Line } from './command.ts'

/** The newest first. With another one asked for, the newest is offered, and the client decides. */
const PROTOCOLS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Of one message: an order of 200 lines has some 30 kB. */
const LONGEST_LINE = 1_048_576
/** Calls at a time: what comes beyond them is answered with an error. */
const MOST_CALLS = 16

const INSTRUCTIONS = `Take orders for the kitchen of a restaurant. Rules:
1. Prices come from listSkus. "price" of a line is the price of one piece with its modifiers; "total" is the sum of price x qty.
2. Use checkOrder before you read an order back; it changes nothing. Where menuPrice of a line is not its price, correct the price: the order is taken at the price that you send. Read back items, quantities and the total, and wait for a yes.
3. Make orderId from the conversation and the number of the order in it, such as call:<id>:1. Send the same order with the same orderId again after an error or a timeout: it is one order.
4. "source" is voice:<your product>.
5. printPending: true is an order that was taken: promise no time. ums.item_silenced: the item is sold out.
6. With an allergy, a complaint, or when it stays unknown whether an order was taken: a person takes over.`

const described = z.object({
  tools: z.array(
    z.object({
      function: z.object({
        name: z.string(),
        description: z.string(),
        parameters: z.object({
          type: z.literal('object'),
          properties: z.record(z.string(), z.unknown()),
          required: z.array(z.string()),
          additionalProperties: z.boolean(),
        }),
      }),
    }),
  ),
  calls: z.record(z.string(), z.object({ method: z.string(), path: z.string(), scopes: z.array(z.string()) })),
})
type Described = z.infer<typeof described>

const message = z.object({
  jsonrpc: z.literal('2.0'),
  /** Absent: a notification, which has no answer. */
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
})
type Message = z.infer<typeof message>

export const mcpCommand: Command = {
  name: 'mcp',
  usage: '',
  summary: 'Offers the tools of a voice agent to a program that speaks the Model Context Protocol (stdio)',
  options: {},
  examples: ['', '--merchant M-TEST-001'],
  run: async (line) => {
    const server = new McpServer(line, await toolsFor(line))
    for await (const text of linesOf(line.input())) server.take(text)
    await server.settled()
    return { data: undefined, text: '', exitCode: line.stopped.aborted ? EXIT.stopped : EXIT.ok }
  },
}

interface Tools {
  merchantId: string
  described: Described
}

/** Of the relay itself, so that they fit its version; those that the scopes of the key allow. */
async function toolsFor(line: Line): Promise<Tools> {
  const { baseUrl, fetch = globalThis.fetch } = line.connection()
  const { scopes } = await line.client().keys.get({}, { signal: line.stopped })
  const merchantId = await line.merchantId()
  const response = await fetch(`${baseUrl}/docs/agents.json`, { redirect: 'manual', signal: line.stopped })
  const read = described.safeParse(await response.json().catch(() => null))
  if (!read.success) throw new LineError(`${baseUrl} describes no tools of agents: it is an older relay.`, EXIT.failed)
  const granted = new Set<string>(scopes)
  const isAllowed = (name: string) => read.data.calls[name]?.scopes.every((scope) => granted.has(scope)) === true
  const tools = read.data.tools.filter((tool) => isAllowed(tool.function.name))
  if (tools.length === 0)
    throw new LineError(
      'This key may use none of the tools: it needs menu:read, orders:read or orders:write.',
      EXIT.refused,
    )
  return { merchantId, described: { ...read.data, tools } }
}

/** Whole lines of a stream; a longer one than any message ends the program. @throws LineError */
async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LONGEST_LINE) throw new LineError('A message on standard input is longer than 1 MB.', EXIT.failed)
  }
  if (rest.trim() !== '') yield rest
}

type Answer = { result: unknown } | { error: { code: number; message: string } }

const refusal = (code: number, text: string): Answer => ({ error: { code, message: text } })

/** JSON-RPC 2.0, one message a line. */
class McpServer {
  readonly #line: Line
  readonly #tools: Tools
  readonly #running = new Map<string | number, AbortController>()
  readonly #answers = new Set<Promise<void>>()

  constructor(line: Line, tools: Tools) {
    this.#line = line
    this.#tools = tools
  }

  take(text: string): void {
    if (text.trim() === '') return
    let read: unknown
    try {
      read = JSON.parse(text)
    } catch {
      return void this.#send(null, refusal(-32_700, 'This line is not JSON.'))
    }
    const { data } = message.safeParse(read)
    if (data === undefined) {
      // An answer to nothing that we asked is none of ours.
      if (typeof read === 'object' && read !== null && ('result' in read || 'error' in read)) return
      return void this.#send(null, refusal(-32_600, 'This is not a JSON-RPC 2.0 request; batches are not supported.'))
    }
    if (data.id === undefined) return void this.#noted(data)
    const { id } = data
    const answering = this.#answer(data, id).then((answer) => {
      // Of a call that the client took back nothing is said.
      if (answer !== null) this.#send(id, answer)
    })
    this.#answers.add(answering)
    void answering.finally(() => this.#answers.delete(answering))
  }

  async settled(): Promise<void> {
    while (this.#answers.size > 0) await Promise.all(this.#answers)
  }

  #send(id: string | number | null, answer: Answer): void {
    this.#line.printMessage({ jsonrpc: '2.0', id, ...answer })
  }

  #noted({ method, params }: Message): void {
    const id = params?.['requestId']
    if (method === 'notifications/cancelled' && (typeof id === 'string' || typeof id === 'number'))
      this.#running.get(id)?.abort()
  }

  async #answer({ method, params = {} }: Message, id: string | number): Promise<Answer | null> {
    switch (method) {
      case 'initialize':
        return { result: this.#welcome(params['protocolVersion']) }
      case 'ping':
        return { result: {} }
      case 'tools/list':
        return { result: { tools: this.#tools.described.tools.map((tool) => this.#shown(tool)) } }
      case 'tools/call':
        return this.#call(params, id)
      default:
        return refusal(-32_601, `There is no method ${method}.`)
    }
  }

  #welcome(asked: unknown) {
    const protocolVersion = PROTOCOLS.find((version) => version === asked) ?? PROTOCOLS[0]
    const serverInfo = { name: 'ticketrail', title: 'Ticketrail', version: VERSION }
    return { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: INSTRUCTIONS }
  }

  /** The merchant is that of the command line: the model need not know it. */
  #shown({ function: { name, description, parameters } }: Described['tools'][number]) {
    const { merchantId: _, ...properties } = parameters.properties
    const required = parameters.required.filter((one) => one !== 'merchantId')
    const readOnlyHint = name !== 'injectOrder'
    return {
      ...{ name, description, inputSchema: { ...parameters, properties, required } },
      annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    }
  }

  async #call(params: Readonly<Record<string, unknown>>, id: string | number): Promise<Answer | null> {
    const { name, arguments: given = {} } = params
    const tool = this.#tools.described.tools.find((one) => one.function.name === name)
    const how = tool === undefined ? undefined : this.#tools.described.calls[tool.function.name]
    if (how === undefined) return refusal(-32_602, `There is no tool ${String(name)}.`)
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return refusal(-32_602, '"arguments" must be an object.')
    if (this.#running.size >= MOST_CALLS) return toolError('Too many calls at a time: wait for an answer.')
    const cancel = new AbortController()
    this.#running.set(id, cancel)
    try {
      if ('merchantId' in given && given.merchantId !== this.#tools.merchantId)
        return toolError(`This server is for the merchant ${this.#tools.merchantId} alone: leave "merchantId" out.`)
      const request = requestOf(how, { ...given, merchantId: this.#tools.merchantId })
      if (typeof request === 'string') return toolError(request)
      const signal = AbortSignal.any([this.#line.stopped, cancel.signal])
      const answer = (await call(this.#line.connection(), request, { signal })) as { printPending?: boolean }
      // A 503 printer.offline was taken: the SDK keeps the fact beside the fields.
      return toolText({ ...answer, ...(answer.printPending === true && { printPending: true }) })
    } catch (error) {
      if (cancel.signal.aborted) return null
      return toolError(errorText(error))
    } finally {
      this.#running.delete(id)
    }
  }
}

/** A text: what is missing of the arguments. */
function requestOf({ method, path }: Described['calls'][string], given: Record<string, unknown>) {
  const rest = { ...given }
  let missing: string | null = null
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    // Nothing that would make another path of it.
    if (typeof value !== 'string' || /^\.*$/.test(value)) missing = name
    return encodeURIComponent(String(value))
  })
  if (missing !== null) return `${missing} is missing: it must be a text.`
  if (method !== 'GET') return { method, path: filled, body: rest }
  const query = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
  return { method, path: `${filled}?${new URLSearchParams(query)}` }
}

function toolText(data: unknown): Answer {
  return { result: { content: [{ type: 'text', text: JSON.stringify(data) }] } }
}

/** For the model, which can mend its arguments: not an error of the protocol. */
function toolError(text: string): Answer {
  return { result: { content: [{ type: 'text', text }], isError: true } }
}

function errorText(error: unknown): string {
  if (!(error instanceof TicketrailError)) return error instanceof Error ? error.message : 'The call failed.'
  const { code, message: text, errors, details, requestId } = error
  return JSON.stringify({ code, message: text, ...(errors.length > 0 && { errors }), ...details, requestId })
}
