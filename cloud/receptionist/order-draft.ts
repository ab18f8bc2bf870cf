// The draft of an order by voice: a pure machine. It prices every line from the menu, and whatever it is told, an order comes out of it only after a yes to exactly what was read back.
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { type DraftLine, type DraftQuestion, EMPTY_DRAFT, type OrderDraft, type OrderTurn } from './order-taker.ts'
import type { MenuEntry, VoiceMenu } from './voice-menu.ts'

/** Lines of one order: more are for a person. */
const MOST_LINES = 40
/** Of a line in the API. */
const MOST_PIECES = 999
const MOST_MODIFIERS = 10

/** What a driver understood. Ids are looked up in the menu, quantities are held to the limits: a driver is not believed. */
export type OrderCommand =
  | { do: 'add'; umsId: string; qty: number; modifiers: readonly string[]; note: string | null }
  /** Several items fit the words. */
  | { do: 'which'; umsIds: readonly string[]; qty: number; modifiers: readonly string[]; note: string | null }
  /** To "which one?", of the first question that has it. `qty` null: all pieces that are asked about; fewer: the rest stays asked. */
  | { do: 'answer'; umsId: string; qty: number | null; modifiers: readonly string[]; note: string | null }
  /** The caller does not want it after all. From 0. */
  | { do: 'decline'; question: number }
  /** About what is being asked. */
  | { do: 'wish'; modifiers: readonly string[]; note: string | null }
  /** `line` from 0; -1 is the last one. `qty` null: all of it. */
  | { do: 'remove'; line: number; qty: number | null }
  | { do: 'quantity'; line: number; qty: number }
  /** `pieces` null: of the whole line; fewer than it has: they become a line of their own. */
  | { do: 'modify'; line: number; modifiers: readonly string[]; note: string | null; pieces: number | null }
  | { do: 'clear' }
  | { do: 'name'; name: string }
  | { do: 'unknown'; words: string }
  | { do: 'read-back' }

/** What became of a command, for the answer to the caller. */
export type DraftFact =
  | { is: 'added' | 'changed' | 'removed'; name: string }
  | { is: 'sold-out' | 'no-price'; name: string }
  | { is: 'too-few'; name: string; left: number }
  | { is: 'unknown'; words: string }
  | { is: 'cleared' | 'named' | 'asked' | 'declined' }
  /** More than the limits allow: the draft has it, and nobody but a person can place it. */
  | { is: 'too-much' }

export type DraftLimits = OrderTurn['limits']

interface Given {
  menu: VoiceMenu
  limits: DraftLimits
}

/** What a yes is a yes to: the lines, their prices and the name. */
export function contentOf({ lines, name }: Pick<OrderDraft, 'lines' | 'name'>): string {
  return JSON.stringify([lines, name])
}

export function totalCents(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { priceCents, qty }) => sum + priceCents * qty, 0)
}

/** It is read back to the caller now. */
export function readBack(draft: OrderDraft): OrderDraft {
  return { ...draft, readBack: contentOf(draft) }
}

/** A yes now is a yes to this very draft. */
export function isAgreedBy(draft: OrderDraft, isYes: boolean): boolean {
  return isYes && draft.lines.length > 0 && draft.questions.length === 0 && draft.readBack === contentOf(draft)
}

export function isWithin({ lines, questions }: OrderDraft, { mostAmountCents, mostOfALine }: DraftLimits): boolean {
  return (
    lines.length + questions.length <= MOST_LINES &&
    lines.every(({ qty }) => qty <= mostOfALine) &&
    totalCents(lines) <= mostAmountCents
  )
}

/** The next order of the same call. */
export function afterPlacing({ name, placed }: OrderDraft): OrderDraft {
  return { ...EMPTY_DRAFT, name, placed: placed + 1 }
}

/** Applies all commands. Whatever changes the draft takes its read-back away. */
export function applyCommands(
  draft: OrderDraft,
  commands: readonly OrderCommand[],
  given: Given,
): { draft: OrderDraft; facts: DraftFact[] } {
  const facts: DraftFact[] = []
  let now = draft
  for (const command of commands) {
    const step = apply(now, command, given)
    facts.push(...step.facts)
    now = step.draft
  }
  if (!isWithin(now, given.limits)) facts.push({ is: 'too-much' })
  const isSame = contentOf(now) === contentOf(draft) && now.questions === draft.questions
  return { draft: isSame ? now : { ...now, readBack: null }, facts }
}

