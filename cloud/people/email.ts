// Addresses of mail, as people type them and as a person is found by them; and what else people type about themselves.
import { z } from 'zod'
import { LANGUAGE_IDS } from '#shared/languages.ts'

/** RFC 5321 takes no longer one. */
const LONGEST_EMAIL = 254

/** As it was typed, without spaces around it. */
export const emailField = z.string().trim().max(LONGEST_EMAIL).pipe(z.email())

/** Under which a person is found: two spellings of one address are one person. */
export function emailNorm(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

/** What would break a line, or turn its letters round: bidirectional overrides. */
const NO_SIGN_OF_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** Of no width: two names that differ by one look alike, and one of nothing else looks empty. Emoji need U+200D and U+FE0F. */
const NO_WIDTH =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+$/u
/** Names appear in mail to others, where programs make links of such texts: an invitation must not lead people elsewhere. */
const LINK = /:\/\/|\bwww\.|[\w-]\.[a-z]{2,}\//i

const nameOf = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((name) => !NO_SIGN_OF_A_NAME.test(name), {
      error: 'must be a name in one line, without control characters',
    })
    .refine((name) => name === '' || NO_SIGN_OF_A_NAME.test(name) || !NO_WIDTH.test(name), {
      error: 'must not have characters that nobody sees',
    })
    .refine((name) => !LINK.test(name), { error: 'must be a name, not the address of a page' })

export const personName = nameOf(80)
export const companyName = nameOf(120)
/** It appears in mail to the owners too. */
export const keyName = nameOf(60)
/** Of a machine, as a program on it says it: `CLI on <host>` is the name of a key. Nothing that a person could read as a sentence or an address. */
export const hostName = keyName
  .max(48)
  .regex(/^[\p{L}\p{M}\p{N}._ -]+$/u, { error: 'may have letters, digits, spaces, dots, hyphens and underscores' })
export const languageField = z.enum(LANGUAGE_IDS)
/** Long is what matters: no rules about digits and signs. shared/pages/password-strength.ts has the rest. */
export const passwordField = z.string().min(8).max(200)
