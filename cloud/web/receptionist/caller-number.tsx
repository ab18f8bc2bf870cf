// A caller's number as people write it; where it is whole it can be called back with a tap.
import { E164 } from '#shared/e164.ts'

const NORTH_AMERICA = /^\+1(\d{3})(\d{3})(\d{4})$/

/** `+12125550142` -> `+1 212-555-0142`, for reading alone; others stay as they are, in groups that differ by country. */
export const shownNumber = (number: string): string => number.replace(NORTH_AMERICA, '+1 $1-$2-$3')

/** @param label what the link does, for a screen reader */
export function CallBack({ number, label }: { number: string; label: string }) {
  const shown = <bdi dir="ltr">{shownNumber(number)}</bdi>
  // Where customers are hidden only its ends are there.
  if (!E164.test(number)) return shown
  return (
    <a href={`tel:${number}`} aria-label={label}>
      {shown}
    </a>
  )
}

/** Minutes and seconds as telephones show them: `1:05`. */
export function lasted(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
