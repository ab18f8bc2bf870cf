// What every page takes from the browser, in one place: random numbers, choices that it keeps, the live feed, whether it is seen.
import type { FeedSource } from './live-client.ts'

/** From 0 up to 1. `crypto.randomUUID` does not exist on plain http; `getRandomValues` does. */
export function randomFraction(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}

/** A choice of this browser, such as the language; null where it is not allowed to keep any. */
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
    // A private window forgets: the choice holds until it is closed.
  }
}

export function openFeed(url: string): FeedSource {
  const source = new EventSource(url)
  return {
    addEventListener: (name, listen) => source.addEventListener(name, (event) => listen(event as MessageEvent)),
    close: () => source.close(),
  }
}
