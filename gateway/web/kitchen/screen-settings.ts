// What this screen was set to, kept in its browser.
import { remembered } from '#shared/ui/browser.ts'

export const SIZES = ['S', 'M', 'L', 'XL']

export function textSize(): string {
  const kept = remembered('ticketrail.size')
  return kept !== null && SIZES.includes(kept) ? kept : 'M'
}

/** What this screen was set to: its letters and its loudness. */
export function applyTextSize(): void {
  document.documentElement.dataset['size'] = textSize()
}

export function keptVolume(): number {
  const kept = Number(remembered('ticketrail.volume') ?? '0.6')
  return kept >= 0 && kept <= 1 ? kept : 0.6
}
