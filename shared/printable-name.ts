// A name that people give to a printer or a screen: any text that can be shown in one line.
import { z } from 'zod'

/** Longer ones break the ticket's head and the page's lists. */
const MOST_CHARACTERS = 40

/** Signs such as `=`, `@`, `/` and commas are part of names: nothing takes a name apart. Trimmed, 1 to 40 characters. */
export const printableName = z
  .string()
  .trim()
  .min(1)
  .max(MOST_CHARACTERS)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, { error: 'must be a name in one line, without control characters' })
