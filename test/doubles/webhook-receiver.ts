// A client's webhook receiver: a real HTTP server that records what arrives, verifies it on its own, and answers as told, well or badly.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { resetSocket } from '#gateway/printers/reset-socket.ts'
import { Signal } from '#shared/signal.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'

export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  /** The raw bytes of the body. */
  body: Buffer
  event: WebhookEvent
  /** X-Service-Signature fits the body under `secret`. */
  signatureValid: boolean
}

/** How the receiver answers. A body is sent with `status`; the rest are ways to misbehave. */
export type ReceiverAnswer =
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string>; delayMs?: number }
  /** Takes the request and never answers. */
  | { kind: 'hang' }
  /** Takes the request and answers when it is told how. */
  | { kind: 'later'; answer: Promise<ReceiverAnswer> }
  /** 200 at once, then one byte each `everyMs` for ever. */
  | { kind: 'drip'; everyMs: number }
  /** 200 and a body without end, as fast as it is read. */
  | { kind: 'endless' }
  | { kind: 'redirect'; location: string }
  /** Cuts the connection with RST instead of an answer. */
  | { kind: 'reset' }
  /** Bytes that are not HTTP. */
  | { kind: 'garbage' }

const OK: ReceiverAnswer = { kind: 'status', status: 200 }

export class WebhookReceiver {
  /** The endpoint's signing secret, `whsec_...`; needed for `signatureValid`. */
  secret = ''
  /** Everything that arrived, in the order of arrival. */
  readonly received: ReceivedWebhook[] = []
  readonly arrived = new Signal<ReceivedWebhook>()
  /** Connections seen, also those that sent nothing. */
  connections = 0
  /** Requests that have arrived and are not answered yet, and the most there ever were. */
  open = 0
  mostOpen = 0
  #answer: (received: ReceivedWebhook) => ReceiverAnswer = () => OK
  #server: Server | null = null
  readonly #drips = new Set<NodeJS.Timeout>()

  /** Answers every request from now on so; a function decides for each. Default: 200. */
  answerWith(answer: ReceiverAnswer | ((received: ReceivedWebhook) => ReceiverAnswer)): void {
    this.#answer = typeof answer === 'function' ? answer : () => answer
  }

  /** @param port 0 for any; a number to come back on the same one after `stop`. */
  async start(port = 0): Promise<void> {
    const server = createServer((request, response) => void this.#take(request, response))
    server.keepAliveTimeout = 5_000
    server.on('connection', () => {
      this.connections += 1
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const drip of this.#drips) clearInterval(drip)
    this.#drips.clear()
    if (!server) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  get port(): number {
    if (!this.#server) throw new Error('the receiver is not started')
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`
  }

  /** The first event that `matches`, of those already here or the next to come. */
  async nextEvent(matches: (event: WebhookEvent) => boolean, timeoutMs = 100_000): Promise<ReceivedWebhook> {
    const here = this.received.find(({ event }) => matches(event))
    return here ?? this.arrived.next(({ event }) => matches(event), AbortSignal.timeout(timeoutMs))
  }

  /** Resolves with everything received once it is at least `count`. */
  async waitFor(count: number, timeoutMs = 100_000): Promise<readonly ReceivedWebhook[]> {
    const deadline = AbortSignal.timeout(timeoutMs)
    while (this.received.length < count) await this.arrived.next(undefined, deadline)
    return this.received
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    response.once('close', () => {
      this.open -= 1
    })
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender went away in the middle: nothing was received.
      return
    }
    const received = this.#record(request, Buffer.concat(chunks))
    this.#reply(this.#answer(received), response)
    this.arrived.notify(received)
  }

  #record({ url, headers }: IncomingMessage, body: Buffer): ReceivedWebhook {
    const received: ReceivedWebhook = {
      path: url ?? '',
      headers,
      body,
      event: JSON.parse(body.toString('utf8')),
      signatureValid: verifies(this.secret, body, headers['x-service-signature']),
    }
    this.received.push(received)
    return received
  }

  #reply(answer: ReceiverAnswer, response: ServerResponse): void {
    switch (answer.kind) {
      case 'status': {
        const send = () => response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
        if (answer.delayMs === undefined) send()
        else setTimeout(send, answer.delayMs)
        return
      }
      case 'hang':
        return
      case 'later':
        void answer.answer.then((now) => this.#reply(now, response))
        return
      case 'drip':
        response.writeHead(200).write('.')
        this.#dripInto(response, answer.everyMs)
        return
      case 'endless':
        response.writeHead(200)
        pour(response)
        return
      case 'redirect':
        response.writeHead(302, { location: answer.location }).end()
        return
      case 'reset':
        if (response.socket) resetSocket(response.socket)
        return
      case 'garbage':
        response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')
        return
    }
  }

  #dripInto(response: ServerResponse, everyMs: number): void {
    const drip = setInterval(() => response.write('.'), everyMs)
    this.#drips.add(drip)
    response.once('close', () => {
      clearInterval(drip)
      this.#drips.delete(drip)
    })
  }
}

function pour(response: ServerResponse): void {
  const block = Buffer.alloc(16_384, 'x')
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}

/** As docs/webhooks.md tells client developers to do it; nothing of cloud/webhooks is used here. */
function verifies(secret: string, body: Buffer, signature: unknown): boolean {
  if (typeof signature !== 'string') return false
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
