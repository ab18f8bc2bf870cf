// Which key of the board was pressed, whatever script the keyboard writes and from whichever side one reads. Pure.

/** The last of the Unicode blocks of Latin letters. */
const LAST_LATIN = '\u024f'

/**
 * @param pressed as the browser tells it: an Arabic keyboard says `س` where an English one says `s`
 * @param isRtl the next ticket stands to the left
 * @returns the key as the board knows it: letters and digits of another script by their place on the keyboard
 */
export function keyName({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, isRtl: boolean): string {
  if (key > LAST_LATIN) return /^(?:Key|Digit|Numpad)(.)$/.exec(code)?.[1]?.toLowerCase() ?? key
  return isRtl ? key.replace(/^Arrow(?:Left|Right)$/, (arrow) => (arrow < 'ArrowR' ? 'ArrowRight' : 'ArrowLeft')) : key
}