/**
 * Lines are counted in the draft that the caller was asked about: commands that change one come first, those that move others last.
 * The rest keeps its order.
 */
export function inSafeOrder(commands: readonly OrderCommand[]): OrderCommand[] {
  const lineOf = (command: OrderCommand) => ('line' in command ? command.line : -1)
  const rank = (command: OrderCommand) => (lineOf(command) < 0 ? 2 : command.do === 'remove' ? 1 : 0)
  return commands.toSorted((one, other) => rank(one) - rank(other) || lineOf(other) - lineOf(one))
}

/**
 * The lines as the menu has them today. What is sold out or unknown is taken off, and prices are today's.
 * @returns the same draft when nothing changed
 */
export function repriced(draft: OrderDraft, menu: VoiceMenu): { draft: OrderDraft; facts: DraftFact[] } {
  const facts: DraftFact[] = []
  const lines: DraftLine[] = []
  for (const line of draft.lines) {
    const fault = faultOf(line, lines, menu)
    if (fault === null) lines.push(pricedLine(line, menu))
    else facts.push(fault)
  }
  const next = { ...draft, lines }
  return contentOf(next) === contentOf(draft) ? { draft, facts } : { draft: { ...next, readBack: null }, facts }
}

interface Step {
  draft: OrderDraft
  facts: DraftFact[]
}

function apply(draft: OrderDraft, command: OrderCommand, given: Given): Step {
  switch (command.do) {
    case 'add':
      return added(draft, command, given)
    case 'which':
      return asked(draft, command, given)
    case 'answer':
      return answered(draft, command, given)
    case 'decline':
      return declined(draft, command.question)
    case 'wish':
      return wished(draft, command, given)
    case 'remove':
      return removed(draft, command)
    case 'quantity':
      return withLine(draft, given, { at: command.line, change: (line) => [{ ...line, qty: command.qty }] })
    case 'modify':
      return modified(draft, command, given)
    case 'clear':
      return { draft: { ...draft, lines: [], questions: [] }, facts: [{ is: 'cleared' }] }
    case 'name':
      return named(draft, command.name)
    case 'unknown':
      return { draft, facts: [{ is: 'unknown', words: command.words }] }
    case 'read-back':
      return { draft, facts: [] }
  }
}

function added(draft: OrderDraft, command: Extract<OrderCommand, { do: 'add' }>, { menu }: Given): Step {
  const { umsId, qty, modifiers, note } = command
  const line = lineOf({ umsId, qty, modifiers, note }, menu)
  if (line === null) return { draft, facts: [{ is: 'unknown', words: '' }] }
  const same = draft.lines.findIndex((other) => isSame(other, line))
  const old = draft.lines[same]
  const grown = old === undefined ? line : { ...line, qty: pieces(old.qty + line.qty) }
  const others = draft.lines.filter((_, index) => index !== same)
  const fault = faultOf(grown, others, menu)
  if (fault !== null) return { draft, facts: [fault] }
  // The last line is the one that a caller means by "that".
  return { draft: { ...draft, lines: [...others, grown] }, facts: [{ is: 'added', name: line.name }] }
}

function asked(draft: OrderDraft, command: Extract<OrderCommand, { do: 'which' }>, given: Given): Step {
  const { menu } = given
  const entries = command.umsIds.map((id) => menu.entry(id)).filter((entry) => entry?.kind === 'item') as MenuEntry[]
  const sold = entries.filter(({ isSilenced, priceCents }) => !isSilenced && priceCents !== null)
  const [only, other] = sold
  if (only === undefined)
    return { draft, facts: entries.map(({ name }) => ({ is: 'sold-out' as const, name })).slice(0, 1) }
  const { qty, note } = command
  const modifiers = [...command.modifiers]
  if (other === undefined) return added(draft, { do: 'add', umsId: only.umsId, qty, modifiers, note }, given)
  const candidates = sold.slice(0, MOST_CANDIDATES).map(({ umsId, name }) => ({ umsId, name }))
  const question = { candidates, qty: pieces(qty), modifiers: modifiersOf(modifiers, menu), note: cleanNote(note) }
  return { draft: { ...draft, questions: [...draft.questions, question] }, facts: [{ is: 'asked' }] }
}

