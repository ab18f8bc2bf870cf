// Browser functions that only the kitchen page uses: requests, keys, full screen, touches.
import { systemClock } from '#shared/clock.ts'
import { type LanguageId, languageFacts, languageFor } from '#shared/languages.ts'
import { plainJson } from '#shared/turning-marks.ts'
import { keyName } from './key-names.ts'

/** An id of 16 letters. `crypto.randomUUID` does not exist on plain http. */
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

/** The code after # in the URL, where no server or log sees it. It is removed from the URL at once. */
export function codeFromAddress(): string | null {
  const code = /[#&]code=([0-9A-Za-z -]{8,12})/.exec(location.hash)?.[1] ?? null
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

/** Full screen and wake lock, where the browser supports them. */
export async function fillScreen(): Promise<void> {
  try {
    await document.documentElement.requestFullscreen?.()
  } catch {
    // Some kiosk browsers are in full screen already.
  }
  await keepOn()
}

/** Until the page is hidden. */
async function keepOn(): Promise<void> {
  try {
    await (navigator as { wakeLock?: { request(kind: 'screen'): Promise<unknown> } }).wakeLock?.request('screen')
  } catch {
    // Not on plain http: there the tablet's own setting keeps the screen on.
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
    // A ticket was selected: Enter is for it now, not for the focused button.
    if (/^(?:[0-9]|Arrow.*)$/.test(key) && target instanceof HTMLButtonElement) target.blur()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

/** Calls back once the rendered page is painted; for a hidden page only when it is visible again. */
export function afterPaint(done: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(done))
}

export function reload(): void {
  location.reload()
}

/** Reloads the page if the gateway answers: otherwise the browser would replace it with an error page. */
export async function startAgain(): Promise<void> {
  const { ok } = await fetch(location.pathname, { cache: 'no-store' }).catch(() => ({ ok: false }))
  if (ok) reload()
}

/** The browser's language, used until one is set for the display. */
export function browserLanguage(): LanguageId {
  return languageFor(navigator.languages)
}

export function setLanguage(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = languageFacts(language).direction
}

/** True for right-to-left languages. */
export function isRtl(): boolean {
  return document.documentElement.dir === 'rtl'
}

/**
 * Calls `began` when a finger, mouse or key goes down anywhere, `ended` when it is lifted. `began` gets the place of a finger in CSS
 * pixels; null for a key.
 */
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

/**
 * A touch leaves the focus on the touched element, and Enter of a bump bar would press that again instead of bumping the selected card. So
 * the focus is removed.
 */
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

/**
 * Keeps the screen on without a touch, where the browser allows it: on https, while the page is visible. Elsewhere the tablet's own setting
 * must do that.
 */
export function stayAwake(): () => void {
  const ask = (): void => {
    if (!document.hidden) void keepOn()
  }
  ask()
  // The browser releases the lock when the page is hidden.
  document.addEventListener('visibilitychange', ask)
  return () => document.removeEventListener('visibilitychange', ask)
}

/** Milliseconds of the page's monotonic clock, for durations of some seconds after a tap. */
export const pageMs = (): number => systemClock.monotonicMs()
