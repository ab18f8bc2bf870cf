// The page by https: the same routes at a port of their own, under the certificate of the box. What fails here takes neither http nor printing along; it is tried again.
import { createServer, type Server } from 'node:https'
import type { PageCertificate } from '#gateway/certificate/page-certificate.ts'
import type { HttpsAnswer } from '#gateway/control/https-answer.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { type ConnectionCaps, type ConnectionLimits, lookEveryMs } from './connection-limits.ts'

export interface HttpsListenerOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  certificate: PageCertificate
  limits: ConnectionLimits
  caps: ConnectionCaps
  /** Sets the server up as that of http. */
  prepare: (server: Server) => void
  clock: Clock
  log: Logger
}

const TRY_EVERY_MS = 60_000
/** As fastify has it for http. */
const KEEP_ALIVE_MS = 72_000

export class HttpsListener implements Service {
  readonly #options: HttpsListenerOptions
  readonly #rounds: Rounds
  #server: Server | null = null
  #fault: string | null = null
  #settled: Promise<void> = Promise.resolve()
  #stopWatching: (() => void) | null = null

  constructor(options: HttpsListenerOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      ...{ clock: options.clock, everyMs: TRY_EVERY_MS, pass: () => this.#open() },
      failed: (error) => this.#failed(error),
    })
  }

  /** Resolves when it answers, or when it is known that it cannot. Never rejects. */
  start(): Promise<void> {
    if (this.#rounds.started) return this.#settled
    this.#settled = this.#begin()
    return this.#settled
  }

  /** What `start` is waiting for. */
  get settled(): Promise<void> {
    return this.#settled
  }

  async stop(): Promise<void> {
    await this.#settled
    this.#stopWatching?.()
    await this.#rounds.stop()
    await this.#options.certificate.stop()
    const server = this.#server
    this.#server = null
    if (!server) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }

  /** The port that it listens on; 0 while it does not. */
  get port(): number {
    const address = this.#server?.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  get view(): HttpsAnswer {
    const { served, providedFault } = this.#options.certificate
    const notYet = this.#fault === null ? 'starting' : 'failed'
    return {
      state: this.#server ? 'on' : notYet,
      port: this.port || this.#options.port,
      certificate: served && {
        ...{ source: served.source, fingerprint: served.fingerprint },
        ...{ from: toIso(served.fromMs), until: toIso(served.untilMs) },
      },
      fault: this.#fault,
      certificateFault: providedFault,
    }
  }

  async #begin(): Promise<void> {
    const { certificate } = this.#options
    await this.#rounds.start()
    await certificate.start()
    this.#stopWatching = certificate.changed.subscribe(() => this.#renew())
    await this.#open().catch((error: unknown) => this.#failed(error))
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'https cannot be opened; tried again later')
  }

  async #open(): Promise<void> {
    const { host, port, certificate, log } = this.#options
    if (this.#server) return
    if (!certificate.served) {
      this.#fault = 'no certificate could be made; the log says why'
      return
    }
    let server: Server
    try {
      server = this.#make(certificate.served)
    } catch (error) {
      this.#fault = 'the certificate cannot be served; the log says why'
      log.error({ err: error }, 'the page does not answer https: its certificate cannot be served')
      return
    }
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', (error) => log.error({ err: error }, 'https had a fault while it was open'))
    } catch (error) {
      const code = codeOf(error) || 'unknown'
      const advice = code === 'EADDRINUSE' ? 'end the program that holds it, or set' : 'set'
      const fault = `port ${port} on ${host} cannot be listened on (${code}): ${advice} GATEWAY_HTTPS_PORT to another one`
      if (fault !== this.#fault) log.error(`the page does not answer https: ${fault}`)
      this.#fault = fault
      return
    }
    this.#fault = null
    this.#server = server
    log.info({ port: this.port }, 'the page answers https')
  }

  #make({ key, certificate: cert }: { key: string; certificate: string }): Server {
    const { limits, caps, prepare } = this.#options
    const server = createServer({
      ...{ key, cert, minVersion: 'TLSv1.2' as const, handshakeTimeout: limits.headersMs },
      ...{ headersTimeout: limits.headersMs, requestTimeout: limits.requestMs },
      ...{ connectionsCheckingInterval: lookEveryMs(limits), keepAliveTimeout: KEEP_ALIVE_MS },
    })
    server.setTimeout(limits.idleMs)
    caps.watchHttps(server)
    prepare(server)
    return server
  }

  /** Open connections keep the certificate that they began with. */
  #renew(): void {
    const { served } = this.#options.certificate
    try {
      if (served) this.#server?.setSecureContext({ key: served.key, cert: served.certificate, minVersion: 'TLSv1.2' })
    } catch (error) {
      this.#options.log.error({ err: error }, 'the new certificate cannot be served: https goes on with the old one')
    }
  }
}
