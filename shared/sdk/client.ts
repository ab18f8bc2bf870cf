// The client of the API: the operations of /v1 as typed methods, grouped by resource. call.ts sends the requests.
import { systemTimers } from '#shared/clock.ts'
import type { CallOptions } from './answer.ts'
import type { Resources } from './api.ts'
import { type ConnectionOptions, call } from './call.ts'
import { OPERATIONS, partsOf } from './operations.ts'
import { type EventPage, type FollowQuery, followEvents, listOf } from './pages.ts'

export interface TicketrailOptions extends ConnectionOptions {
  /** Merchant of every call that does not name another one. */
  merchantId?: string
}

/**
 * A client of a Ticketrail relay. Methods are grouped by resource, such as `client.orders.inject(...)`. Arguments: the id in the path if
 * there is one, the fields, then `CallOptions`.
 * Each method resolves with the response, and throws a `TicketrailError` when its last attempt has failed.
 */
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
    /**
     * Yields pages of events in the order of their commits, each event once. It waits for new events, and ends only when you leave the loop
     * or abort the signal.
     */
    follow(query?: FollowQuery, options?: CallOptions): AsyncGenerator<EventPage, never>
  }
  declare readonly merchants: Resources['merchants']
  declare readonly requests: Resources['requests']
  declare readonly usage: Resources['usage']
  declare readonly keys: Resources['keys']
  declare readonly sandbox: Resources['sandbox']

  /** @throws TypeError for an invalid baseUrl, and for a live key in a browser, where every visitor could read it */
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
    // The first id of the path is an argument; further ids are among the fields.
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

/** @throws TypeError for an id that would change the path, such as an empty one or `..` */
function takenFrom(fields: Fields, name: string): string {
  const value = fields[name]
  delete fields[name]
  if (typeof value !== 'string' || /^\.*$/.test(value)) throw new TypeError(`${name} is not an id: ${value}`)
  return encodeURIComponent(value)
}

/** The JSON round trip drops undefined values. */
const query = (fields: Fields): string => `?${new URLSearchParams(JSON.parse(JSON.stringify(fields)))}`
