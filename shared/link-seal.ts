// The seal of a message between relay and gateway: a digest of its text at its end, with which the receiver checks that it is unchanged.
// It detects damage on the wire: TCP's checksum misses one damaged segment in 65,536. Protection against attackers is TLS.
import { hash } from 'node:crypto'
import { parseJson } from './parse-json.ts'

const BEFORE = ',"d":"'
const AFTER = '"}'
/** SHA-256 in base64url. */
const DIGEST_LENGTH = 43
const SEAL_LENGTH = BEFORE.length + DIGEST_LENGTH + AFTER.length

/**
 * `sealed`: not a bit was changed since it was sealed. `corrupt`: it ends like a sealed one, and its digest does not match. `unsealed`: sent by
 * a peer without seals, or the damage is in the ending that marks a seal.
 */
export type Seal = 'sealed' | 'corrupt' | 'unsealed'

/**
 * The same message with its digest as the last field, `d`: SHA-256 of everything before `,"d":"`, in base64url.
 * @param json text of an object that has a field
 */
export function sealText(json: string): string {
  const body = json.slice(0, -1)
  return `${body}${BEFORE}${hash('sha256', body, 'base64url')}${AFTER}`
}

/** What was received: its seal, and its value; `undefined` when it is corrupt or no JSON. Never throws. */
export function openText(payload: Buffer): { seal: Seal; json: unknown } {
  const seal = sealOf(payload)
  return { seal, json: seal === 'corrupt' ? undefined : parseJson(payload.toString('utf8')) }
}

/** The seal alone: its value is not read. */
export function sealOf(payload: Buffer): Seal {
  const bodyLength = payload.length - SEAL_LENGTH
  const end = payload.toString('latin1', Math.max(0, bodyLength))
  if (bodyLength < 1 || !end.startsWith(BEFORE) || !end.endsWith(AFTER)) return 'unsealed'
  // The bytes, not the decoded text: invalid UTF-8 would all be decoded as the same character.
  const digest = hash('sha256', payload.subarray(0, bodyLength), 'base64url')
  return end.slice(BEFORE.length, -AFTER.length) === digest ? 'sealed' : 'corrupt'
}
