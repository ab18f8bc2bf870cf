// Hooks of Telnyx: Ed25519 over the time and the body. The address is not signed, so a hook is good for five minutes only, and a repetition is known by its turn.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { HookRequest } from '#cloud/telephony/telephony.ts'

const FRESH_MS = 300_000
/** What stands before the 32 bytes of a public key in DER. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex')

/** @param base64 32 bytes, as the company shows it */
export function telnyxKey(base64: string): KeyObject {
  return createPublicKey({
    key: Buffer.concat([ED25519_DER, Buffer.from(base64, 'base64')]),
    format: 'der',
    type: 'spki',
  })
}

export function isFromTelnyx(key: KeyObject, request: HookRequest): boolean {
  const { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': time } = request.headers
  if (typeof signature !== 'string' || typeof time !== 'string' || !/^\d{1,12}$/.test(time)) return false
  const bytes = Buffer.from(signature, 'base64')
  if (bytes.length !== 64) return false
  const isSigned = verify(null, Buffer.from(`${time}|${request.body}`, 'utf8'), key, bytes)
  return isSigned && Math.abs(request.nowMs - Number(time) * 1_000) <= FRESH_MS
}
