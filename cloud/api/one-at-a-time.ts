// Requests of one connection are worked on one after the other: the next one when the answer to the one before has gone out.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Clients that pipeline send a handful ahead. Node reads a thousand at once, whether or not their answers are ever read. */
const MOST_AHEAD = 4

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

interface Queue {
  current: Exchange
  waiting: Exchange[]
  /** What is answered last, instead of a request: the parser has refused what came. */
  refuse: (() => void) | null
}

export class RequestQueues {
  /** Of each connection that has a request in work. */
  readonly #queues = new WeakMap<Duplex, Queue>()
  #answer: RequestListener = () => undefined

  /** Takes the place of the server's one `request` listener, so that what waits has cost no more than Node's own objects. */
  watch(server: Server): void {
    const [answer, ...others] = server.listeners('request') as RequestListener[]
    if (answer === undefined || others.length > 0) throw new Error('a server has one listener that answers')
    this.#answer = answer
    server.removeAllListeners('request')
    server.on('request', (request, response) => this.#take(request, response))
    // Node has let go of the connection: it ends none of the responses that wait.
    server.on('connect', (_request, socket: Duplex) => {
      const waiting = this.#queues.get(socket)?.waiting ?? []
      this.#queues.delete(socket)
      socket.destroy()
      for (const { response } of waiting) response.emit('close')
    })
  }

  /**
   * Whether an answer is still to be made, or the one that was made is the last of the connection. Over TLS a client can have an answer, and send again, before its response is
   * closed here.
   */
  isBusy(socket: Duplex): boolean {
    const queue = this.#queues.get(socket)
    if (queue === undefined) return false
    const { response } = queue.current
    return queue.waiting.length > 0 || !response.writableEnded || isLast(response)
  }

  /**
   * Calls `refuse` when the requests before it that came completely have been answered; at once when none is in work, or when the
   * one in work is what is refused. Never, when the connection ends before that.
   */
  refuseLast(socket: Duplex, refuse: () => void): void {
    const queue = this.#queues.get(socket)
    if (!queue?.current.request.complete) {
      refuse()
      return
    }
    // The rest of the last one is waited for no longer, nor is anything behind it.
    parseNoFurther(socket)
    if (queue.waiting.at(-1)?.request.complete === false) queue.waiting.pop()
    queue.refuse = refuse
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const queue = this.#queues.get(socket)
    if (queue && queue.waiting.length >= MOST_AHEAD) {
      this.#queues.delete(socket)
      socket.destroy()
    }
    if (isClosing(socket)) {
      parseNoFurther(socket)
      return
    }
    const exchange = { request, response }
    if (queue) waitsIn(queue, exchange)
    else this.#begin({ current: exchange, waiting: [], refuse: null })
  }

  #begin(queue: Queue): void {
    const { request, response } = queue.current
    const { socket } = request
    this.#queues.set(socket, queue)
    response.once('close', () => this.#next(socket))
    this.#answer(request, response)
  }

  #next(socket: Duplex): void {
    const queue = this.#queues.get(socket)
    this.#queues.delete(socket)
    if (isClosing(socket)) parseNoFurther(socket)
    if (!queue || isClosing(socket)) return
    const next = queue.waiting.shift()
    if (!next) {
      queue.refuse?.()
      return
    }
    queue.current = next
    this.#begin(queue)
  }
}

/** Whether its head has `Connection: close`, which Node keeps to itself: neither its headers nor `shouldKeepAlive` show it reliably. */
const isLast = (response: ServerResponse): boolean => (response as ServerResponse & { _last: boolean })._last

function waitsIn(queue: Queue, exchange: Exchange): void {
  queue.waiting.push(exchange)
  const { request, response } = exchange
  if (request.headers.upgrade === undefined) return
  // Node drops the rest of the piece in which a refused request to switch protocols came: what follows would be read from its middle.
  response.shouldKeepAlive = false
  parseNoFurther(request.socket)
}

/**
 * After an answer with `Connection: close`, nothing else on its connection is processed (RFC 9112 §9.6): no answer to it would be sent.
 * Node has ended its side of the socket then.
 */
const isClosing = (socket: Duplex): boolean => socket.destroyed || socket.writableEnded

/**
 * Node hands on every request of a piece of 64 kB, even after the socket is destroyed. With this it makes one more object and stops: 2 is
 * what `onIncoming` returns for a request that leaves HTTP. Without `upgrade = false` Node would emit `upgrade` for it.
 */
function parseNoFurther(socket: Duplex): void {
  const { parser } = socket as Duplex & { parser?: { onIncoming: (request: { upgrade: boolean }) => number } | null }
  if (!parser) return
  parser.onIncoming = (request) => {
    request.upgrade = false
    return 2
  }
}
