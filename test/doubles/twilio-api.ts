// Twilio's REST API as far as the relay uses it, on loopback: with what it does when answers are lost, late or wrong.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TWILIO } from '#test/fixtures/signed-hooks.ts'

/** What happens to a request beside its effect. `lose`: it is carried out, and its connection cut. `hang`: it is carried out, and never answered. */
export type Trouble = 'lose' | 'hang' | { status: number; code?: number } | { body: string; type?: string }

export interface OwnNumber {
  sid: string
  phone_number: string
  friendly_name: string
  settings: Record<string, string>
}

export class TwilioApi {
  readonly numbers: OwnNumber[] = []
  readonly messages: Array<Record<string, string> & { sid: string }> = []
  readonly recordings = new Map<string, Buffer>()
  readonly calls = new Map<string, string>()
  /** Numbers that can be bought. */
  free: string[] = []
  /** One for each request that changes something; the others are answered in order. */
  readonly troubles: Trouble[] = []
  /** `GET /path?query`, in order. */
  readonly requests: string[] = []
  #server: Server
  #origin = ''
  #count = 0

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  static async start(): Promise<TwilioApi> {
    const api = new TwilioApi()
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve))
    api.#origin = `http://127.0.0.1:${(api.#server.address() as AddressInfo).port}`
    return api
  }

  get url(): string {
    return this.#origin
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')))
    const url = new URL(request.url ?? '/', this.#origin)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    const login = Buffer.from(`${TWILIO.account}:${TWILIO.token}`).toString('base64')
    if (request.headers.authorization !== `Basic ${login}`) return end(response, 401, { code: 20003 })
    const path = url.pathname.replace(`/2010-04-01/Accounts/${TWILIO.account}`, '')
    const changes = request.method !== 'GET'
    const trouble = changes ? this.troubles.shift() : undefined
    if (typeof trouble === 'object' && 'status' in trouble)
      return end(
        response,
        trouble.status,
        { code: trouble.code ?? trouble.status },
        { location: `${this.#origin}/elsewhere` },
      )
    const [status, body] = this.#done(`${request.method} ${path}`, form, url.searchParams)
    if (trouble === 'lose') return void request.socket.destroy()
    if (trouble === 'hang') return
    if (typeof trouble === 'object') {
      response.writeHead(200, { 'content-type': trouble.type ?? 'application/json' })
      return void response.end(trouble.body)
    }
    end(response, status, body)
  }

  #done(what: string, form: Record<string, string>, query: URLSearchParams): [status: number, body: unknown] {
    const id = /(\w+)\.(?:json|wav)$/.exec(what)?.[1] ?? ''
    if (what === 'GET /IncomingPhoneNumbers.json') {
      const fits = ({ friendly_name, phone_number }: OwnNumber): boolean =>
        (query.get('FriendlyName') ?? friendly_name) === friendly_name &&
        (query.get('PhoneNumber') ?? phone_number) === phone_number
      return [200, { incoming_phone_numbers: this.numbers.filter(fits) }]
    }
    if (/^GET \/AvailablePhoneNumbers\/US\/Local\.json$/.test(what)) {
      const free = this.free.filter((number) => number.startsWith(`+1${query.get('AreaCode')}`))
      return [200, { available_phone_numbers: free.map((phone_number) => ({ phone_number })) }]
    }
    if (what.startsWith('GET /AvailablePhoneNumbers/')) return [200, { available_phone_numbers: [] }]
    if (what === 'POST /IncomingPhoneNumbers.json') return this.#bought(form)
    if (what.startsWith('POST /IncomingPhoneNumbers/')) {
      const number = this.numbers.find(({ sid }) => sid === id)
      if (number === undefined) return [404, { code: 20404 }]
      number.friendly_name = form['FriendlyName'] ?? number.friendly_name
      number.settings = form
      return [200, number]
    }
    if (what === 'POST /Messages.json') {
      const sid = this.#sid('SM')
      this.messages.push({ ...form, sid })
      return [201, { sid, status: 'queued' }]
    }
    if (what === 'GET /Messages.json') {
      const sent = this.messages.filter(({ To, From }) => To === query.get('To') && From === query.get('From'))
      return [
        200,
        {
          messages: sent.map(({ sid, To, From, Body, date }) => ({
            sid,
            to: To,
            from: From,
            body: Body,
            date_created: date ?? 'Mon, 30 Nov 2026 12:00:00 +0000',
          })),
        },
      ]
    }
    if (what.startsWith('GET /Recordings/')) return this.recordings.has(id) ? [200, this.recordings.get(id)] : [404, {}]
    if (what.startsWith('DELETE /Recordings/')) return this.recordings.delete(id) ? [204, ''] : [404, {}]
    if (what.startsWith('GET /Calls/')) return this.calls.has(id) ? [200, { status: this.calls.get(id) }] : [404, {}]
    return [405, {}]
  }

  #bought(form: Record<string, string>): [status: number, body: unknown] {
    const at = this.free.indexOf(form['PhoneNumber'] ?? '')
    if (at < 0) return [400, { code: 21422 }]
    const [phone_number = ''] = this.free.splice(at, 1)
    const bought = { sid: this.#sid('PN'), phone_number, friendly_name: form['FriendlyName'] ?? '', settings: form }
    this.numbers.push(bought)
    return [201, bought]
  }

  #sid(prefix: string): string {
    this.#count += 1
    return prefix + String(this.#count).padStart(32, '0')
  }
}

function end(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const isBytes = Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': isBytes ? 'audio/x-wav' : 'application/json', ...headers })
  response.end(isBytes ? body : status === 204 ? '' : JSON.stringify(body))
}
