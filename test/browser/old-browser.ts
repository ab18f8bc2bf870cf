// A browser as old as the display promises to run on: without what browsers have had only since 2019.
import type { Page } from 'playwright-core'

/** Neither Chrome 70 nor Safari 13 has all of these; Safari 13 lacks some that Chrome 70 has. */
const NEWER: Readonly<Record<string, readonly string[]>> = {
  'Array.prototype': ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with'],
  Array: ['fromAsync'],
  'String.prototype': ['at', 'isWellFormed', 'matchAll', 'replaceAll', 'toWellFormed'],
  'Uint8Array.prototype.__proto__': ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'with'],
  Uint8Array: ['fromBase64', 'fromHex'],
  'Uint8Array.prototype': ['toBase64', 'toHex'],
  Object: ['fromEntries', 'groupBy', 'hasOwn'],
  Map: ['groupBy'],
  'Map.prototype': ['getOrInsert', 'getOrInsertComputed'],
  'Set.prototype': [
    'difference',
    'intersection',
    'isDisjointFrom',
    'isSubsetOf',
    'isSupersetOf',
    'symmetricDifference',
    'union',
  ],
  Promise: ['allSettled', 'any', 'try', 'withResolvers'],
  Intl: [
    'DisplayNames',
    'DurationFormat',
    'ListFormat',
    'Locale',
    'RelativeTimeFormat',
    'Segmenter',
    'supportedValuesOf',
  ],
  'Intl.DateTimeFormat.prototype': ['formatRange', 'formatRangeToParts'],
  'Intl.NumberFormat.prototype': ['formatRange', 'formatRangeToParts'],
  'Element.prototype': [
    'ariaLabel',
    'checkVisibility',
    'getHTML',
    'moveBefore',
    'replaceChildren',
    'setHTMLUnsafe',
    'togglePopover',
  ],
  'Document.prototype': ['moveBefore', 'replaceChildren', 'startViewTransition'],
  'HTMLElement.prototype': ['hidePopover', 'inert', 'showPopover', 'togglePopover'],
  'HTMLDialogElement.prototype': ['close', 'show', 'showModal'],
  'HTMLFormElement.prototype': ['requestSubmit'],
  AbortSignal: ['abort', 'any', 'timeout'],
  'AbortSignal.prototype': ['reason', 'throwIfAborted'],
  'Blob.prototype': ['arrayBuffer', 'stream', 'text'],
  'Crypto.prototype': ['randomUUID'],
  URL: ['canParse', 'parse'],
  'Navigator.prototype': ['locks', 'userActivation', 'wakeLock'],
  window: [
    'AggregateError',
    'BigInt',
    'BroadcastChannel',
    'CompressionStream',
    'FinalizationRegistry',
    'Iterator',
    'ResizeObserver',
    'WeakRef',
    'cookieStore',
    'globalThis',
    'navigation',
    'queueMicrotask',
    'reportError',
    'requestIdleCallback',
    'scheduler',
    'structuredClone',
  ],
}

/** Before the page's scripts run, each time that it is opened. */
export async function makeOld(page: Page): Promise<void> {
  await page.addInitScript((newer) => {
    for (const [path, names] of Object.entries(newer)) {
      const steps = path === 'window' ? [] : path.split('.')
      const owner = steps.reduce<object | undefined>((from, step) => from && Reflect.get(from, step), window)
      if (owner) for (const name of names) Reflect.deleteProperty(owner, name)
    }
  }, NEWER)
}
