// What the kitchen's page alone takes from the browser: taps as requests, keys, the whole screen.
import { systemClock } from '#shared/clock.ts'
import { type LanguageId, languageFacts, languageFor } from '#shared/languages.ts'
import { plainJson } from '#shared/turning-marks.ts'
import { keyName } from './key-names.ts'

/** An id of 16 letters: `crypto.randomUUID` does not exist on plain http. */
export function randomId(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32],
  ).join('')
}

/** Status 0: no answer within eight seconds. */
export async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const patience = new AbortController()
  const cancel = systemClock.after(8_000, () => patience.abort())
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: patience.signal,
    })
    return { status: response.status, body: plainJson(await response.text()) }
  } catch {
    return { status: 0, body: null }
  } finally {
    cancel()
  }
}

/** The code of a QR code stands behind #, so that no server and no log sees it; it is taken out of the address at once. */
export function codeFromAddress(): string | null {
  const code = /[#&]code=([0-9A-Za-z -]{8,12})/.exec(location.hash)?.[1] ?? null
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

/** Full screen and a screen that stays on, where the browser gives them. */
export async function fillScreen(): Promise<void> {
  try {
    await document.documentElement.requestFullscreen?.()
  } catch {
    // Some kiosk browsers have it already.
  }
  await keepOn()
}

/** Until the page is hidden. */
async function keepOn(): Promise<void> {
  try {
    await (navigator as { wakeLock?: { request(kind: 'screen'): Promise<unknown> } }).wakeLock?.request('screen')
  } catch {
    // Not on plain http: the tablet's own setting keeps it on.
  }
}

export function onKey(press: (key: string) => boolean): () => void {
  const listen = (event: KeyboardEvent): void => {
    const { target } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // A key that is held down bumps once.
    if (event.repeat && !event.key.startsWith('Arrow')) return
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    // Enter on a focused button is a press of that button.
    if (event.key === 'Enter' && target instanceof HTMLButtonElement) return
    const key = keyName(event, isRtl())
    if (!press(key)) return
    event.preventDefault()
    // A ticket was chosen: Enter is for it now, not for the button that had the focus.
    if (/^(?:[0-9]|Arrow.*)$/.test(key) && target instanceof HTMLButtonElement) target.blur()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

/** Calls back once what was drawn is on the screen; on a hidden page only when it is seen again. */
export function afterPaint(done: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(done))
}

export function reload(): void {
  location.reload()
}

/** Fetches the page anew, if the box gives it: without an answer the browser would put its own page in its place. */
export async function startAgain(): Promise<void> {
  const { ok } = await fetch(location.pathname, { cache: 'no-store' }).catch(() => ({ ok: false }))
  if (ok) reload()
}

/** What the browser asks for, until the screen has a language of its own. */
export function browserLanguage(): LanguageId {
  return languageFor(navigator.languages)
}

export function setLanguage(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = languageFacts(language).direction
}

/** One reads this screen from the right. */
export function isRtl(): boolean {
  return document.documentElement.dir === 'rtl'
}

/** Calls when a finger, mouse or key goes down and when it is lifted, wherever that is. `began` gets the place of a finger, in css px; null: a key. */
export function onTouch(began: (place: { x: number; y: number } | null) => void, ended: () => void): () => void {
  const down = ({ clientX, clientY }: PointerEvent): void => began({ x: clientX, y: clientY })
  const keyDown = ({ repeat }: KeyboardEvent): void => {
    if (!repeat) began(null)
  }
  document.addEventListener('pointerdown', down, true)
  document.addEventListener('keydown', keyDown, true)
  for (const name of ['pointerup', 'pointercancel', 'keyup']) document.addEventListener(name, ended, true)
  window.addEventListener('blur', ended)
  return () => {
    document.removeEventListener('pointerdown', down, true)
    document.removeEventListener('keydown', keyDown, true)
    for (const name of ['pointerup', 'pointercancel', 'keyup']) document.removeEventListener(name, ended, true)
    window.removeEventListener('blur', ended)
  }
}

/** A finger leaves the focus on what it touched: Enter of a bump bar would press that again instead of bumping the chosen card. */
export function leaveKeysToBoard(): void {
  document.addEventListener('click', ({ detail }) => {
    const isByFinger = detail > 0
    if (isByFinger && document.activeElement instanceof HTMLButtonElement) document.activeElement.blur()
  })
}

export function onResize(resized: () => void): () => void {
  addEventListener('resize', resized)
  return () => removeEventListener('resize', resized)
}

/** Keeps the screen on without a touch, where the browser lets it: on https, while the page is seen. Elsewhere the screen's own setting does. */
export function stayAwake(): () => void {
  const ask = (): void => {
    if (!document.hidden) void keepOn()
  }
  ask()
  // The browser gives it up when the page is hidden.
  document.addEventListener('visibilitychange', ask)
  return () => document.removeEventListener('visibilitychange', ask)
}

/** Milliseconds of the page's own clock, which nobody sets: for what holds some seconds after a tap. */
export const pageMs = (): number => systemClock.monotonicMs()
