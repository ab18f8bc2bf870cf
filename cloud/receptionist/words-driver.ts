// Understands orders by the names of the menu, without a model: numbers, items, "no onions", "make that three", "remove the fries". Pure.
import { choicesOf } from './order-answers.ts'
import {
  AIMS,
  type Clause,
  clausesOf,
  DEFINITE,
  EVERYTHING,
  hasWord,
  INTO,
  isOfThem,
  MORE,
  type Token,
  tokensOf,
  WANTS,
} from './order-clauses.ts'
import { inSafeOrder, type OrderCommand } from './order-draft.ts'
import type { OrderDraft } from './order-taker.ts'
import {
  halvesOf,
  idsOf,
  isSaid,
  isWishRather,
  MOST_TOGETHER,
  noteWithout,
  partsOf,
  type Target,
  type Wish,
  wishOf,
} from './order-wishes.ts'
import { CHATTER, FILLERS } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import { type Heard, type MenuEntry, stem, type VoiceMenu, wordsOf } from './voice-menu.ts'

export interface Understanding {
  draft: OrderDraft
  menu: VoiceMenu
  language: SpokenLanguage
  words: string
}

const NAME =
  /\b(?:my name is|the name is|name is|under the name(?: of)?|me llamo|mi nombre es|a nombre de)\s+([\p{L}\p{M}'’. -]{1,60})/iu

/** @returns what the words mean for the draft; empty: nothing was understood */
export function understand({ draft, menu, language, words }: Understanding): OrderCommand[] {
  const name = NAME.exec(words)
  const rest = name === null ? words : words.replace(name[0], ' ')
  const reading = new Reading(draft, menu, language)
  const clauses = clausesOf(tokensOf(rest, menu, language), language)
  for (const [index, clause] of clauses.entries()) reading.read(clause, clauses[index + 1])
  const named: OrderCommand[] =
    name?.[1] === undefined ? [] : [{ do: 'name', name: name[1].split(/ (?:and|y) /)[0] ?? '' }]
  return inSafeOrder([...named, ...reading.commands])
}

/** One utterance: what was said so far of it decides what "no onions" belongs to. */
class Reading {
  readonly commands: OrderCommand[] = []
  readonly #draft: OrderDraft
  readonly #menu: VoiceMenu
  readonly #language: SpokenLanguage
  /** Pieces of each open question that were chosen just now. */
  readonly #chosen: number[] = []

  constructor(draft: OrderDraft, menu: VoiceMenu, language: SpokenLanguage) {
    this.#draft = draft
    this.#menu = menu
    this.#language = language
  }

  /** @param next the clause after it */
  read(clause: Clause, next: Clause | undefined): void {
    if ((clause.lead === 'add' || clause.lead === 'set') && this.#answer(clause)) return
    switch (clause.lead) {
      case 'remove':
        return void this.#remove(clause)
      case 'remove-too':
        return void this.#removeToo(clause)
      case 'set':
        return void this.#set(clause)
      case 'without':
      case 'with':
      case 'put':
        return void this.#wish(clause)
      case 'add':
        if (!this.#meansLine(clause, next)) this.#add(clause)
    }
  }

  /** To "which one?", of the first question that it fits. */
  #answer(clause: Clause): boolean {
    const words = this.#meaning(clause.tokens)
    for (const [index, question] of this.#draft.questions.entries()) {
      const left = question.qty - (this.#chosen[index] ?? 0)
      const asked = { question, left, isFirst: index === 0 }
      const choices = left < 1 ? [] : choicesOf(clause, { words, menu: this.#menu }, asked)
      for (const { umsId, qty } of choices) {
        this.#chosen[index] = (this.#chosen[index] ?? 0) + (qty ?? left)
        this.#push({ do: 'answer', umsId, qty, modifiers: [], note: null })
      }
      if (choices.length > 0) return true
    }
    return false
  }

  /** `the burger without onions`, where one is in the order: it is no second burger. */
  #meansLine({ qty, tokens }: Clause, next: Clause | undefined): boolean {
    const isWished = next !== undefined && (next.lead === 'with' || next.lead === 'without') && next.qty === null
    const isDefinite = hasWord(tokens, DEFINITE[this.#language])
    if (isDefinite && qty === null && this.#refines(tokens)) return true
    const line = isWished && isDefinite && qty === null ? this.#lineOf(tokens) : null
    if (line !== null) this.#push({ do: 'modify', line, modifiers: [], note: null, pieces: null })
    return line !== null
  }

  /** Items and what is said beside them: before an item or after it, as `gluten free burger` and `burger well done`. */
  #add({ qty, tokens }: Clause): void {
    const [first] = tokens.filter((token) => typeof token === 'object')
    // `no onions on the burger`, where the menu has No Onions.
    if (first?.kind === 'modifier') {
      const aim = this.#aimOf(tokens)
      if (aim !== null) return void this.#modify({ modifiers: [first.umsId], note: null }, qty, aim.target)
    }
    let count = qty
    let hasItem = false
    let before: Wish | null = null
    for (const part of partsOf(tokens)) {
      if (!Array.isArray(part)) {
        if (part.kind === 'item') {
          this.#push({ do: 'add', umsId: part.umsId, ...plain(count) })
          if (before !== null) this.#modify(before, null)
          before = null
          hasItem = true
        } else if (this.#target() === null && hasItem === false) this.#push({ do: 'unknown', words: part.name })
        else this.#modify({ modifiers: [part.umsId], note: null }, hasItem ? null : count)
        count = null
        continue
      }
      const words = this.#meaning(part)
      if (words.length === 0) continue
      if (hasItem) this.#after(words)
      else if (tokens.some((token) => typeof token === 'object' && token.kind === 'item'))
        before = wishOf(this.#menu, words)
      else {
        hasItem = this.#words(words, count)
        count = null
      }
    }
  }

  /** Words behind an item. What is neither a wish nor an item is talk. */
  #after(words: readonly string[]): void {
    const wish = wishOf(this.#menu, words)
    if (wish !== null) return void this.#modify(wish, null)
    const heard = this.#menu.find(words, 'item')
    if (heard !== null && heard.exact === 1) this.#item(heard, null)
  }

  /** @returns whether an item was heard in them */
  #words(words: readonly string[], qty: number | null): boolean {
    const item = this.#menu.find(words, 'item')
    const wish = this.#target() === null ? null : wishOf(this.#menu, words)
    if (wish !== null && (item === null || isWishRather(this.#menu, words, item))) {
      this.#modify(wish, qty)
      return false
    }
    const halves = item?.exact === 1 ? null : halvesOf(this.#menu, words)
    if (halves !== null) {
      this.#item(halves.item, qty)
      this.#modify(halves.wish, null)
      return true
    }
    if (item !== null) this.#item(item, qty)
    else if (!words.every((word) => CHATTER.has(word))) this.#push({ do: 'unknown', words: words.join(' ') })
    return item !== null
  }

  #item(heard: Heard, qty: number | null): void {
    const umsIds = heard.candidates.map(({ umsId }) => umsId)
    const last = this.commands.at(-1)
    // `mac and cheese`, heard as two: both halves name one item.
    if (qty === null && last?.do === 'add' && umsIds.includes(last.umsId)) return
    if (umsIds.length === 1) this.#push({ do: 'add', umsId: heard.entry.umsId, ...plain(qty) })
    else this.#push({ do: 'which', umsIds, ...plain(qty) })
  }

  /** `with`, `without` and `add`, perhaps with what they are for: `no onions on the burger`. */
  #wish(clause: Clause): void {
    const { lead, qty } = clause
    const aim = this.#aimOf(clause.tokens)
    const tokens = aim === null ? clause.tokens : aim.tokens
    const target = aim?.target ?? this.#target()
    const words = this.#meaning(tokens)
    if (lead === 'without') return void this.#without(tokens, { qty, target })
    const entries = tokens.filter((token) => typeof token === 'object')
    if (entries.some(({ kind }) => kind === 'item')) return void this.#add({ lead: 'add', qty, tokens })
    const modifiers = entries.map(({ umsId }) => umsId)
    if (modifiers.length > 0 && target !== null) return void this.#modify({ modifiers, note: null }, qty, target)
    if (words.length === 0) return
    const item = this.#menu.find(words, 'item')
    const modifier = this.#menu.find(words, 'modifier')
    const wish = wishOf(this.#menu, words) ?? (modifier && { modifiers: [modifier.entry.umsId], note: null })
    const isWish = item === null || isWishRather(this.#menu, words, item)
    if (wish !== null && target !== null && isWish) this.#modify(wish, qty, target)
    else this.#add({ lead: 'add', qty, tokens })
  }

  #without(tokens: readonly Token[], { qty, target }: { qty: number | null; target: Target | null }): void {
    const words = this.#meaning(tokens)
    if (this.commands.length === 0 && this.#takesAway(tokens, null)) return
    if (words.length === 0 && !tokens.some((token) => typeof token === 'object')) return
    if (target === null) return void this.#notFor(words)
    const heard = this.#menu.find(words, 'modifier')
    const isNamed = heard?.candidates.length === 1 && /^(no|sin|without)\b/i.test(heard.entry.name)
    if (isNamed) return void this.#modify({ modifiers: [heard.entry.umsId], note: null }, qty, target)
    this.#modify({ modifiers: [], note: noteWithout(tokens, this.#language) }, qty, target)
  }

  /** A wish for what was not found: it is told together with it. */
  #notFor(words: readonly string[]): void {
    const last = this.commands.at(-1)
    if (last?.do !== 'unknown') return
    this.commands[this.commands.length - 1] = { ...last, words: `${last.words} ${words.join(' ')}`.trim() }
  }

  #remove({ qty, tokens }: Clause): void {
    if (hasWord(tokens, EVERYTHING[this.#language])) return void this.#push({ do: 'clear' })
    if (this.#takesAway(tokens, qty)) return void this.#insteadOf(tokens)
    const words = this.#meaning(tokens)
    const isBare = words.length === 0 && !tokens.some((token) => typeof token === 'object')
    if (isBare) {
      if (this.#draft.questions.length > 0) this.#push({ do: 'decline', question: 0 })
      else if (this.#draft.lines.length > 0) this.#push({ do: 'remove', line: this.#draft.lines.length - 1, qty })
      return
    }
    // `remove the onions`: it is no line, so it is about an item.
    const item = this.#menu.find(words, 'item')
    if (words.length > 0 && (item === null || item.exact < 1 || isWishRather(this.#menu, words, item)))
      return void this.#wish({ lead: 'without', qty: null, tokens })
    this.#push({ do: 'unknown', words: words.join(' ') })
  }

  /** `remove the burger and the fries`; but `remove the burger and I want fries`. */
  #removeToo(clause: Clause): void {
    if (hasWord(clause.tokens, WANTS) || !this.#takesAway(clause.tokens, clause.qty)) this.#add(clause)
  }

  /** `instead of the coffee a spritz`: the second is wanted. */
  #insteadOf(tokens: readonly Token[]): void {
    const [, ...others] = tokens.filter((token) => typeof token === 'object' && token.kind === 'item')
    if (others.length > 0) return void this.#add({ lead: 'add', qty: null, tokens: others })
    const gone = this.commands.at(-1)
    const { lines, questions } = this.#draft
    const asked = gone?.do === 'decline' ? (questions[gone.question]?.candidates ?? []) : []
    const removed = gone?.do === 'remove' ? lines.slice(gone.line, gone.line + 1) : asked
    const name = removed.map((one) => one.name).join(' ')
    const own = new Set(wordsOf(name).map(stem))
    const heard = this.#menu.find(
      this.#meaning(tokens).filter((word) => !own.has(stem(word))),
      'item',
    )
    if (heard?.exact === 1) this.#item(heard, null)
  }

  /** A line, or what is still asked about. */
  #takesAway(tokens: readonly Token[], qty: number | null): boolean {
    const line = this.#lineOf(tokens)
    if (line !== null) this.#push({ do: 'remove', line, qty })
    if (line !== null) return true
    const question = this.#draft.questions.findIndex(({ candidates }) => {
      const ids = new Set(candidates.map(({ umsId }) => umsId))
      const isSaidSo = tokens.some((token) => typeof token === 'object' && ids.has(token.umsId))
      return isSaidSo || (this.#menu.find(this.#meaning(tokens), 'item', ids)?.exact ?? 0) === 1
    })
    if (question >= 0) this.#push({ do: 'decline', question })
    return question >= 0
  }

  #set({ qty, tokens }: Clause): void {
    // `just one more burger`
    if (hasWord(tokens, MORE)) return void this.#add({ lead: 'add', qty, tokens })
    const into = tokens.findIndex((token) => typeof token === 'string' && INTO[this.#language].has(token))
    const right = into < 0 ? [] : tokens.slice(into + 1)
    const left = into < 0 ? tokens : tokens.slice(0, into)
    const line = this.#lineOf(left)
    const becomes = this.#itemOf(right)
    if (line !== null && becomes !== null) {
      const old = this.#draft.lines.at(line)
      this.#push({ do: 'remove', line, qty: null })
      return void this.#push({ do: 'add', umsId: becomes.umsId, ...plain(qty ?? old?.qty ?? 1) })
    }
    if (qty !== null && line !== null) return void this.#push({ do: 'quantity', line, qty })
    const isBare = this.#meaning(tokens).length === 0 && !tokens.some((token) => typeof token === 'object')
    if (qty !== null && isBare) return void this.#recount(qty)
    // `make the burger gluten free`
    if (qty === null && this.#refines(tokens)) return
    if (tokens.length > 0) this.#add({ lead: 'add', qty, tokens })
  }

  #recount(qty: number): void {
    const last = this.commands.at(-1)
    if (last?.do === 'add' || last?.do === 'which') this.commands[this.commands.length - 1] = { ...last, qty }
    else if (this.#draft.lines.length > 0) this.#push({ do: 'quantity', line: this.#draft.lines.length - 1, qty })
  }

  #refines(tokens: readonly Token[]): boolean {
    for (let cut = 1; cut < Math.min(tokens.length, MOST_TOGETHER); cut++) {
      const line = this.#lineOf(tokens.slice(0, cut))
      const rest = tokens.slice(cut)
      const modifiers = rest.filter((token) => typeof token === 'object' && token.kind === 'modifier') as MenuEntry[]
      const words = this.#meaning(rest)
      const wish =
        modifiers.length > 0
          ? { modifiers: modifiers.map(({ umsId }) => umsId), note: null }
          : words.length > 0 && wishOf(this.#menu, words)
      if (line !== null && wish) {
        this.#modify(wish, null, { line })
        return true
      }
    }
    return false
  }

  /** What a wish is for that names nothing: the thing said last, the open question, or the last line. */
  #target(): Target | null {
    const last = this.commands.length - 1
    if (isSaid(this.commands[last])) return { command: last }
    if (this.commands[last]?.do === 'unknown') return null
    if (this.#draft.questions.length > 0) return { command: -1 }
    return this.#draft.lines.length > 0 ? { line: this.#draft.lines.length - 1 } : null
  }

  /** `no onions on the burger`. Null: it ends in no item of the order. */
  #aimOf(tokens: readonly Token[]): { tokens: Token[]; target: Target } | null {
    const at = tokens.findLastIndex((token) => typeof token === 'string' && AIMS[this.#language].has(token))
    const rest = at < 1 ? [] : tokens.slice(at + 1)
    if (rest.length === 0) return null
    const line = this.#lineOf(rest)
    const named = this.#saidJustNow(rest) ?? (line === null ? null : { line })
    const target = named ?? (isOfThem(rest) ? this.#target() : null)
    return target === null ? null : { tokens: tokens.slice(0, at), target }
  }

  #saidJustNow(tokens: readonly Token[]): Target | null {
    const ids = new Set(this.commands.flatMap(idsOf))
    const item = ids.size === 0 ? null : this.#entryAmong(tokens, ids)
    const command = this.commands.findLastIndex((one) => item !== null && idsOf(one).includes(item))
    return command < 0 ? null : { command }
  }

  /** @param pieces of it that have the wish; null: all */
  #modify(wish: Wish, pieces: number | null, target: Target | null = this.#target()): void {
    if (target === null) return void this.#notFor([...wish.modifiers, wish.note ?? ''])
    if ('line' in target) return void this.#push({ do: 'modify', line: target.line, pieces, ...wish })
    const said = this.commands[target.command]
    if (!isSaid(said)) return void this.#push({ do: 'wish', ...wish })
    const note = [said.note, wish.note].filter((part) => part !== null).join(', ')
    const wished = { modifiers: [...said.modifiers, ...wish.modifiers], note: note === '' ? null : note }
    const some = pieces !== null && (said.do === 'add' || said.do === 'which') && pieces < said.qty ? pieces : null
    // The rest stays last: the next "one with cheese" is of it.
    const parts: OrderCommand[] =
      some === null || !('qty' in said) || said.qty === null
        ? [{ ...said, ...wished }]
        : [
            { ...said, ...wished, qty: some },
            { ...said, qty: said.qty - some },
          ]
    this.commands.splice(target.command, 1, ...parts)
  }

  /** The line that these words name. Null: none, or several. */
  #lineOf(tokens: readonly Token[]): number | null {
    const id = this.#entryAmong(tokens, new Set(this.#draft.lines.map(({ umsId }) => umsId)))
    const line = id === null ? -1 : this.#draft.lines.findLastIndex(({ umsId }) => umsId === id)
    return line < 0 ? null : line
  }

  #entryAmong(tokens: readonly Token[], ids: ReadonlySet<string>): string | null {
    return this.#itemOf(tokens, ids)?.umsId ?? null
  }

  #itemOf(tokens: readonly Token[], among?: ReadonlySet<string>): MenuEntry | null {
    const said = tokens.find((token) => typeof token === 'object' && token.kind === 'item') as MenuEntry | undefined
    if (said !== undefined) return among === undefined || among.has(said.umsId) ? said : null
    const heard = this.#menu.find(this.#meaning(tokens), 'item', among)
    return heard?.candidates.length === 1 ? heard.entry : null
  }

  #meaning(tokens: readonly Token[]): string[] {
    return tokens.filter((token) => typeof token === 'string' && !FILLERS[this.#language].has(token)) as string[]
  }

  #push(command: OrderCommand): void {
    this.commands.push(command)
  }
}

const plain = (qty: number | null) => ({ qty: qty ?? 1, modifiers: [], note: null })
