// Places for HTTP connections: so many in all, so many for each share. Where there are none left, the one that was idle for longest goes, so
// a newcomer gets in; where there are none left at all, one of the share that holds the most.

/** What is used of a socket. */
export interface PlacedSocket {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localPort?: number | undefined
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

interface PlacedRequest {
  readonly socket: Pick<PlacedSocket, 'remoteAddress' | 'remotePort' | 'localPort'>
  /** True when its body is here. */
  readonly complete: boolean
}

interface PlacedResponse {
  readonly writableEnded: boolean
  readonly writableNeedDrain: boolean
  once(event: 'close', listener: () => void): unknown
}

/** An HTTP or HTTPS server of Node. */
export interface PlacedServer {
  on(event: 'connection', listener: (socket: PlacedSocket) => void): unknown
  prependListener(event: 'request', listener: (request: PlacedRequest, response: PlacedResponse) => void): unknown
}

/** A part of the places: connections with its name have at most `most` of them together. */
export interface Share {
  name: string
  most: number
}

export interface PlaceRules {
  /** Of all together. */
  most: number
  /** The shares that this address falls under, the smallest first. */
  sharesOf(address: string): readonly Share[]
}

interface Connection {
  /** Of its two ends. Not its identity: a client may have the port again before the end of its last connection is known here. */
  ends: string
  socket: PlacedSocket
  names: readonly string[]
  /** Requests that are not answered yet, in the order of their answers. None: it waits for a request, however much of its headers is here. */
  open: Map<PlacedRequest, PlacedResponse>
}

/** The one that has been in that state longest comes first. */
interface Holders {
  idle: Set<Connection>
  busy: Set<Connection>
}

const ALL = ''

export class ConnectionPlaces {
  readonly #rules: PlaceRules
  readonly #holders = new Map<string, Holders>()
  readonly #connections = new Set<Connection>()
  /** By address and port of both ends; the newest, where two have the same. */
  readonly #byEnds = new Map<string, Connection>()
  readonly #sizes = new Sizes()

  constructor(rules: PlaceRules) {
    this.#rules = rules
  }

  /** May be called for several servers, which share the places then. */
  watch(server: PlacedServer): void {
    server.on('connection', (socket) => this.#arrive(socket))
    // Before the handler: its report about a request must find it here.
    server.prependListener('request', (request, response) => this.#begin(request, response))
  }

  /** It is no HTTP connection any more: others count it from now on. */
  leave(socket: Pick<PlacedSocket, 'remoteAddress' | 'remotePort' | 'localPort'>): void {
    const connection = this.#byEnds.get(endsOf(socket))
    if (connection) this.#drop(connection)
  }

  /** Nothing works on an answer to this request: its connection may be closed as if it were idle. */
  makeWay(request: PlacedRequest): void {
    const connection = this.#byEnds.get(endsOf(request.socket))
    const [first] = connection?.open.keys() ?? []
    if (connection && first === request) this.#put(connection, 'idle')
  }

  #arrive(socket: PlacedSocket): void {
    // Its client has reset it already: its share can no longer be determined, and it will send no request.
    if (socket.remoteAddress === undefined) {
      socket.destroy()
      return
    }
    const shares = [...this.#rules.sharesOf(socket.remoteAddress), { name: ALL, most: this.#rules.most }]
    for (const { name, most } of shares) {
      const holders = this.#holders.get(name)
      if (!holders || holders.idle.size + holders.busy.size < most) continue
      const goes = (name === ALL && this.#leastWantedOfLargest()) || leastWanted(holders)
      if (!goes) {
        socket.destroy()
        return
      }
      this.#drop(goes)
      goes.socket.destroy()
    }
    const connection = {
      ends: endsOf(socket),
      socket,
      names: shares.map(({ name }) => name),
      open: new Map<PlacedRequest, PlacedResponse>(),
    }
    this.#connections.add(connection)
    this.#byEnds.set(connection.ends, connection)
    this.#count(connection, 1)
    this.#put(connection, 'idle')
    socket.once('close', () => this.#drop(connection))
  }

  /** If many addresses hold all places, those with few keep theirs. */
  #leastWantedOfLargest(): Connection | null {
    const holders = this.#holders.get(this.#sizes.largest() ?? '')
    return holders ? leastWanted(holders) : null
  }

  #begin(request: PlacedRequest, response: PlacedResponse): void {
    const connection = this.#byEnds.get(endsOf(request.socket))
    if (!connection) return
    connection.open.set(request, response)
    // A request behind another one waits, and changes nothing.
    if (connection.open.size === 1) this.#put(connection, 'busy')
    response.once('close', () => {
      connection.open.delete(request)
      if (this.#connections.has(connection)) this.#put(connection, connection.open.size === 0 ? 'idle' : 'busy')
    })
  }

  #put(connection: Connection, state: keyof Holders): void {
    for (const name of connection.names) {
      const holders = this.#holders.get(name) ?? { idle: new Set(), busy: new Set() }
      this.#holders.set(name, holders)
      holders.idle.delete(connection)
      holders.busy.delete(connection)
      holders[state].add(connection)
    }
  }

  /** In the smallest share that it falls under; a trusted proxy falls under none but that of all. */
  #count({ names: [smallest = ALL] }: Connection, by: 1 | -1): void {
    if (smallest !== ALL) this.#sizes.change(smallest, by)
  }

  #drop(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    if (this.#byEnds.get(connection.ends) === connection) this.#byEnds.delete(connection.ends)
    this.#count(connection, -1)
    for (const name of connection.names) {
      const holders = this.#holders.get(name)
      holders?.idle.delete(connection)
      holders?.busy.delete(connection)
      if (holders && holders.idle.size + holders.busy.size === 0) this.#holders.delete(name)
    }
  }
}

/** The longest idle one; where none is idle, the longest busy one that waits for its client. Never one that waits for its answer. */
function leastWanted({ idle, busy }: Holders): Connection | null {
  for (const connection of idle) return connection
  for (const connection of busy) {
    // Answers are sent in order: a request behind an unread answer is not read either.
    const [first] = connection.open
    if (first && waitsForClient(first)) return connection
  }
  return null
}

/** For the rest of the request, or for its answer to be read. */
function waitsForClient([request, response]: readonly [PlacedRequest, PlacedResponse]): boolean {
  return !request.complete || response.writableEnded || response.writableNeedDrain
}

/** By https a request has another socket than the connection that came, with the same ends. */
function endsOf({
  remoteAddress,
  remotePort,
  localPort,
}: Pick<PlacedSocket, 'remoteAddress' | 'remotePort' | 'localPort'>): string {
  return `${remoteAddress} ${remotePort} ${localPort}`
}

/** The number of connections of each share, so that the largest is found without a search. */
class Sizes {
  readonly #of = new Map<string, number>()
  /** Names by size; [0] is empty. */
  readonly #names: Set<string>[] = []

  change(name: string, by: 1 | -1): void {
    const before = this.#of.get(name) ?? 0
    const after = before + by
    this.#names[before]?.delete(name)
    if (after === 0) this.#of.delete(name)
    else {
      this.#of.set(name, after)
      const same = this.#names[after] ?? new Set<string>()
      this.#names[after] = same
      same.add(name)
    }
    while (this.#names.length > 0 && (this.#names.at(-1)?.size ?? 0) === 0) this.#names.pop()
  }

  largest(): string | null {
    for (const name of this.#names.at(-1) ?? []) return name
    return null
  }
}
