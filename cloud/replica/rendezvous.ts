// Which of several relays something falls to, without a list of what falls to whom: the one whose hash together with the key is highest.
// When a relay goes, only what was its own falls to others; when one comes, it takes a part from each.
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