function answered(draft: OrderDraft, command: Extract<OrderCommand, { do: 'answer' }>, given: Given): Step {
  const { umsId, qty } = command
  const at = draft.questions.findIndex(({ candidates }) => candidates.some((one) => one.umsId === umsId))
  const question = draft.questions[at]
  // It was answered by an earlier command: then it is one more.
  if (question === undefined) return added(draft, { ...command, do: 'add', qty: qty ?? 1 }, given)
  const chosen = qty === null ? question.qty : pieces(qty)
  const modifiers = [...question.modifiers.map((one) => one.umsId), ...command.modifiers]
  const wish = { umsId, qty: chosen, modifiers, note: together(question.note, command.note) }
  const step = added(draft, { do: 'add', ...wish }, given)
  // What is sold out cannot be chosen: it is asked about again while there is another.
  const isRefused = step.facts.some(({ is }) => is === 'sold-out' || is === 'too-few')
  const others = question.candidates.filter((one) => one.umsId !== umsId)
  const left: DraftQuestion[] = isRefused
    ? others.length === 0
      ? []
      : [{ ...question, candidates: others }]
    : question.qty > chosen
      ? [{ ...question, qty: question.qty - chosen }]
      : []
  return { ...step, draft: { ...step.draft, questions: draft.questions.toSpliced(at, 1, ...left) } }
}

function declined(draft: OrderDraft, question: number): Step {
  if (draft.questions[question] === undefined) return { draft, facts: [{ is: 'unknown', words: '' }] }
  return { draft: { ...draft, questions: draft.questions.toSpliced(question, 1) }, facts: [{ is: 'declined' }] }
}

function wished(draft: OrderDraft, command: Extract<OrderCommand, { do: 'wish' }>, { menu }: Given): Step {
  const [question, ...others] = draft.questions
  if (question === undefined || command.modifiers.some((id) => menu.entry(id)?.kind !== 'modifier'))
    return { draft, facts: [{ is: 'unknown', words: '' }] }
  const modifiers = modifiersOf([...question.modifiers.map((one) => one.umsId), ...command.modifiers], menu)
  const next = { ...question, modifiers, note: cleanNote(together(question.note, command.note)) }
  return { draft: { ...draft, questions: [next, ...others] }, facts: [{ is: 'asked' }] }
}

function modifiersOf(ids: readonly string[], menu: VoiceMenu): DraftQuestion['modifiers'] {
  const entries = [...new Set(ids)].map((id) => menu.entry(id)).filter((entry) => entry?.kind === 'modifier')
  return (entries as MenuEntry[]).slice(0, MOST_MODIFIERS).map(({ umsId, name }) => ({ umsId, name }))
}

function together(one: string | null, other: string | null): string | null {
  const parts = [one, other].filter((part) => part !== null && part !== '')
  return parts.length === 0 ? null : parts.join(', ')
}

/** A menu may have many: the rest is heard when it is named. */
const MOST_CANDIDATES = 12

function removed(draft: OrderDraft, { line: at, qty }: Extract<OrderCommand, { do: 'remove' }>): Step {
  const line = draft.lines.at(at)
  if (line === undefined) return { draft, facts: [{ is: 'unknown', words: '' }] }
  const left = qty === null ? 0 : line.qty - pieces(qty)
  const index = draft.lines.indexOf(line)
  const lines = left > 0 ? draft.lines.with(index, { ...line, qty: left }) : draft.lines.toSpliced(index, 1)
  return { draft: { ...draft, lines }, facts: [{ is: left > 0 ? 'changed' : 'removed', name: line.name }] }
}

function modified(draft: OrderDraft, command: Extract<OrderCommand, { do: 'modify' }>, given: Given): Step {
  const change = (line: DraftLine) => {
    const modifiers = [...line.modifiers.map(({ umsId }) => umsId), ...command.modifiers]
    const changed = lineOf({ ...line, modifiers, note: together(line.note, command.note) }, given.menu)
    if (changed === null) return null
    const { pieces: some } = command
    if (some === null || some < 1 || some >= line.qty) return [changed]
    return [
      { ...line, qty: line.qty - some },
      { ...changed, qty: some },
    ]
  }
  return withLine(draft, given, { at: command.line, change })
}

