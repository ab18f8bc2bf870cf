// The ticket that replaces a silent screen. Pure; the layout sanitises every line.
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'

const MOST_LINES = 100
const MOST_CHARS = 500

/** Its order may also be on a kitchen printer's paper, so it is marked POSSIBLE DUPLICATE. No customer data: it is kept as long as the history. */
export function backupSlip(
  { number, isTest }: BoardOrder,
  lines: readonly BoardLine[],
  { displayName, nowMs, timeZone }: { displayName: string; nowMs: number; timeZone: string },
): LocalDoc {
  const all = lines.flatMap(linesOf).map((line) => line.slice(0, MOST_CHARS))
  const shown =
    all.length <= MOST_LINES ? all : [...all.slice(0, MOST_LINES - 1), '... and more: look at another screen']
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `SCREEN OFFLINE: ${isTest ? 'TEST ORDER, DO NOT MAKE:' : 'ORDER'} ${number}`.slice(0, MOST_CHARS),
    lines: shown,
    footer: `Screen ${displayName} is silent. POSSIBLE DUPLICATE.`,
  }
}

function linesOf({ qty, name, modifiers, note, isAllergy, allergens = [] }: BoardLine): string[] {
  return [
    `${qty} x ${name}`,
    ...allergens.map((words) => `  !! ALLERGY ${words}`),
    ...modifiers.map((modifier) => `  ${modifier}`),
    ...(note === null ? [] : [`  ${isAllergy ? '!! ALLERGY ' : ''}${note}`]),
    ...(note === null && isAllergy && allergens.length === 0 ? ['  !! ALLERGY'] : []),
  ]
}
