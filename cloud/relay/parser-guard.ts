// Refuses a packet by its announced length, before its bytes are collected: aedes 1.2.0 has no size limit of its own, so four sockets
// with half a CONNECT grew the process by 430 MB. It reaches into aedes and mqtt-packet; parser-guard.test.ts proves that it still bites.

/** The private parts that are touched. Pinned versions: aedes 1.2.0, mqtt-packet 9.0.2. */
interface GuardedParser {
  packet: { length: number }
  _parseLength(): boolean
  _emitError(error: Error): boolean
}

/**
 * Guards one connection. `limit` is asked at each packet, because it grows once the client is authenticated.
 * @throws Error when the parser does not look as expected: better no broker than an unguarded one.
 */
export function guardParser(client: object, limit: () => number): void {
  const parser = (client as { _parser?: GuardedParser })._parser
  if (typeof parser?._parseLength !== 'function' || typeof parser._emitError !== 'function')
    throw new Error('this aedes has another parser: the size guard must be written anew')
  const parseLength = parser._parseLength
  parser._parseLength = () => {
    const known = parseLength.call(parser)
    if (!known || parser.packet.length <= limit()) return known
    parser._emitError(new Error(`packet of ${parser.packet.length} bytes is too large`))
    return false
  }
}