function withLine(
  draft: OrderDraft,
  { menu }: Given,
  { at, change }: { at: number; change: (line: DraftLine) => DraftLine[] | null },
): Step {
  const line = draft.lines.at(at)
  const next = line === undefined ? null : change(line)
  if (line === undefined || next === null) return { draft, facts: [{ is: 'unknown', words: '' }] }
  const index = draft.lines.indexOf(line)
  const before: DraftLine[] = draft.lines.toSpliced(index, 1)
  for (const one of next) {
    const fault = faultOf({ ...one, qty: pieces(one.qty) }, before, menu)
    if (fault !== null) return { draft, facts: [fault] }
    before.push(one)
  }
  const lines = draft.lines.toSpliced(index, 1, ...next.map((one) => ({ ...one, qty: pieces(one.qty) })))
  return { draft: { ...draft, lines }, facts: [{ is: 'changed', name: line.name }] }
}

function named(draft: OrderDraft, text: string): Step {
  const name = text
    .replaceAll(/[^\p{L}\p{M}\p{N}'’. -]/gu, '')
    .trim()
    .slice(0, 60)
  return name === '' ? { draft, facts: [] } : { draft: { ...draft, name }, facts: [{ is: 'named' }] }
}

/** Null: the menu has no such item, no such modifier, or no price of it. */
function lineOf(
  wanted: { umsId: string; qty: number; modifiers: readonly string[]; note: string | null },
  menu: VoiceMenu,
): DraftLine | null {
  const entry = menu.entry(wanted.umsId)
  const ids = [...new Set(wanted.modifiers)].slice(0, MOST_MODIFIERS)
  if (entry?.kind !== 'item' || ids.some((id) => menu.entry(id)?.kind !== 'modifier')) return null
  const modifiers = ids.map((umsId) => ({ umsId, name: menu.entry(umsId)?.name ?? '' }))
  const priceCents = menu.priceOf(entry.umsId, ids) ?? 0
  return {
    umsId: entry.umsId,
    name: entry.name,
    qty: pieces(wanted.qty),
    priceCents,
    modifiers,
    note: cleanNote(wanted.note),
  }
}

function pricedLine(line: DraftLine, menu: VoiceMenu): DraftLine {
  return lineOf({ ...line, modifiers: line.modifiers.map(({ umsId }) => umsId) }, menu) ?? line
}

/** Why this line cannot be sold beside the others; null: it can. */
function faultOf(line: DraftLine, others: readonly DraftLine[], menu: VoiceMenu): DraftFact | null {
  const ids = [line.umsId, ...line.modifiers.map(({ umsId }) => umsId)]
  for (const id of ids) {
    const entry = menu.entry(id)
    if (entry === undefined) return { is: 'sold-out', name: line.name }
    if (entry.isSilenced) return { is: 'sold-out', name: entry.name }
    const needed = needs(id, [...others, line])
    if (entry.stock !== null && entry.stock < needed) return { is: 'too-few', name: entry.name, left: entry.stock }
  }
  return menu.priceOf(line.umsId, ids.slice(1)) === null ? { is: 'no-price', name: line.name } : null
}

/** As the order takes stock: modifiers with each piece of their item. */
function needs(id: string, lines: readonly DraftLine[]): number {
  return lines.reduce((sum, line) => {
    const times = [line, ...line.modifiers].filter(({ umsId }) => umsId === id).length
    return sum + times * line.qty
  }, 0)
}

function isSame(one: DraftLine, other: DraftLine): boolean {
  const of = ({ umsId, modifiers, note }: DraftLine) =>
    JSON.stringify([umsId, modifiers.map((modifier) => modifier.umsId).sort(), note])
  return of(one) === of(other)
}

/** A quantity from outside as one of the API. */
function pieces(qty: number): number {
  return Number.isFinite(qty) ? Math.min(MOST_PIECES, Math.max(1, Math.trunc(qty))) : 1
}

/** Of what a caller said: letters, digits and little else, on one line. */
function cleanNote(note: string | null): string | null {
  const clean = (note ?? '')
    .replaceAll(/[^\p{L}\p{M}\p{N},.'’ -]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return clean === '' ? null : clean.slice(0, Math.min(200, TEXT_LENGTHS.note))
}
