// Which key of the board was pressed, whatever script the keyboard writes and from whichever side one reads. Pure.

/** By their place on the keyboard; the numbers above the letters stand at the same places everywhere. */
const BY_PLACE: Readonly<Record<string, string>> = { BracketLeft: '[', BracketRight: ']', Slash: '?' }
/** Of the Unicode blocks of Latin letters. */
const LAST_LATIN = '\u024f'
const TURNED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/**
 * @param pressed as the browser tells it: an Arabic keyboard says `س` where an English one says `s`
 * @param isRtl the next ticket stands to the left
 * @returns the key as the board knows it
 */
export function keyName({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, isRtl: boolean): string {
  if (isRtl && TURNED[key] !== undefined) return TURNED[key]
  if (!isOfAnotherScript(key)) return key
  const [, place] = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code) ?? []
  return place?.toLowerCase() ?? BY_PLACE[code] ?? key
}

/** Names of keys, as `Enter`, are Latin too. */
function isOfAnotherScript(key: string): boolean {
  return [...key].every((letter) => letter > LAST_LATIN)
}
