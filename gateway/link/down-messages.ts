// Messages of the relay as they arrive at a gateway: opened, parsed, and accepted or not.
import { openText, type Seal } from '#shared/link-seal.ts'
import { type DownMessage, downMessage, isIntroduction } from '#shared/wire/gateway-link.ts'

/** The message, or in words why it is none. */
export interface Heard {
  seal: Seal
  message: DownMessage | string
}

/** From the relay's last welcome: `sealing`, it seals all messages; `older`, it does not support seals; `unknown`, there was none yet. */
export type RelayKind = 'unknown' | 'sealing' | 'older'

/** Reads what came from the relay's topic. Never throws. */
export function readDown(payload: Buffer): Heard {
  const { seal, json } = openText(payload)
  return { seal, message: json === undefined ? 'not JSON' : parse(json) }
}

/** Whether to accept the message as the relay's. Before the first welcome it must be sealed, except a request for our hello. */
export function isBelieved({ seal, message }: Heard, relay: RelayKind): boolean {
  if (seal === 'corrupt') return false
  const type = typeof message === 'string' ? null : message.t
  if (typeof message !== 'string' && message.t === 'welcome') return isIntroduction(seal, message.caps)
  // Saying hello once more does no harm, and a relay that an older one has replaced cannot ask for it otherwise.
  if (seal === 'sealed' || type === 'rehello') return true
  return relay === 'older' || (relay === 'unknown' && type === null)
}

function parse(json: unknown): DownMessage | string {
  const parsed = downMessage.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const type = (json as { t?: unknown } | null)?.t
  if (issue?.path[0] === 't') return `unknown type ${typeof type === 'string' ? type.slice(0, 32) : typeof type}`
  return `${typeof type === 'string' ? type.slice(0, 32) : 'message'}: ${issue?.path.join('.')} ${issue?.code}`
}
