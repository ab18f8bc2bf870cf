// How much of a guest's name stands on a paper that hangs in the open.
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'

/** With the dot of the initial. */
export const LONGEST_GUEST = TEXT_LENGTHS.guest + 1

/** `Ana Maria Lopez` -> `Ana L.`: enough to call the guest, no more than that. */
export function maskedGuest(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '')
  const last = words.length > 1 ? Array.from(words.at(-1) ?? '')[0] : undefined
  return last === undefined ? (words[0] ?? '') : `${words[0]} ${last}.`
}
