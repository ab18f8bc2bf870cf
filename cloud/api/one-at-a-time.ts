// Requests of one connection are worked on one after the other: the next one when the answer to the one before has gone out.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Clients that pipeline send a handful ahead. Node reads a thousand at once, whether or not their answers are ever read. */
const MOST_AHEAD = 4

interface Queue {
  current: IncomingMessage
  waiting: (() => void)[]
}

export class RequestQueues {
  /** Of each connection that has a request in work. */
  readonly #queues = new WeakMap<Duplex, Queue>()

  /** Wraps the one listener that answers: before it nothing is made of a request but Node's own objects. */
  watch(server: Server): void {
    const [answer] = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', (request, response) => this.#take(request, response, () => answer?.(request, response)))
  }

  /**
   * Calls `refuse` when what came before on this connection has been answered: at once where nothing did, or where the rest of it is what is
   * refused. Never, when the connection ends before that.
   */
  afterCurrent(socket: Duplex, refuse: () => void): void {
    const queue = this.#queues.get(socket)
    if (queue?.current.complete) queue.waiting.push(refuse)
    else refuse()
  }

  #take(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const { socket } = request
    const queue = this.#queues.get(socket)
    if (queue && queue.waiting.length >= MOST_AHEAD) {
      this.#queues.delete(socket)
      socket.destroy()
    }
    if (isClosing(socket)) {
      readNoFurther(socket)
      return
    }
    const begin = (): void => {
      this.#queues.set(socket, { current: request, waiting: this.#queues.get(socket)?.waiting ?? [] })
      response.once('close', () => this.#next(socket))
      answer()
    }
    if (queue) queue.waiting.push(begin)
    else begin()
  }

  #next(socket: Duplex): void {
    const begin = isClosing(socket) ? undefined : this.#queues.get(socket)?.waiting.shift()
    if (begin) begin()
    else this.#queues.delete(socket)
  }
}

/**
 * After an answer that says `Connection: close`, nothing else on its connection is worked on (RFC 9112 §9.6): no answer to it would go out.
 * Node has ended its side of the socket then.
 */
const isClosing = (socket: Duplex): boolean => socket.destroyed || socket.writableEnded

/**
 * Node hands on all requests of one piece of 64 kB, also when the socket was destroyed at the first: each is an object or two. What
 * `onIncoming` answers is Node's own code for a request that leaves HTTP, after which its parser stops.
 */
function readNoFurther(socket: Duplex): void {
  const { parser } = socket as Duplex & { parser?: { onIncoming: (request: { upgrade: boolean }) => number } | null }
  if (!parser) return
  parser.onIncoming = (request) => {
    request.upgrade = false
    return 2
  }
}
