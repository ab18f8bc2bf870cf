// A gateway's hello on one connection: sent until the relay's welcome, again on request, later after a `wait`.
import type { Cancel, Clock } from '#shared/clock.ts'
import {
  CAP_CONFIG,
  CAP_CREDENTIALS,
  CAP_DIGEST,
  CAP_KITCHEN,
  CAP_MOVE,
  CAP_ORDER_DETAILS,
  CAP_PRINT_JOBS,
  CAP_WAIT,
  PROTOCOL,
} from '#shared/wire/gateway-link.ts'
import { CAP_HAND_BACK } from '#shared/wire/hand-back.ts'
import type { CloudLinkOptions } from './link-options.ts'
import { toldDelayMs } from './reconnect-delay.ts'
import type { UpBody } from './up-messages.ts'

export interface IntroductionOptions extends CloudLinkOptions {
  bootId: string
  /** The first epoch of this boot. */
  bootEpoch: number
}

export interface IntroductionEvents {
  /** The relay did not answer the hello. */
  onTimeout(): void
  /** The relay answers and accepts us later: hello again in this many milliseconds. */
  onTold?(waitMs: number): void
  /** A hello is sent now. */
  onHello?(): void
  /** A hello is requested here, and a later connection of this box has sent one: this connection is outdated. */
  onSuperseded?(): void
}

/** What was damaged may have been the welcome: hello again, but this rarely. */
const AGAIN_EVERY_MS = 500
const CAPABILITIES = [
  CAP_DIGEST,
  CAP_WAIT,
  CAP_MOVE,
  'job:order',
  CAP_PRINT_JOBS,
  CAP_ORDER_DETAILS,
  'cancel',
  'skip',
  'notBefore',
  'expiresAt',
]

export class Introduction {
  /** The relay has answered our hello. */
  welcomed = false
  /** A later connection has sent hello: none is sent here any more, because the relay would see an older epoch. */
  isSuperseded = false
  readonly #options: IntroductionOptions
  readonly #clock: Clock
  readonly #say: (body: UpBody) => void
  #events: IntroductionEvents | null = null
  #welcomeTimeoutMs = 0
  #againAtMs = Number.NEGATIVE_INFINITY
  #ended = false
  #cancelPatience: Cancel = () => {}
  /** The relay has set the time of our next hello. */
  #cancelWait: Cancel | null = null
  readonly #asked = new Set<Cancel>()

  constructor(options: IntroductionOptions, say: (body: UpBody) => void) {
    this.#options = options
    this.#clock = options.clock
    this.#say = say
  }

  /** The connection is open. */
  begin(welcomeTimeoutMs: number, events: IntroductionEvents): void {
    this.#events = events
    this.#welcomeTimeoutMs = welcomeTimeoutMs
    this.#patient()
    this.#hello()
  }

  /** The relay wants a hello from everybody, within this time. */
  asked(withinMs: number): void {
    const cancel = this.#clock.after(withinMs * this.#options.random(), () => {
      this.#asked.delete(cancel)
      this.#hello()
    })
    this.#asked.add(cancel)
  }

  /** What came before the welcome was damaged. */
  again(): void {
    const now = this.#clock.monotonicMs()
    if (now - this.#againAtMs < AGAIN_EVERY_MS) return
    this.#againAtMs = now
    this.#hello()
  }

  /** The relay cannot answer in time: it is reachable, and nothing is wrong. */
  told(forMs: number): void {
    const waitMs = toldDelayMs(forMs, this.#options.random)
    this.#cancelPatience()
    this.#cancelWait?.()
    this.#cancelWait = this.#clock.after(waitMs, () => {
      this.#cancelWait = null
      if (!this.welcomed) this.#patient()
      this.#hello()
    })
    if (!this.welcomed) this.#events?.onTold?.(waitMs)
  }

  /** @returns whether this is the connection's first welcome */
  accepted(): boolean {
    const isFirst = !this.welcomed
    this.welcomed = true
    this.#cancelPatience()
    this.#cancelWait?.()
    this.#cancelWait = null
    return isFirst
  }

  end(): void {
    this.#ended = true
    this.#cancelPatience()
    this.#cancelWait?.()
    for (const cancel of this.#asked) cancel()
    this.#asked.clear()
  }

  #hello(): void {
    // Whatever the request: the relay that cannot answer now has set the time.
    if (this.#ended || this.#cancelWait) return
    if (this.isSuperseded) {
      this.#events?.onSuperseded?.()
      return
    }
    this.#events?.onHello?.()
    const { identity, reports, app, bootId, bootEpoch, machine, disk, config, credentials, kitchen, forgotten } =
      this.#options
    this.#say({
      t: 'hello',
      proto: [...PROTOCOL],
      stream: identity.stream(),
      last: identity.lastSeq(),
      bootId,
      bootEpoch,
      ...(machine !== undefined && { machine }),
      ...(disk !== undefined && { disk }),
      app,
      cfgVer: config?.version() ?? 0,
      caps: [
        ...CAPABILITIES,
        ...(kitchen ? [CAP_KITCHEN] : []),
        ...(forgotten ? [CAP_HAND_BACK] : []),
        ...(config ? [CAP_CONFIG] : []),
        ...(credentials ? [CAP_CREDENTIALS] : []),
      ],
      t0: this.#clock.monotonicMs(),
      unreported: reports.count(),
    })
  }

  #patient(): void {
    this.#cancelPatience()
    this.#cancelPatience = this.#clock.after(this.#welcomeTimeoutMs, () => this.#events?.onTimeout())
  }
}
