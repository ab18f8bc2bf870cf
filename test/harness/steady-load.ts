// Orders at a steady pace through connections that are kept alive, as a balancer's clients send them. Nothing is sent twice: each error is one.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'

export interface LoadOptions {
  /** https, on this machine. */
  port: number
  ca: string
  apiKey: string
  /** Orders a second. */
  rate: number
  /** Body of an order. @param token `T-000001` and so on */
  body(token: string): unknown
}

/** What became of one order. */
export interface Sent {
  token: string
  /** Of the steady clock. */
  sentMs: number
  answeredMs: number
  /** Null: there was no answer. */
  status: number | null
  /** What went wrong; null: nothing. */
  fault: string | null
}

const CONNECTIONS = 16

export class SteadyLoad {
  /** In the order of the answers. */
  readonly sent: Sent[] = []
  readonly #options: LoadOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  readonly #answered = new Signal()
  readonly #running = new Set<Promise<void>>()
  #isOn = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: LoadOptions) {
    this.#options = options
  }

  /** Orders that were not answered by 200 and their id. */
  get faults(): Sent[] {
    return this.sent.filter(({ status, fault }) => status !== 200 || fault !== null)
  }

  start(): void {
    this.#isOn = true
    this.#loop = this.#run()
  }

  /** Resolves when so many more orders were answered. */
  async more(count: number): Promise<void> {
    const until = this.sent.length + count
    while (this.sent.length < until) await this.#answered.next()
  }

  /** Resolves when every order has its answer. */
  async stop(): Promise<void> {
    this.#isOn = false
    await this.#loop
    await Promise.all(this.#running)
    this.#agent.destroy()
  }

  async #run(): Promise<void> {
    for (let n = 1; this.#isOn; n++) {
      const one = this.#send(`T-${String(n).padStart(6, '0')}`)
      this.#running.add(one)
      void one.finally(() => this.#running.delete(one))
      await systemClock.sleep(1_000 / this.#options.rate)
    }
  }

  async #send(token: string): Promise<void> {
    const { port, ca, apiKey, body } = this.#options
    const sentMs = systemClock.monotonicMs()
    const headers = {
      host: `localhost:${port}`,
      ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    }
    const to = { host: '127.0.0.1', servername: 'localhost', port, ca, path: '/v1/order/inject', method: 'POST' }
    let status: number | null = null
    let fault: string | null = null
    try {
      const asked = request({ ...to, agent: this.#agent, headers })
      asked.end(JSON.stringify(body(token)))
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      let text = ''
      for await (const chunk of response) text += chunk
      status = response.statusCode ?? 0
      if (status !== 200 || !text.includes('"serviceOrderId"')) fault = text.slice(0, 200)
    } catch (error) {
      fault = String(error)
    }
    this.sent.push({ token, sentMs, answeredMs: systemClock.monotonicMs(), status, fault })
    this.#answered.notify()
  }
}
