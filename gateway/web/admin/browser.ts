// The few things that the page takes from the browser, in one place: random ids, storage of choices, whether it is seen.
import { systemClock } from '#shared/clock.ts'
import type { FeedSource } from '#shared/ui/live-client.ts'

const KEPT_MS = 60_000

/** `crypto.randomUUID` does not exist on plain http; `getRandomValues` does. */
export function random(): number {
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

/** Calls back with each change; returns how to end that. */
export function watchVisibility(changed: (isHidden: boolean) => void): () => void {
  const listen = () => changed(document.hidden)
  document.addEventListener('visibilitychange', listen)
  return () => document.removeEventListener('visibilitychange', listen)
}

/** Hands a file to the person, under a name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read it only after this call has ended.
  systemClock.after(KEPT_MS, () => URL.revokeObjectURL(link.href))
}
