// The embedded broker's two listeners, TCP and WebSocket at /mqtt, and the client's address of each connection.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import type { Fleet } from '#cloud/limits/leased-buckets.ts'
import { type Client, TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { GatewayBudget } from './gateway-budget.ts'
import { takeProxyHeader } from './proxy-header.ts'
import { type Arrival, SignInGate, type SignInLimits } from './sign-in-gate.ts'
import { limitFrames, MOST_WEB_MESSAGE_BYTES } from './web-socket-limits.ts'

export interface BrokerDoorsOptions {
  host: string
  /** 0 = any free one. */
  port: number
  /** With it the port uses MQTT over TLS, after the PROXY header if there is one. */
  certificate?: Pick<ServedCertificate, 'context'> | null
  clock: Clock
  log: Logger
  /** Proxies in front of the relay; none if absent. */
  proxies?: TrustedProxies
  /** The TCP port accepts only trusted proxies, each of which must send the client's address in a PROXY header. */
  proxyProtocol?: boolean
  signIns?: Partial<SignInLimits>
  /** This relay among those on one database; absent: it is alone. */
  fleet?: Fleet
  /** The budget of messages and bytes of each gateway. Without it there is no limit. */
  budget?: Pick<GatewayBudget, 'spend' | 'mayRead' | 'isHeldOff' | 'holdOff'>
  /** A proxy writes its header at once. */
  proxyHeaderMs?: number
}

const PROXY_HEADER_MS = 5_000
const NO_PLACE = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\nConnection: close\r\n\r\n'
const NOT_HERE = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n'

/** As many as may come at once after a restart: what does not fit, TCP tries again after one second, then three, then seven. */
const BACKLOG = 25_000

/** Called with a connection that has a place, for the broker to run MQTT on. */
export type Enter = (stream: Duplex, arrival: Arrival, request?: IncomingMessage) => void

export class BrokerDoors {
  readonly #options: BrokerDoorsOptions
  readonly #enter: Enter
  readonly #proxies: TrustedProxies
  readonly #gate: SignInGate
  readonly #lines: SampledLog
  #server: Server | null = null
  /** Includes those that have not sent CONNECT yet, which aedes does not list. */
  readonly #sockets = new Set<Socket>()
  #detach: (() => void)[] = []
  #isOpen = false

  constructor(options: BrokerDoorsOptions, enter: Enter) {
    this.#options = options
    this.#enter = enter
    this.#proxies = options.proxies ?? new TrustedProxies([])
    const { clock, log, signIns, fleet } = options
    this.#gate = new SignInGate({ clock, log, ...(signIns && { limits: signIns }), ...(fleet && { fleet }) })
    this.#lines = new SampledLog(log, clock, 1)
  }

  /** The TCP port, known after `open`. */
  get port(): number {
    const address = this.#server?.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  /** @throws Error with code EADDRINUSE when the port is taken. */
  async open(): Promise<void> {
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket))
    await listen(server, this.#options)
    this.#server = server
    this.#isOpen = true
  }

  /** Accepts no more connections. */
  detach(): void {
    this.#isOpen = false
    for (const detach of this.#detach.splice(0)) detach()
  }

  /** Ends what is left. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const socket of this.#sockets) socket.destroy()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  /** MQTT over WebSocket at /mqtt of this server: most restaurants' firewalls let only port 443 out. */
  attachWebSocket(server: HttpServer): void {
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MOST_WEB_MESSAGE_BYTES,
      perMessageDeflate: false,
      handleProtocols: (protocols) => (protocols.has('mqtt') ? 'mqtt' : false),
    })
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      // Node's own listener is gone by now: a client that resets its connection would end the program.
      socket.on('error', () => socket.destroy())
      if ((request.url ?? '').split('?')[0] !== '/mqtt') {
        if (server.listenerCount('upgrade') === 1) endWith(socket, NOT_HERE)
        return
      }
      const client = this.#proxies.clientOf(request.socket.remoteAddress, request.headers['x-forwarded-for'])
      const arrival = this.#isOpen ? this.#gate.arrive(client, () => socket.destroy()) : null
      if (!arrival) {
        endWith(socket, NO_PLACE)
        return
      }
      socket.once('close', () => arrival.closed())
      if (arrival.isHopeless) {
        void arrival.refuseLate().then(() => endWith(socket, NO_PLACE))
        return
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('error', () => webSocket.terminate())
        const { clock, budget } = this.#options
        limitFrames(webSocket, socket, { clock, arrival, budget })
        this.#enter(createWebSocketStream(webSocket), arrival, request)
      })
    }
    server.on('upgrade', onUpgrade)
    this.#detach.push(() => {
      server.off('upgrade', onUpgrade)
      for (const webSocket of sockets.clients) webSocket.terminate()
    })
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (this.#options.proxyProtocol !== true) this.#admit(socket, this.#proxies.known(socket.remoteAddress))
    else if (this.#proxies.has(socket.remoteAddress)) void this.#behindProxy(socket)
    else this.#refuse(socket, 'it is no trusted proxy')
  }

  async #behindProxy(socket: Socket): Promise<void> {
    const { clock, proxyHeaderMs: withinMs = PROXY_HEADER_MS } = this.#options
    const header = await takeProxyHeader(socket, { clock, withinMs })
    if (header === null) socket.destroy()
    else if ('fault' in header) this.#refuse(socket, header.fault)
    else this.#admit(socket, this.#proxies.known(header.client ?? socket.remoteAddress))
  }

  #admit(socket: Socket, client: Client): void {
    const arrival = this.#gate.arrive(client, () => socket.destroy())
    if (!arrival) {
      socket.destroy()
      return
    }
    socket.once('close', () => arrival.closed())
    this.#enter(securedSocket(socket, this.#options.certificate ?? null), arrival)
  }

  #refuse(socket: Socket, reason: string): void {
    this.#lines.warn(reason, { reason }, 'a connection at the MQTT port was closed: CLOUD_MQTT_PROXY_PROTOCOL is on')
    socket.destroy()
  }
}

/** A client that does not close its side would keep its place forever. */
function endWith(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy())
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/**
 * The stream that carries MQTT; the socket itself without a certificate. Destroying either destroys both. The CONNECT timeout closes an
 * unfinished handshake.
 */
function securedSocket(socket: Socket, certificate: Pick<ServedCertificate, 'context'> | null): Socket {
  if (certificate === null) return socket
  // The stream above it reports what ends the connection.
  socket.on('error', () => undefined)
  const secured = new TLSSocket(socket, { isServer: true, secureContext: certificate.context })
  // No `tls.Server` counts handshakes here. The certificate's context refuses a second one too.
  secured.disableRenegotiation()
  return secured
}
