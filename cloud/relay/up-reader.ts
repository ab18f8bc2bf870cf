// Reads messages of gateways. Those over the budget, not accepted or invalid are dropped with a log line.
import type { GatewayId } from '#shared/ids.ts'
import type { SampledLog } from '#shared/sampled-log.ts'
import type { UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewayBudget } from './gateway-budget.ts'
import type { GatewaySession } from './gateway-session.ts'
import { isBelieved, looksLikeFarewell, looksLikeHello, readUp } from './up-messages.ts'

export interface UpReaderDeps {
  budget: GatewayBudget
  lines: SampledLog
  session(gatewayId: GatewayId): GatewaySession | null
  /** Asks for a hello. */
  call(gatewayId: GatewayId): void
  /** Called for each accepted message. */
  heard(gatewayId: GatewayId): void
}

export class UpReader {
  readonly #deps: UpReaderDeps

  constructor(deps: UpReaderDeps) {
    this.#deps = deps
  }

  /**
   * For a gateway of an external broker: over its budget the message is dropped unread, since the gateway resends it; except `bye` and `will`,
   * which it does not resend. The embedded broker reads such a gateway more slowly instead.
   */
  isOverBudget(gatewayId: GatewayId, payload: Buffer): boolean {
    const { budget, lines } = this.#deps
    if (budget.waitMs(gatewayId) === 0) {
      budget.spend(gatewayId, { messages: 1, bytes: payload.length })
      return false
    }
    if (looksLikeFarewell(payload)) return false
    lines.warn(gatewayId, { gatewayId }, 'gateway sends more than its budget: dropped, it will be resent')
    return true
  }

  /** Null for a message that is not accepted or is invalid. */
  read(gatewayId: GatewayId, payload: Buffer): UpMessage | null {
    const { lines, session: sessionOf, call, heard: wasHeard } = this.#deps
    const heard = readUp(payload)
    const session = sessionOf(gatewayId)
    if (!isBelieved(heard, session?.facts ?? null)) {
      const detail = { gatewayId, bytes: payload.length, seal: heard.seal }
      const fault = heard.seal === 'too-long' ? 'longer than any may be' : 'damaged, or lacks its seal'
      lines.warn(gatewayId, detail, `message from a gateway is ${fault}: dropped`)
      // Acks and results are resent by their timers. A lost hello is retried only after 10 s (older gateways: 5 s), and a gateway without a session may not know
      // that it needs one: request it.
      if (!session || looksLikeHello(payload)) call(gatewayId)
      return null
    }
    const { message } = heard
    if (!message) {
      lines.warn(gatewayId, { gatewayId, bytes: payload.length }, 'message from a gateway could not be understood')
      return null
    }
    wasHeard(gatewayId)
    return message
  }
}
