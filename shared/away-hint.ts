// The sentence about a printer's tickets in its hint, and its replacement while another printer has them. Pure.

export const WAITING = 'Tickets wait in order and print by themselves, within half a second after it answers.'
export const IN_PLACE = 'A ticket that was being printed goes on by itself; the others follow.'

/**
 * @param hint English words of the box about a printer
 * @param backupName the printer that prints its tickets meanwhile
 */
export function hintWhileAway(hint: string, backupName: string): string {
  return hint
    .replace(WAITING, () => `${backupName} prints its tickets meanwhile.`)
    .replace(IN_PLACE, () => `A ticket that was being printed goes on by itself; ${backupName} prints the others.`)
}
