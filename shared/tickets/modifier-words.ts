// What a modifier does to its item (left out, replaced, on the side, more, less, added), and how it is printed.
import type { KitchenLine } from '#shared/order.ts'
import { readVerb, VERBS } from './modifier-reading.ts'
import type { Verb } from './modifier-verbs.ts'

type Modifier = KitchenLine['modifiers'][number]

export interface ModifierWords {
  /** `plain`: unknown, or a verb of a newer relay. `unclear`: it may be a removal. */
  does: Verb | 'plain' | 'unclear'
  /**
   * One or two characters: `-` left out, `<>` replaced, `//` on the side, `++` more, `+-` less, `+` everything else. Empty: the reader must
   * judge.
   */
  sign: string
  /** `2x NO onion`. Not sanitized. */
  words: string
}

const SIGNS: Readonly<Record<ModifierWords['does'], string>> = {
  remove: '-',
  instead: '<>',
  side: '//',
  extra: '++',
  light: '+-',
  add: '+',
  plain: '+',
  unclear: '',
}
/** Printed before a name without such a word, if the client sends `verb`. */
const VERB_WORDS: Readonly<Record<string, string>> = { remove: 'NO', instead: 'SUB', side: 'SIDE' }
const ORDER: readonly ModifierWords['does'][] = ['remove', 'instead']

/**
 * Reads one modifier. The client's `verb` overrides the words of the name.
 * @param clean makes foreign text ready for paper
 */
export function modifierWords(modifier: Modifier, clean: (text: string) => string): ModifierWords {
  const name = clean(modifier.name)
  const read = readVerb(name, modifier.name)
  const given = VERBS.find((verb) => verb === modifier.verb)
  const does = given ?? read.does
  const ownWord = given === undefined || given === read.does ? '' : (VERB_WORDS[given] ?? '')
  const newerWord = given === undefined ? clean(modifier.verb ?? '') : ''
  const capital = does === 'remove' || does === 'instead'
  const said = capital ? name.slice(0, read.leading).toUpperCase() + name.slice(read.leading) : name
  const group = clean(modifier.group ?? '')
  const parts = [
    (modifier.qty ?? 1) > 1 ? `${modifier.qty}x` : '',
    ownWord,
    newerWord === '' ? '' : `(${newerWord})`,
    group === '' || said === '' ? '' : `${group}:`,
    said,
  ]
  return { does, sign: SIGNS[does], words: name === '' ? '' : parts.filter((part) => part !== '').join(' ') }
}

/** Removals first, then replacements, then the rest in the order of the client. */
export function inReadingOrder<T extends { does: ModifierWords['does'] }>(modifiers: readonly T[]): T[] {
  const rank = ({ does }: T): number => {
    const at = ORDER.indexOf(does)
    return at === -1 ? ORDER.length : at
  }
  return [...modifiers].sort((a, b) => rank(a) - rank(b))
}
