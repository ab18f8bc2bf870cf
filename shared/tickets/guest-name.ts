// How much of a guest's name stands on a paper that hangs in the open.

/** `Ana Maria Lopez` -> `Ana L.`: enough to call the guest, no more than that. */
export function maskedGuest(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '')
  const last = words.length > 1 ? Array.from(words.at(-1) ?? '')[0] : undefined
  return last === undefined ? (words[0] ?? '') : `${words[0]} ${last}.`
}
