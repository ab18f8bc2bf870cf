// Whether the drawers' buttons stand behind the menu: where the bar has no room for their words beside its other words.
import { useSyncExternalStore } from 'react'
import { onResize } from './browser.ts'
import type { Messages } from './messages/en.ts'
import { PANELS } from './panel-names.ts'

/** CSS pixels of the bar without its words: borders, gaps, clock, a short name; less the word of help, which is a ? there. */
const REST_PX = 425
/** Of an average letter. */
const LETTER_PX = 10

/** By language alone, whatever the bar says at the moment: no button moves while somebody works. @returns CSS pixels of the widest screen with a menu */
export function widestWithMenu(m: Messages): number {
  const buttons = PANELS.map((name) => (name === 'help' ? '?' : m[name]))
  const letters = [...buttons, m.openCount, m.lateCount, m.voids, m.changes, m.connected].join('')
  // A Chinese sign is as wide as two letters.
  return [...letters].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1) * LETTER_PX, REST_PX)
}

export function useFolded(m: Messages): boolean {
  const query = `(max-width: ${widestWithMenu(m)}px)`
  return useSyncExternalStore(onResize, () => matchMedia(query).matches)
}
