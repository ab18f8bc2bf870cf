// Shows that a person signed in with this browser before: a token made from the stored hash of the password, so it survives restarts and ends with the password.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE_BYTES = 16
const MAC_BYTES = 16

/** @param stored the hash of the person's password @returns 256 bits in base64url, another one each time */
export function newDeviceToken(stored: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  return Buffer.concat([nonce, macOf(nonce, stored)]).toString('base64url')
}

export function isDeviceToken(token: string, stored: string): boolean {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== NONCE_BYTES + MAC_BYTES) return false
  return timingSafeEqual(bytes.subarray(NONCE_BYTES), macOf(bytes.subarray(0, NONCE_BYTES), stored))
}

function macOf(nonce: Uint8Array, stored: string): Buffer {
  return createHmac('sha256', stored).update('ticketrail device ').update(nonce).digest().subarray(0, MAC_BYTES)
}
