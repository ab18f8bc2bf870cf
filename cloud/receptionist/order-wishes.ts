// What callers wish for with an item: a modifier of the menu, a way to prepare it, or something left out, in words. Pure.
import type { Token } from './order-clauses.ts'
import type { OrderCommand } from './order-draft.ts'
import { isPreparation } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import type { Heard, MenuEntry, VoiceMenu } from './voice-menu.ts'

export interface Wish {
  modifiers: string[]
  /** Printed for the kitchen, in the words of the caller. */
  note: string | null
}

/** What a wish is for: something that was said just now, or a line of the order. */
export type Target = { command: number } | { line: number }
type Said = Extract<OrderCommand, { do: 'add' | 'which' | 'answer' | 'modify' | 'wish' }>

export const isSaid = (command: OrderCommand | undefined): command is Said =>
  command !== undefined && ['add', 'which', 'answer', 'modify', 'wish'].includes(command.do)

/** The items that it brings into the order, or may. */
export function idsOf(command: OrderCommand): readonly string[] {
  if (command.do === 'add' || command.do === 'answer') return [command.umsId]
  return command.do === 'which' ? command.umsIds : []
}

/** An item and a wish are said in fewer words than this. To look at each cut of a long talk would hold up every other call. */
export const MOST_TOGETHER = 8

/** A modifier of the menu, or a way to prepare that needs none. Null: neither. */
export function wishOf(menu: VoiceMenu, words: readonly string[]): Wish | null {
  const heard = menu.find(words, 'modifier')
  if (heard !== null && heard.exact === 1) {
    const isClear = heard.candidates.length === 1
    // Two that fit equally are for the kitchen to read.
    return isClear ? { modifiers: [heard.entry.umsId], note: null } : { modifiers: [], note: words.join(' ') }
  }
  return isPreparation(words) ? { modifiers: [], note: words.join(' ') } : null
}

/** `cheese` is rather Extra Cheese than Chicken Wings with Blue Cheese Dip. */
export function isWishRather(menu: VoiceMenu, words: readonly string[], item: Heard): boolean {
  const modifier = menu.find(words, 'modifier')
  if (modifier === null) return item.exact < 1
  return modifier.exact > item.exact || (modifier.exact === item.exact && modifier.share > item.share)
}

/** `gluten free burger`, `steak medium rare`: one side is an item, the other a wish. Null: they are not. */
export function halvesOf(menu: VoiceMenu, words: readonly string[]): { item: Heard; wish: Wish } | null {
  if (words.length > MOST_TOGETHER) return null
  for (let cut = 1; cut < words.length; cut++) {
    const [front, back] = [words.slice(0, cut), words.slice(cut)]
    for (const [named, wished] of [
      [back, front],
      [front, back],
    ] as const) {
      const item = menu.find(named, 'item')
      const wish = item?.exact === 1 ? wishOf(menu, wished) : null
      if (item !== null && wish !== null) return { item, wish }
    }
  }
  return null
}

const TRAILING = /(?: (?:on|in|to|for|please|en|por favor|a|of it|of them|from it|thanks|gracias))+$/
const ARTICLE = /^(?:the|any|el|la|los|las) /

/** `no onions`, for the kitchen. */
export function noteWithout(tokens: readonly Token[], language: SpokenLanguage): string {
  const said = tokens.map((token) => (typeof token === 'string' ? token : token.name.toLowerCase())).join(' ')
  return `${language === 'es' ? 'sin' : 'no'} ${said.replace(TRAILING, '').replace(ARTICLE, '')}`
}

/** Runs of words, and entries. */
export function partsOf(tokens: readonly Token[]): (string[] | MenuEntry)[] {
  const parts: (string[] | MenuEntry)[] = []
  for (const token of tokens) {
    const last = parts.at(-1)
    if (typeof token !== 'string') parts.push(token)
    else if (Array.isArray(last)) last.push(token)
    else parts.push([token])
  }
  return parts
}
