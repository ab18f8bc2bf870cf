// Selects the shapes of Chinese characters from the text: Japanese, Korean, Traditional or Simplified Chinese. Pure.
import { twoColumnCharacters } from '#shared/tickets/two-column-characters.ts'
import type { HanStyle } from './font-packs.ts'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
const HAN = /\p{Script=Han}/gu

/** Time zones where these shapes are usual. Nothing else is known of a merchant's language. */
const ZONES: ReadonlyMap<string, HanStyle> = new Map([
  ['Asia/Tokyo', 'jp'],
  ['Japan', 'jp'],
  ['Asia/Seoul', 'kr'],
  ['Asia/Pyongyang', 'kr'],
  ['ROK', 'kr'],
  ['Asia/Taipei', 'tc'],
  ['ROC', 'tc'],
  ['Asia/Hong_Kong', 'tc'],
  ['Hongkong', 'tc'],
  ['Asia/Macau', 'tc'],
  ['Asia/Macao', 'tc'],
  ['Asia/Shanghai', 'sc'],
  ['Asia/Urumqi', 'sc'],
  ['PRC', 'sc'],
])

/**
 * Kana make a text Japanese. Otherwise the merchant's time zone decides, if it is in the table. Otherwise characters that only one of the
 * two Chinese standards has decide (GB 2312: simplified, Big5: traditional), and Hangul makes the text Korean, unless it has as many
 * simplified characters. Default: Simplified Chinese.
 * @param texts of the whole ticket
 */
export function hanStyleOf(texts: readonly string[], timeZone?: string): HanStyle {
  const text = texts.join('\n')
  if (KANA.test(text)) return 'jp'
  const usual = ZONES.get(timeZone ?? '')
  if (usual !== undefined) return usual
  const { simplified, traditional } = counted(text.match(HAN) ?? [])
  if (simplified > 0 && simplified >= traditional) return 'sc'
  if (HANGUL.test(text)) return 'kr'
  return traditional > 0 ? 'tc' : 'sc'
}

function counted(characters: readonly string[]): { simplified: number; traditional: number } {
  if (characters.length === 0) return { simplified: 0, traditional: 0 }
  const [gb, big5] = [twoColumnCharacters('gb18030'), twoColumnCharacters('big5')]
  let [simplified, traditional] = [0, 0]
  for (const character of characters) {
    const isSimplified = isOfGb2312(gb.get(character))
    const isTraditional = big5.has(character)
    if (isSimplified && !isTraditional) simplified++
    if (isTraditional && !isSimplified) traditional++
  }
  return { simplified, traditional }
}

/** GB 18030 has both; its first part, the Chinese characters of 1980, has only simplified ones. */
function isOfGb2312(pair: number | undefined): boolean {
  return pair !== undefined && pair >= 0xb0a1 && pair <= 0xf7fe && (pair & 0xff) >= 0xa1
}
