// Refuses a packet by its announced length, before its bytes are collected: aedes 1.2.0 has no size limit of its own, so four sockets
// with half a CONNECT grew the process by 430 MB; and a SUBSCRIBE of many filters before aedes works on the first of them: 20,000 stopped
// the relay for 0.9 s. It reaches into aedes and mqtt-packet; broker.room.test.ts proves that it still bites.

/** The private parts that are touched. Pinned versions: aedes 1.2.0, mqtt-packet 9.0.2. */
interface GuardedParser {
  packet: { cmd: string; length: number; subscriptions?: readonly unknown[]; unsubscriptions?: readonly unknown[] }
  _parseLength(): boolean
  _parseSubscribe(): unknown
  _parseUnsubscribe(): unknown
  _emitError(error: Error): boolean
}

export interface PacketLimit {
  bytes: number
  /** In one SUBSCRIBE or UNSUBSCRIBE. */
  filters: number
}

export interface ParserWatch {
  /** Asked at each packet, because it grows once the client is authenticated. @param kind such as `publish` */
  limit(kind: string): PacketLimit
  /** A packet is announced that is not too large. @param bytes behind its header */
  announced(bytes: number): void
}

/**
 * Limits the packets of one connection.
 * @throws Error when the parser does not have the expected fields: no broker is better than an unguarded one.
 */
export function guardParser(client: object, { limit, announced }: ParserWatch): void {
  const parser = (client as { _parser?: GuardedParser })._parser
  const touched = ['_parseLength', '_parseSubscribe', '_parseUnsubscribe', '_emitError'] as const
  if (!parser || touched.some((name) => typeof parser[name] !== 'function'))
    throw new Error('this aedes has another parser: the size guard must be written anew')
  const parseLength = parser._parseLength
  parser._parseLength = () => {
    const known = parseLength.call(parser)
    if (!known) return known
    const { cmd, length } = parser.packet
    if (length <= limit(cmd).bytes) {
      announced(length)
      return known
    }
    parser._emitError(new Error(`${cmd} of ${length} bytes is too large`))
    return false
  }
  for (const name of ['_parseSubscribe', '_parseUnsubscribe'] as const) {
    const parse = parser[name]
    parser[name] = () => {
      parse.call(parser)
      const { cmd, subscriptions, unsubscriptions } = parser.packet
      const filters = (subscriptions ?? unsubscriptions ?? []).length
      if (filters > limit(cmd).filters) parser._emitError(new Error(`${cmd} of ${filters} filters`))
    }
  }
}
