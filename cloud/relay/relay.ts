// The relay's side of the gateway link as one service: broker, dispatcher, reports, registry.
import type { Server as HttpServer } from 'node:http'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import { RestoreStore } from '#cloud/storage/restore-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import { type Broker, EmbeddedBroker, type LinkMessage } from './broker.ts'
import type { BrokerAuth } from './broker-auth.ts'
import { BrokerClient } from './broker-client.ts'
import type { BrokerDoorsOptions } from './broker-doors.ts'
import { senderOf } from './broker-rules.ts'
import { GatewayBudget } from './gateway-budget.ts'
import { GatewayCare } from './gateway-care.ts'
import { GatewayRegistry } from './gateway-registry.ts'
import { GatewayReports, type RecordResult } from './gateway-reports.ts'
import type { GatewaySession } from './gateway-session.ts'
import { KitchenFacts, type RecordKitchenFact } from './kitchen-facts.ts'
import { type LinkObserver, saying } from './link-observer.ts'
import { moveGateways } from './move-gateways.ts'
import { NewestPaced } from './newest-paced.ts'
import { OrderDispatcher } from './order-dispatcher.ts'
import type { TakeBackOrders } from './recall-desk.ts'
import { RestoreWatch } from './restore-watch.ts'
import type { SessionIndex } from './session-index.ts'
import { type Shards, SharedBroker } from './shared-broker.ts'
import { ToldJobs } from './told-jobs.ts'
import { looksLikeStatus } from './up-messages.ts'
import { UpReader } from './up-reader.ts'

export interface RelayOptions extends Pick<BrokerDoorsOptions, 'proxies' | 'fleet'> {
  db: RelayDatabase
  dispatches: DispatchStore
  gateways: GatewayStore
  recordResult: RecordResult
  recordKitchenFact: RecordKitchenFact
  takeBackOrders: TakeBackOrders
  config: {
    mqttHost: string
    /** 0 = any free one. */
    mqttPort: number
    /** The MQTT port takes only trusted proxies, which begin with a PROXY header. */
    mqttProxyProtocol?: boolean
    /** An external broker instead of the embedded one. */
    brokerUrl?: string | undefined
    brokerUsername?: string | undefined
    brokerPassword?: string | undefined
  }
  /** Of the embedded broker's port. */
  certificate?: ServedCertificate | null
  /** With an external broker that other relays use as well. */
  shards?: Shards | null
  /** With an external broker whose password list the relay maintains. */
  brokerAuth?: Pick<BrokerAuth, 'revoke'>
  observer?: LinkObserver | undefined
  sessions?: SessionIndex
  clock: Clock
  random: () => number
  log: Logger
}

const TWINS_GUARD_MS = 60_000
const STOP_WITHIN_MS = 1_500
/** Each change of a status is written to disk: for one gateway at most this often, however often it changes. */
const STATUS_EVERY_MS = 250

/** When a message arrived, on the relay's clock, and how long it was. */
interface Heard {
  receivedMs: number
  bytes: number
}

export class Relay implements Service {
  readonly #options: RelayOptions
  readonly #broker: Broker
  /** Null with an external broker. */
  readonly #embedded: EmbeddedBroker | null
  /** Null unless other relays use the external broker, too. */
  readonly #shared: SharedBroker | null
  readonly #dispatcher: OrderDispatcher
  readonly #reports: GatewayReports
  readonly #statuses: NewestPaced
  /** Answers to configurations: each is a write. */
  readonly #answers: NewestPaced
  readonly #budget: GatewayBudget
  readonly #kitchens: KitchenFacts
  readonly #registry: GatewayRegistry
  readonly #care: GatewayCare
  readonly #warnings: SampledLog
  readonly #told: ToldJobs
  readonly #reader: UpReader
  readonly #watch: RestoreWatch
  #started = false
  #unsubscribe: (() => void)[] = []

