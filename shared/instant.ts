// Instants from other programs: whole milliseconds within the years that ISO 8601 writes with four digits.
import { z } from 'zod'
import { type EpochMs, withinTime } from './clock.ts'

/** An instant from outside: whole, from 1970 to 9999, or refused. */
export const instant = z
  .number()
  .int()
  .refine(isInstant, { error: 'must be an instant from 1970 to 9999, in milliseconds' })

/**
 * The same for facts that must not be lost for their time, such as a result that is sent again until it is recorded: an instant outside is
 * taken as the nearest one inside.
 */
export const heldInstant = z.number().transform((ms): EpochMs => Math.round(withinTime(ms)))

function isInstant(ms: number): boolean {
  return withinTime(ms) === ms
}
