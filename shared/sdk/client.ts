// The client of the API: the resources of /v1 as methods with types. Everything else of a call is in call.ts.
import { systemTimers } from '#shared/clock.ts'
import type { CallOptions } from './answer.ts'
import type { Resources } from './api.ts'
import { type ConnectionOptions, call } from './call.ts'
import { OPERATIONS, partsOf } from './operations.ts'
import { type EventPage, type FollowQuery, followEvents, listOf } from './pages.ts'

export interface TicketrailOptions extends ConnectionOptions {
  /** Taken by every call that names no other. */
  merchantId?: string
}

/** `client.orders.inject(...)`: a method takes the id of its path, then its fields, then options of the call. */
export class Ticketrail implements Resources {
  declare readonly orders: Resources['orders']
  declare readonly printJobs: Resources['printJobs']
  declare readonly printers: Resources['printers']
  declare readonly gateways: Resources['gateways']
  declare readonly skus: Resources['skus']
  declare readonly channels: Resources['channels']
  declare readonly webhooks: Resources['webhooks']
  declare readonly listeners: Resources['listeners']
  declare readonly deliveries: Resources['deliveries']
  declare readonly events: Resources['events'] & {
    /** Page after page of events as they happen, each once, for ever: the generator ends when its loop is left. */
    follow(query?: FollowQuery, options?: CallOptions): AsyncGenerator<EventPage, never>
  }
  declare readonly merchants: Resources['merchants']
  declare readonly requests: Resources['requests']
  declare readonly usage: Resources['usage']
  declare readonly keys: Resources['keys']
  declare readonly sandbox: Resources['sandbox']

  /** @throws TypeError for a baseUrl that is none, and for a live key in a browser, where every visitor could read it */
  constructor({ merchantId, ...given }: TicketrailOptions) {
    if (given.apiKey.startsWith('sk_live_') && 'document' in globalThis) {
      throw new TypeError('Every visitor can read a key in a browser: use live keys on a server')
    }
    const to = { ...given, baseUrl: new URL(given.baseUrl).href.replace(/\/+$/, '') }
    const follow = (query: FollowQuery = {}, options: CallOptions = {}) =>
      followEvents(
        (fields, ofCall) => this.events.list(fields, ofCall).page(),
        { clock: to.clock ?? systemTimers, ...options },
        query,
      )
    for (const [resource, operations] of Object.entries(OPERATIONS)) {
      const methods = Object.entries(operations).map(([name, operation]) => [name, methodOf(to, operation, merchantId)])
      Object.assign(this, { [resource]: Object.fromEntries(methods) })
    }
    Object.assign(this.events, { follow })
  }
}

type Fields = Record<string, unknown>

function methodOf(to: ConnectionOptions, operation: string, merchantId: string | undefined) {
  const [method, path, isList, isOfAccount] = partsOf(operation)
  const isQuery = method === 'GET' || method === 'DELETE'
  const [firstId] = path.match(/(?<=\{)\w+/) ?? []
  return (...args: unknown[]) => {
    // The first id of the path has an argument of its own; any further one is among the fields.
    const id = firstId && { [firstId]: args.shift() }
    const [given, options] = args as [object?, CallOptions?]
    const { cursor, ...fields }: Fields = { ...(isOfAccount ? {} : { merchantId }), ...given, ...id }
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => takenFrom(fields, name))
    const send = (at = cursor) => {
      const request = isQuery ? { path: filled + query({ ...fields, cursor: at }) } : { path: filled, body: fields }
      return call(to, { method, ...request }, options) as never
    }
    return isList ? listOf(send) : send()
  }
}

/** @throws TypeError for an id that would lead to another path */
function takenFrom(fields: Fields, name: string): string {
  const value = fields[name]
  delete fields[name]
  if (typeof value !== 'string' || /^\.*$/.test(value)) throw new TypeError(`${name} is not an id: ${value}`)
  return encodeURIComponent(value)
}

/** JSON leaves out what is undefined. */
const query = (fields: Fields): string => `?${new URLSearchParams(JSON.parse(JSON.stringify(fields)))}`
