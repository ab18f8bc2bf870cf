// Browser functions for pages with files and feeds: visibility, copying, saving files. (The kitchen display does not use them.)
import { systemClock } from '#shared/clock.ts'

const KEPT_MS = 60_000

/** Calls `changed` whenever the page is hidden or shown. Returns a function that ends this. */
export function watchVisibility(changed: (isHidden: boolean) => void): () => void {
  const listen = () => changed(document.hidden)
  document.addEventListener('visibilitychange', listen)
  return () => document.removeEventListener('visibilitychange', listen)
}

/** Copies the content of this field. `navigator.clipboard` does not exist on plain http. */
export function copyFrom(field: HTMLTextAreaElement): boolean {
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}

/** Saves content as a file under a name. */
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
