// Whether pressing `.` opens the workbench. Shortcuts without Ctrl can be turned off, for people who use speech input.
import { remember, remembered } from '#shared/ui/browser.ts'

const KEPT = 'ticketrail.workbench-key'
const TYPED_INTO = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'

export const isKeyOn = (): boolean => remembered(KEPT) !== 'off'

export function turnKey(isOn: boolean): void {
  remember(KEPT, isOn ? 'on' : 'off')
}

/** Not in a field, not while a dialog is open, not with another key held. */
export function opensByKey({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || !isKeyOn()) return false
  if (target instanceof Element && target.closest(TYPED_INTO) !== null) return false
  return document.querySelector('[role="dialog"]') === null
}
