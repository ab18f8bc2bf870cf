// The client of the API: the operations of /v1 as typed methods, grouped by resource. call.ts sends the requests.
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

  /** @throws TypeError for a missing or invalid apiKey or baseUrl, and for a live key in a browser, where every visitor could read it */
  constructor({ merchantId, ...given }: TicketrailOptions) {
    const { apiKey, baseUrl } = given
    refuse(!/^sk_/.test(apiKey), 'apiKey is missing or invalid: it begins with sk_sandbox_ or sk_live_')
    refuse(
      /^sk_live_/.test(apiKey) && 'document' in globalThis,
      'apiKey is live: use it on a server, never in a browser',
    )
    refuse(!/^https?:\/\/\S+$/.test(baseUrl), 'baseUrl is missing or invalid: it begins with http:// or https://')
    const to = { ...given, baseUrl: baseUrl.replace(/\/+$/, '') }
    const follow = (query: FollowQuery = {}, options: CallOptions = {}) =>
      followEvents((fields, ofCall) => this.events.list(fields, ofCall).page(), { ...to, ...options }, query)
    for (const [resource, operations] of Object.entries(OPERATIONS)) {
      const methods: Record<string, unknown> = {}
      for (const [name, operation] of Object.entries(operations)) methods[name] = methodOf(to, operation, merchantId)
      Object.assign(this, { [resource]: methods })
    }
    Object.assign(this.events, { follow })
  }
}

function refuse(isInvalid: boolean, message: string): void {
  if (isInvalid) throw new TypeError(message)
}

type Fields = Record<string, unknown>

function methodOf(to: ConnectionOptions, operation: string, merchantId: string | undefined) {
  const [method, path, isList, isOfAccount] = partsOf(operation)
  const firstId = path.split(/[{}]/)[1]
  return (...args: unknown[]) => {
    // The first id of the path is an argument; further ids are among the fields.
    const id = firstId && { [firstId]: args.shift() }
    const [given, options] = args as [object?, CallOptions?]
    const { cursor, ...fields }: Fields = { merchantId: isOfAccount ? undefined : merchantId, ...given, ...id }
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => takenFrom(fields, name))
    const send = (at = cursor) => {
      // POST, PUT and PATCH have a body. The JSON round trip drops undefined values.
      const request = method.startsWith('P')
        ? { path: filled, body: fields }
        : { path: `${filled}?${new URLSearchParams(JSON.parse(JSON.stringify({ ...fields, cursor: at })))}` }
      return call(to, { method, ...request }, options) as never
    }
    return isList ? listOf(send) : send()
  }
}

/** @throws TypeError for an id that would change the path, such as an empty one or `..` */
function takenFrom(fields: Fields, name: string): string {
  const value = fields[name]
  delete fields[name]
  refuse(typeof value !== 'string' || /^\.*$/.test(value), `${name} is not an id: ${value}`)
  return encodeURIComponent(value as string)
}
