// Browser functions that all pages use: random numbers, stored choices, the live feed.
import type { FeedSource } from './live-client.ts'

/** A random number in [0, 1). `crypto.randomUUID` does not exist on plain http; `getRandomValues` does. */
export function randomFraction(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}

/** A choice stored in this browser, such as the language. Null if there is none or storage is not allowed. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // In a private window the choice lasts until the window is closed.
  }
}

export function openFeed(url: string): FeedSource {
  const source = new EventSource(url)
  return {
    addEventListener: (name, listen) => source.addEventListener(name, (event) => listen(event as MessageEvent)),
    close: () => source.close(),
  }
}
