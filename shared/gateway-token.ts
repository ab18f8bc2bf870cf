// A gateway's password: 256 random bits. The relay keeps only its hash; random bits need no slow one.
import { createHash, randomBytes } from 'node:crypto'

/** A new password, shown once, and what is kept of it. */
export function newGatewayToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: sha256Hex(token) }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
