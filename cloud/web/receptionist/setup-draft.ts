// The receptionist's profile as the form holds it: numbers and lists as the texts that are typed. Pure.
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { OperationBody } from '#cloud/control/operations.ts'

export type Profile = OperationAnswers['receptionist.get']['profile']
export type ProfileBody = OperationBody<'receptionist.save'>['profile']
export type Weekday = keyof Profile['hours']
export type OpenFromTo = Profile['hours'][Weekday][number]
export type MenuEntry = Profile['menu'][number]
export type MenuDeed = MenuEntry['does']

/** In the order of the week as the form shows it. */
export const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly Weekday[]
/** Spans of one day. */
export const MOST_SPANS = 4
const USUAL: OpenFromTo = { from: '11:00', to: '22:00' }
/** What a line of the menu says when its deed changes. */
const NO_WORDS = ''

/** `say` is kept while another deed is tried. */
export interface MenuRow {
  digit: string
  label: string
  does: MenuDeed
  say: string
}

export interface Draft extends Omit<Profile, 'voice' | 'transfer' | 'blocked' | 'notifyTo' | 'orders' | 'menu'> {
  voice: string
  menu: MenuRow[]
  /** Empty: calls are not passed on. */
  transferTo: string
  onlyInHours: boolean
  /** One a line. */
  blocked: string
  notifyTo: string
  orders: { isOn: boolean; mostAmount: string; mostOfALine: string }
}

export function draftOf({ voice, transfer, blocked, notifyTo, orders, menu, ...same }: Profile): Draft {
  return {
    ...same,
    voice: voice ?? '',
    menu: menu.map((entry) => ({ ...entry, say: entry.does === 'say' ? entry.say : NO_WORDS })),
    transferTo: transfer?.to ?? '',
    onlyInHours: transfer?.onlyInHours ?? true,
    blocked: blocked.join('\n'),
    notifyTo: notifyTo ?? '',
    orders: { ...orders, mostAmount: String(orders.mostAmount), mostOfALine: String(orders.mostOfALine) },
  }
}

/** What is sent: the relay checks it and names the field that is wrong. */
export function bodyOf({
  transferTo,
  onlyInHours,
  voice,
  blocked,
  notifyTo,
  orders,
  menu,
  ...same
}: Draft): ProfileBody {
  return {
    ...same,
    voice: voice.trim() === '' ? null : voice.trim(),
    menu: menu.map(({ digit, label, does, say }) =>
      does === 'say' ? { digit, label, does, say } : { digit, label, does },
    ),
    transfer: transferTo.trim() === '' ? null : { to: asE164(transferTo), onlyInHours },
    blocked: blocked
      .split('\n')
      .map((line) => asE164(line))
      .filter((line) => line !== ''),
    notifyTo: notifyTo.trim() === '' ? null : asE164(notifyTo),
    orders: { ...orders, mostAmount: Number(orders.mostAmount), mostOfALine: Number(orders.mostOfALine) },
  }
}

/** As people write a number, into + and digits; ten digits are of North America. What is none stays, for the relay to refuse. */
export function asE164(typed: string): string {
  const bare = typed.trim().replaceAll(/[\s().\-/]/g, '')
  if (/^00\d+$/.test(bare)) return `+${bare.slice(2)}`
  if (/^\d{10}$/.test(bare)) return `+1${bare}`
  if (/^1\d{10}$/.test(bare)) return `+${bare}`
  return bare
}

/** The hours of one day on every day. */
export function copiedToAll(hours: Profile['hours'], from: Weekday): Profile['hours'] {
  return Object.fromEntries(DAYS.map((day) => [day, hours[from].map((span) => ({ ...span }))])) as Profile['hours']
}

/** The usual day first, then one after what is there. */
export function withSpan(spans: readonly OpenFromTo[]): OpenFromTo[] {
  const last = spans.at(-1)
  return [...spans, last === undefined ? { ...USUAL } : { from: last.to === '24:00' ? '00:00' : last.to, to: '23:00' }]
}

/** It ends on the next day. */
export const isOverMidnight = ({ from, to }: OpenFromTo): boolean => to <= from && to !== '00:00' && to !== '24:00'

/** The digits that no line of the menu has: 1 to 9, then 0. */
export function freeDigits(menu: readonly Pick<MenuRow, 'digit'>[]): string[] {
  const taken = new Set(menu.map(({ digit }) => digit))
  return [...'1234567890'].filter((digit) => !taken.has(digit))
}

/** What is set and cannot work together, by the name of its sentence. */
export function contradictions(draft: Draft): Contradiction[] {
  const { menu, mode, transferTo, orders, tables, hours, recording } = draft
  const has = (does: MenuDeed): boolean => menu.some((row) => row.does === does)
  // Then it counts as always open.
  const hasNoHours = DAYS.every((day) => hours[day].length === 0)
  return [
    ...(mode === 'off' && transferTo.trim() === '' ? (['offWithoutTransfer'] as const) : []),
    ...(has('transfer') && transferTo.trim() === '' ? (['transferWithoutNumber'] as const) : []),
    ...(has('order') && !orders.isOn ? (['orderWhileOff'] as const) : []),
    ...(has('table') && !tables ? (['tableWhileOff'] as const) : []),
    ...(has('voicemail') && recording.mode === 'off' ? (['messageWhileOff'] as const) : []),
    ...(mode === 'answers' && hasNoHours ? (['noHours'] as const) : []),
    ...(mode === 'after-hours' && hasNoHours ? (['neverAfterHours'] as const) : []),
    ...(mode === 'after-hours' && transferTo.trim() === '' ? (['openWithoutTransfer'] as const) : []),
  ]
}

/** Numbers as they were saved that this relay does not call or text any more, until they are changed here. */
export function refusedHere(
  draft: Draft,
  { refused }: Pick<OperationAnswers['receptionist.get'], 'refused'>,
  saved: Draft,
) {
  const is = { 'profile.transfer.to': 'transferTo', 'profile.notifyTo': 'notifyTo' } as const
  return refused.filter((field) => draft[is[field]] === saved[is[field]])
}

export type Contradiction =
  | 'offWithoutTransfer'
  | 'transferWithoutNumber'
  | 'orderWhileOff'
  | 'tableWhileOff'
  | 'messageWhileOff'
  | 'noHours'
  | 'neverAfterHours'
  | 'openWithoutTransfer'

/** What every section gets. */
export interface SectionProps {
  draft: Draft
  set: (part: Partial<Draft>) => void
}
