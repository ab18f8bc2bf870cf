// Sends gateways their configuration, until they have answered it, and their next password, until they have used it.
//
// Other programs write both into the database (the operator's command line), so it is read every few seconds and at each hello.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import type { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import { newGatewayToken } from '#shared/gateway-token.ts'
import type { GatewayId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import { CAP_CONFIG, CAP_CREDENTIALS, type MessageOf, type UpMessage } from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { downText } from './down-messages.ts'

export interface GatewayCareDeps {
  db: RelayDatabase
  gateways: Pick<GatewayStore, 'recordFacts'>
  configs: GatewayConfigStore
  /** Null with an external broker: it keeps its own list of passwords. */
  credentials: GatewayCredentialStore | null
  publish(topic: string, payload: string): void
  clock: Clock
  log: Logger
}

/** A gateway that is here. */
interface Present {
  epoch: number
  caps: ReadonlySet<string>
  configSent: { ver: number; atMs: number } | null
  /** When to send the same again: something could not be done yet. */
  againAtMs: number | null
  facts: { text: string; clockOffsetMs: number | null; atMs: number } | null
}

const LOOK_EVERY_MS = 2_000
/** No answer: sent again. */
const ANSWER_WITHIN_MS = 30_000
/** A printer that cannot be taken away yet: asked again so often. */
const TRY_AGAIN_MS = 60_000
/** A gateway's description of itself is for people: stored at most this often, and only when it has changed. */
const FACTS_EVERY_MS = 10_000
const CLOCK_MOVED_MS = 1_000
/** A password that was not used by then never arrived. */
const USE_WITHIN_MS = 60_000
const PASSES: readonly (string | null)[] = ['tickets-wait', 'printing']

export class GatewayCare implements Service {
  readonly #deps: GatewayCareDeps
  readonly #lines: SampledLog
  readonly #here = new Map<GatewayId, Present>()
  readonly #rounds: Rounds

  constructor(deps: GatewayCareDeps) {
    this.#deps = deps
    this.#lines = new SampledLog(deps.log, deps.clock)
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#look(),
      failed: (error) => deps.log.error({ err: error }, 'configurations and passwords could not be read'),
    })
  }

  start(): Promise<void> {
    return this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** Called when it has sent hello and was welcomed. */
  async welcomed(gatewayId: GatewayId, { e: epoch, caps, cfgVer }: MessageOf<UpMessage, 'hello'>): Promise<void> {
    const present: Present = { epoch, caps: new Set(caps), configSent: null, againAtMs: null, facts: null }
    this.#here.set(gatewayId, present)
    const config = await this.#deps.configs.find(gatewayId)
    // Also when its version is higher: then the relay was restored from a backup.
    if (config && config.ver !== cfgVer) await this.#sendConfig(gatewayId)
    this.#rounds.wake()
  }

  gone(gatewayId: GatewayId, epoch: number | null): void {
    if (epoch === null || this.#here.get(gatewayId)?.epoch === epoch) this.#here.delete(gatewayId)
  }

  /** The gateway's answer to a configuration. */
  async answered(gatewayId: GatewayId, message: MessageOf<UpMessage, 'config.result'>): Promise<void> {
    const { configs, clock } = this.#deps
    const { ver, outcome, detail, printers } = message
    const answer = { ver, outcome, detail, printers }
    const config = await configs.find(gatewayId)
    if (config === null || ver > config.ver) {
      const detail = { gatewayId, ver }
      this.#lines.warn(gatewayId, detail, 'the gateway answered a configuration that it was never sent')
      return
    }
    // The gateway repeats its answer while something cannot be done yet, or in a loop.
    if (JSON.stringify(config.answer) !== JSON.stringify(answer))
      await configs.recordAnswer(gatewayId, answer, clock.now())
    const refused = printers.filter(({ reason }) => reason !== null).map(({ id, reason }) => `${id}: ${reason}`)
    const level = refused.length > 0 || outcome === 'refused' ? 'warn' : 'info'
    const facts = { gatewayId, ver, outcome, detail, refused }
    this.#lines[level](gatewayId, facts, 'the gateway answered its configuration')
    const present = this.#here.get(gatewayId)
    if (present)
      present.againAtMs = printers.some(({ reason }) => PASSES.includes(reason))
        ? clock.monotonicMs() + TRY_AGAIN_MS
        : null
  }

  /** Its queue and its clock, for people. The next regular status writes what this one leaves out. */
  async status(gatewayId: GatewayId, { queue, clockOffsetMs }: MessageOf<UpMessage, 'status'>): Promise<void> {
    const { db, gateways, clock } = this.#deps
    const present = this.#here.get(gatewayId)
    if (!present) return
    const text = JSON.stringify(queue)
    const atMs = clock.monotonicMs()
    const { facts } = present
    const isSame = facts?.text === text && !hasMoved(facts.clockOffsetMs, clockOffsetMs)
    if (facts && (isSame || atMs - facts.atMs < FACTS_EVERY_MS)) return
    present.facts = { text, clockOffsetMs, atMs }
    await db.unit((tx) => gateways.recordFacts(tx, { gatewayId, clockOffsetMs, queue: text }))
  }

  async #look(): Promise<void> {
    const { configs, credentials, clock } = this.#deps
    if (this.#here.size === 0) return
    const now = clock.monotonicMs()
    for (const gatewayId of await configs.unanswered()) await this.#sendConfig(gatewayId)
    for (const [gatewayId, { againAtMs }] of this.#here)
      if (againAtMs !== null && now >= againAtMs) await this.#sendConfig(gatewayId)
    if (!credentials) return
    for (const gatewayId of await credentials.rotationsDue(clock.now() - USE_WITHIN_MS))
      await this.#rotate(gatewayId, credentials)
  }

  async #sendConfig(gatewayId: GatewayId): Promise<void> {
    const { configs, clock } = this.#deps
    const present = this.#here.get(gatewayId)
    if (!present?.caps.has(CAP_CONFIG)) return
    const config = await configs.find(gatewayId)
    const now = clock.monotonicMs()
    const { configSent, againAtMs } = present
    const isDue = againAtMs !== null && now >= againAtMs
    const waits = configSent?.ver === config?.ver && now - (configSent?.atMs ?? 0) < ANSWER_WITHIN_MS
    if (!config || (waits && !isDue)) return
    present.configSent = { ver: config.ver, atMs: now }
    present.againAtMs = null
    const { ver, sha256, text: doc } = config
    this.#say(gatewayId, present, { t: 'config', ver, sha256, doc })
  }

  async #rotate(gatewayId: GatewayId, credentials: GatewayCredentialStore): Promise<void> {
    const { clock, log } = this.#deps
    const present = this.#here.get(gatewayId)
    if (!present?.caps.has(CAP_CREDENTIALS)) return
    const { token: next, tokenHash } = newGatewayToken()
    // On disk before it is sent: the gateway uses it at once.
    await credentials.offer(gatewayId, tokenHash, clock.now())
    this.#say(gatewayId, present, { t: 'cred', next })
    log.info({ gatewayId }, 'the next password was sent to the gateway')
  }

  #say(gatewayId: GatewayId, { epoch }: Present, body: Parameters<typeof downText>[0]): void {
    this.#deps.publish(topicsOf(gatewayId).down, downText(body, { epoch, nowMs: this.#deps.clock.now() }))
  }
}

function hasMoved(before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before !== now
  return Math.abs(now - before) >= CLOCK_MOVED_MS
}
