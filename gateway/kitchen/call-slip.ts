// The slip that sounds a printer's buzzer because nobody reacts at a screen. Pure; the layout sanitises every line.
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'

const MOST_NUMBERS = 20
const MOST_CHARS = 60
const BEEPS = 5

/** Numbers only: the dishes are on the screen. */
export function callSlip(
  unseen: readonly Pick<BoardOrder, 'number'>[],
  { displayName, nowMs, timeZone }: { displayName: string; nowMs: number; timeZone: string },
): LocalDoc {
  const numbers = unseen.slice(0, MOST_NUMBERS).map(({ number }) => `Order ${number.slice(0, MOST_CHARS)}`)
  const more = unseen.length - numbers.length
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `LOOK AT SCREEN ${displayName}`.slice(0, MOST_CHARS),
    lines: more === 0 ? numbers : [...numbers, `... and ${more} more`],
    footer: 'Nobody has touched it since they came.',
    beeps: BEEPS,
  }
}