  constructor(options: RelayOptions) {
    const { config, clock, random, log, recordResult, shards = null } = options
    this.#options = options
    this.#warnings = new SampledLog(log, clock, 1)
    this.#budget = new GatewayBudget({ clock, lines: this.#warnings })
    const { brokerUrl: url, brokerUsername: username, brokerPassword: password } = config
    const credentials = new GatewayCredentialStore(options.db)
    const { mqttHost: host, mqttPort: port, mqttProxyProtocol: proxyProtocol = false } = config
    const listening = { host, port, proxyProtocol }
    const embedded = new EmbeddedBroker({ ...options, ...listening, credentials, budget: this.#budget })
    this.#embedded = url ? null : embedded
    const isShared = shards !== null
    const client = url ? new BrokerClient({ url, username, password, isShared, clock, random, log }) : null
    this.#shared = client && shards && new SharedBroker({ client, shards, clock, letGo: this.#letGo.bind(this) })
    this.#broker = this.#shared ?? client ?? embedded
    const publish = saying(options.observer, (topic, payload) => this.#broker.publish(topic, payload))
    const handBacks = new HandBackStore(options.db)
    this.#watch = new RestoreWatch({ handBacks, restores: new RestoreStore(options.db), clock, log })
    this.#dispatcher = new OrderDispatcher({
      ...options,
      ...{ handBacks, watch: this.#watch },
      publish,
      hears: (gatewayId) => this.#shared?.holds(gatewayId) !== false,
      settle: (job) => recordResult({ ...job, tickets: [], endedAtMs: clock.now() }),
      onTwins: (gatewayId, machine) => {
        this.#embedded?.guardIdentity(gatewayId, { forMs: TWINS_GUARD_MS, machine })
        this.#embedded?.kick(gatewayId)
      },
      onMissed: (gatewayId, epoch) => {
        this.#registry.welcomed(gatewayId, epoch)
        this.#registry.gone(gatewayId, { epoch, hadSession: true, why: 'left before its welcome' })
      },
    })
    this.#reports = new GatewayReports({ ...options, publish })
    this.#statuses = new NewestPaced(clock, STATUS_EVERY_MS)
    this.#answers = new NewestPaced(clock, STATUS_EVERY_MS)
    this.#told = new ToldJobs(options)
    this.#reader = new UpReader({
      ...{ budget: this.#budget, lines: this.#warnings },
      session: (gatewayId) => this.#dispatcher.session(gatewayId),
      call: (gatewayId) => this.#registry.call(gatewayId),
      heard: (gatewayId) => this.#registry.heard(gatewayId),
    })
    this.#kitchens = new KitchenFacts({ ...options, publish })
    const configs = new GatewayConfigStore(options.db)
    this.#care = new GatewayCare({ ...options, configs, credentials: this.#embedded ? credentials : null, publish })
    this.#registry = new GatewayRegistry({
      ...options,
      publish,
      isConnected: (gatewayId) => this.#embedded?.isConnected(gatewayId) === true,
      expel: (gatewayId) => {
        this.#dispatcher.left(gatewayId, null)
        this.#dispatcher.drop(gatewayId)
        this.#dispatcher.ended(gatewayId, { placeIsFree: true })
        this.#care.gone(gatewayId, null)
        this.#embedded?.kick(gatewayId)
      },
    })
  }

  /** Port of the embedded broker, known after start; 0 with an external one. */
  get mqttPort(): number {
    return this.#embedded?.port ?? 0
  }

  /** True when gateways can be served. */
  ready(): boolean {
    return this.#started && this.#broker.up
  }

  /** @throws Error with code EADDRINUSE when the MQTT port is taken. */
  async start(): Promise<void> {
    if (this.#started) return
    this.#started = true
    await this.#watch.start()
    await this.#registry.start()
    await this.#dispatcher.start()
    await this.#care.start()
    this.#unsubscribe = [
      this.#broker.message.subscribe((message) => this.#receive(message)),
      this.#shared?.taken.subscribe((shards) => this.#registry.callShards(shards)) ??
        this.#broker.changed.subscribe((up) => {
          if (up) this.#registry.callShards(null)
        }),
    ]
    if (this.#embedded)
      this.#unsubscribe.push(
        this.#embedded.closed.subscribe(({ gatewayId, epoch }) => this.#left(gatewayId, epoch, 'connection closed')),
        // A hello of the connection before it is not answered any more.
        this.#embedded.opened.subscribe((gatewayId) => this.#dispatcher.left(gatewayId, null)),
      )
    await this.#broker.start()
  }

  /** Another relay on the same database has died. */
  relayDied(): Promise<void> {
    return this.#registry.relayDied()
  }

  /** The other relays took this one for dead, and its gateways for unknown. */
  returned(): void {
    this.#registry.returned()
  }

  /** MQTT over WebSocket at /mqtt of the API's server. Without an embedded broker it does nothing. */
  attachWebSocket(server: HttpServer): void {
    this.#embedded?.attachWebSocket(server)
  }

  /**
   * Before a stop: moves the gateways to other relays and accepts no new ones, within 25 s or until `now` aborts. Those of an external broker
   * keep their connections, which do not end with this relay; another one that shares the broker serves them from then on.
   */
  async moveAway(now: AbortSignal): Promise<void> {
    const embedded = this.#embedded
    if (!embedded) return this.#shared?.leave()
    embedded.letNobodyIn()
    await moveGateways(this.#dispatcher.sessions, { ...this.#options, close: (id) => embedded.kick(id) }, now)
  }

  /** Takes nothing new, records what has arrived, within two seconds. Whatever is left over is sent again after the start. */
  async stop(): Promise<void> {
    if (!this.#started) return
    this.#started = false
    this.#statuses.flush()
    this.#answers.flush()
    await this.#dispatcher.stop()
    const patience = new AbortController()
    const late = this.#options.clock.sleep(STOP_WITHIN_MS, patience.signal)
    await Promise.race([Promise.all([this.#reports.drain(), this.#kitchens.drain()]), late])
    patience.abort()
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
    await this.#registry.stop()
    await this.#care.stop()
    await this.#broker.stop()
  }

  /** Everything in here was written by a gateway: it is parsed or dropped, and never throws. */
  #receive({ topic, payload }: LinkMessage): void {
    const receivedMs = this.#options.clock.now()
    const gatewayId = senderOf(topic)
    if (gatewayId === null) return
    if (this.#embedded === null && this.#reader.isOverBudget(gatewayId, payload)) return
    const heard: Heard = { receivedMs, bytes: payload.length }
    const session = this.#dispatcher.session(gatewayId)
    if (session && this.#statuses.isResting(gatewayId) && looksLikeStatus(payload, session.facts)) {
      this.#registry.heard(gatewayId)
      this.#statuses.take(gatewayId, async () => {
        const message = this.#reader.read(gatewayId, payload)
        if (message?.t === 'status') await this.#status(gatewayId, message, session)
        else if (message) this.#handle(gatewayId, message, heard)
      })
      return
    }
    const message = this.#reader.read(gatewayId, payload)
    if (message) this.#handle(gatewayId, message, heard)
  }

  #handle(gatewayId: GatewayId, message: UpMessage, heard: Heard): void {
    this.#options.observer?.heard(message.t)
    switch (message.t) {
      case 'hello':
        this.#budget.spendHello(gatewayId)
        this.#hello(gatewayId, message, heard.receivedMs)
        return
      case 'ack':
      case 'nack':
        if (message.t === 'nack') this.#dispatcher.nack(gatewayId, message)
        else if (this.#dispatcher.ack(gatewayId, message)) this.#wasNews(gatewayId, heard)
        this.#checkKnown(gatewayId, message.e)
        return
      case 'result':
        this.#refundNews(this.#reports.result(gatewayId, message), { gatewayId, heard })
        return
      case 'kitchen':
        this.#takeFacts(gatewayId, message, heard)
        return
      case 'status':
        this.#takeStatus(gatewayId, message)
        return
      case 'ask':
        void this.#told.answer(this.#dispatcher.session(gatewayId), message)
        return
      case 'hand-back':
        this.#refundNews(this.#dispatcher.handedBack(gatewayId, message), { gatewayId, heard })
        return
      case 'cmd.result':
        this.#dispatcher.cancelAnswered(gatewayId, message)
        return
      case 'config.result':
        this.#answers.take(gatewayId, () =>
          this.#care.answered(gatewayId, message).catch((error: unknown) => this.#failed(gatewayId, error)),
        )
        return
      case 'bye':
      case 'will':
        this.#left(gatewayId, message.e, message.t)
        return
    }
  }

  /** @param stored whether the message was news, when it is on disk; never rejects */
  #refundNews(stored: Promise<boolean>, { gatewayId, heard }: { gatewayId: GatewayId; heard: Heard }): void {
    void stored.then((isNews) => {
      if (isNews) this.#wasNews(gatewayId, heard)
    })
  }

  #wasNews(gatewayId: GatewayId, { bytes }: Heard): void {
    this.#budget.giveBack(gatewayId, { messages: 1, bytes })
  }

  /** Each fact is a unit of its own, so each counts as a message. */
  #takeFacts(gatewayId: GatewayId, message: MessageOf<UpMessage, 'kitchen'>, { bytes }: Heard): void {
    const { length } = message.facts
    this.#budget.spend(gatewayId, { messages: length - 1, bytes: 0 })
    void this.#kitchens.take(gatewayId, message).then((news) => {
      this.#budget.giveBack(gatewayId, { messages: news, bytes: news === length ? bytes : 0 })
    })
  }

  #takeStatus(gatewayId: GatewayId, message: MessageOf<UpMessage, 'status'>): void {
    const session = this.#dispatcher.session(gatewayId)
    if (session) this.#statuses.take(gatewayId, () => this.#status(gatewayId, message, session))
    else this.#registry.call(gatewayId)
  }

  /** @param session the one at the time of the message: it is true of the jobs of that session, not of a later one's */
  async #status(gatewayId: GatewayId, message: MessageOf<UpMessage, 'status'>, session: GatewaySession): Promise<void> {
    if (!this.#checkKnown(gatewayId, message.e)) return
    try {
      await this.#reports.status(gatewayId, message)
      await this.#care.status(gatewayId, message)
      // Jobs that are held for later prove nothing: they may wait for days.
      const { queued, unreported } = message.queue
      if (queued + unreported === 0) await this.#dispatcher.idle(session)
    } catch (error) {
      this.#failed(gatewayId, error)
    }
  }

  #hello(gatewayId: GatewayId, message: Extract<UpMessage, { t: 'hello' }>, receivedMs: number): void {
    void this.#dispatcher.hello(gatewayId, message, receivedMs).then(() => {
      const session = this.#dispatcher.session(gatewayId)
      if (session?.facts.epoch !== message.e) return
      this.#reports.forget(gatewayId)
      this.#registry.welcomed(gatewayId, message.e)
      this.#embedded?.welcomed(gatewayId, message.e)
      this.#care.welcomed(gatewayId, message).catch((error: unknown) => this.#failed(gatewayId, error))
    })
  }

  /** False for a message of an older connection. One that this relay never welcomed is asked for a hello. */
  #checkKnown(gatewayId: GatewayId, epoch: number): boolean {
    const session = this.#dispatcher.session(gatewayId)
    if (!session || epoch > session.facts.epoch) this.#registry.call(gatewayId)
    return session?.facts.epoch === epoch
  }

  #left(gatewayId: GatewayId, epoch: number | null, why: string): void {
    this.#dispatcher.left(gatewayId, epoch)
    const session = this.#dispatcher.session(gatewayId)
    const hadSession = session !== null && (epoch === null || session?.facts.epoch === epoch)
    // An external broker sends the will also when another box has taken the place.
    if (epoch === null || hadSession) this.#end(gatewayId, { placeIsFree: why !== 'will' || this.#embedded !== null })
    this.#care.gone(gatewayId, epoch)
    this.#registry.gone(gatewayId, { epoch: epoch ?? session?.facts.epoch ?? null, hadSession, why })
  }

  /** What the gateway has reported is kept; its session ends. */
  #end(gatewayId: GatewayId, place: { placeIsFree: boolean }): void {
    this.#statuses.flush(gatewayId)
    this.#answers.flush(gatewayId)
    this.#reports.forget(gatewayId)
    this.#dispatcher.drop(gatewayId)
    this.#dispatcher.ended(gatewayId, place)
  }

  /** Another relay will serve these gateways: their sessions end here without a message, and what they have acknowledged is stored. */
  async #letGo(isGone: (gatewayId: GatewayId) => boolean): Promise<void> {
    const gone = this.#dispatcher.sessions.filter(({ facts }) => isGone(facts.gatewayId))
    for (const { gatewayId } of gone.map(({ facts }) => facts)) {
      this.#end(gatewayId, { placeIsFree: true })
      this.#care.gone(gatewayId, null)
    }
    this.#registry.letGo(isGone)
    const stored = [this.#dispatcher.letGo(isGone), ...gone.map((session) => session.persist())]
    for (const result of await Promise.allSettled(stored))
      if (result.status === 'rejected')
        this.#warnings.warn('let go', { err: result.reason }, 'acceptance was not stored')
  }

  #failed(gatewayId: GatewayId, error: unknown): void {
    this.#warnings.error(gatewayId, { gatewayId, err: error }, 'what a gateway said could not be stored')
  }
}
