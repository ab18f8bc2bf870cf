// Which of several relays is responsible for a key, without a table: the one whose hash together with the key is highest.
// When a relay stops, only its own keys go to others; a new one takes a part from each.
import { hash } from 'node:crypto'

/** @returns null when there is none */
export function relayOf(key: string, relays: readonly string[]): string | null {
  let owner: string | null = null
  let highest = ''
  for (const relay of relays) {
    const weight = hash('sha256', `${relay} ${key}`)
    if (owner === null || weight > highest) [owner, highest] = [relay, weight]
  }
  return owner
}
