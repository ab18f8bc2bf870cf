// Messages of a gateway as they arrive at the relay: opened, parsed, and accepted or not.
import { openText, type Seal, sealOf } from '#shared/link-seal.ts'
import { isIntroduction, LINK_LIMITS, type UpMessage, upMessage } from '#shared/wire/gateway-link.ts'

/** `message` is null when what arrived is corrupt, too long, or nothing that this relay understands. */
export interface Heard {
  /** `too-long`: not checked. */
  seal: Seal | 'too-long'
  message: UpMessage | null
}

/** Reads what was published on a gateway's topic. Never throws. */
export function readUp(payload: Buffer): Heard {
  if (payload.length > LINK_LIMITS.jobBytes) return { seal: 'too-long', message: null }
  const { seal, json } = openText(payload)
  return { seal, message: upMessage.safeParse(json).data ?? null }
}

/**
 * Whether to accept the message as the gateway's. Unsealed messages are accepted only from a gateway whose hello did not announce digests:
 * a message that lost its seal to a changed byte looks the same.
 * @param session of this gateway, if there is one
 */
export function isBelieved(heard: Heard, session: { isWithoutDigests: boolean } | null): boolean {
  const { seal, message } = heard
  if (seal === 'too-long') return false
  if (message?.t === 'hello') return isIntroduction(seal, message.caps)
  return seal === 'sealed' || (seal === 'unsealed' && session?.isWithoutDigests === true)
}

/**
 * A guess whether this is a status that will be accepted. Made without parsing the message, which costs more than all of this.
 * @param session of this gateway
 */
export function looksLikeStatus(payload: Buffer, session: { isWithoutDigests: boolean }): boolean {
  return (
    payload.length <= LINK_LIMITS.jobBytes &&
    payload.includes('"t":"status"') &&
    isBelieved({ seal: sealOf(payload), message: null }, session)
  )
}

/** A guess: the byte that was changed may be one of these. */
export function looksLikeHello(payload: Buffer): boolean {
  return payload.includes('"t":"hello"')
}

/** A guess, as above. Both are short. */
export function looksLikeFarewell(payload: Buffer): boolean {
  return payload.length <= 1_024 && (payload.includes('"t":"will"') || payload.includes('"t":"bye"'))
}
