// What pages with files and feeds take from the browser: whether the page is seen, files for the person. (The kitchen display takes nothing of it.)
import { systemClock } from '#shared/clock.ts'

const KEPT_MS = 60_000

/** Calls back with each change; returns how to end that. */
export function watchVisibility(changed: (isHidden: boolean) => void): () => void {
  const listen = () => changed(document.hidden)
  document.addEventListener('visibilitychange', listen)
  return () => document.removeEventListener('visibilitychange', listen)
}

/** Copies what stands in this field; `navigator.clipboard` does not exist on plain http. */
export function copyFrom(field: HTMLTextAreaElement): boolean {
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
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
