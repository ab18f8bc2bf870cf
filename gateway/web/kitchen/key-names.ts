// Maps a pressed key to a key of the board, for keyboards of any script and both reading directions. Pure.

/** End of the Unicode blocks of Latin letters. */
const LAST_LATIN = '\u024f'

/**
 * The board's name of a pressed key. Letters and digits of another script are mapped by their position on the keyboard: an Arabic keyboard
 * sends `س` for the key that is `s` on an English one.
 * @param pressed the browser's event
 * @param isRtl true if the next ticket is to the left
 */
export function keyName({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, isRtl: boolean): string {
  if (key > LAST_LATIN) return /^(?:Key|Digit|Numpad)(.)$/.exec(code)?.[1]?.toLowerCase() ?? key
  return isRtl ? key.replace(/^Arrow(?:Left|Right)$/, (arrow) => (arrow < 'ArrowR' ? 'ArrowRight' : 'ArrowLeft')) : key
}
