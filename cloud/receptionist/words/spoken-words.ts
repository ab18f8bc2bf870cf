// What the receptionist says and understands, in one language: the form of en.ts and es.ts, and what all languages share.
import type { WEEKDAYS } from '#cloud/receptionist/profile.ts'

/** What a sentence wants, whatever else is in it. Texts are compared as `plain` gives them. */
export interface Meanings {
  person: RegExp
  /** Asks to be put through, also where a number of persons is asked for. */
  putThrough: RegExp
  allergy: RegExp
  complaint: RegExp
  /** Wants to pay by voice. */
  payment: RegExp
  message: RegExp
  goodbye: RegExp
  table: RegExp
  /** About a table that is booked already: that is nothing to note down anew. */
  bookedTable: RegExp
  order: RegExp
  /** Words around an order that name nothing of it. */
  aroundOrder: RegExp
  repeat: RegExp
  question: RegExp
  hours: RegExp
  /** "This number", said of the one that the call comes from. */
  thisNumber: RegExp
  today: RegExp
  tomorrow: RegExp
  /** Of how many people; its first group is the number or its word. */
  party: RegExp
  onlyMe: RegExp
  /** From the first to the last word about a day or time. */
  when: RegExp
  /** What stands before a name. */
  beforeName: RegExp
}

export interface SpokenWords {
  /** BCP 47, of the voice and of what is listened for. */
  tag: string
  means: Meanings
  /** Up to 19, and the tens. */
  numbers: Readonly<Record<string, number>>
  weekdays: Readonly<Record<(typeof WEEKDAYS)[number], string>>
  /** Words that say nothing of what a question is about. */
  stopWords: ReadonlySet<string>
  /** Words that recognition may expect of everybody. */
  hints: readonly string[]

  menu(entries: readonly { digit: string; label: string }[]): string
  howCanIHelp: string
  /** After the digits. */
  askFreely: string
  anythingElse: string
  notHeard: string
  notUnderstood: string
  oneMoment: string
  stillThinking: string
  transferring: string
  nobodyNow: string
  leaveMessage: string
  /** Where nothing is recorded. */
  noMessages: string
  thanksForMessage: string
  goodbye: string
  noPayment: string
  noOrdersNow: string
  orderStart: string
  tableName: string
  tableParty: string
  tableTime: string
  /** `isKnown`: the caller's number is. */
  tableNumber(isKnown: boolean): string
  tableDone(table: { name: string; party: number; wanted: string }): string
  /** To the person who picks up. */
  whisper: string
  fault: string
  /** As `fault`, where a person is called. */
  faultTransfer: string

  /** `11:30` as it is said. */
  time(clock: string): string
  span(from: string, to: string): string
  and: string
  isOpen(until: string | null): string
  isClosed(opens: { day: string; at: string } | null): string
  openOn(day: string, spans: string): string
  closedOn(day: string): string
  /** Weekdays that follow each other. */
  through(first: string, last: string): string
  week(parts: string): string
  today: string
  tomorrow: string
  on(weekday: string): string
  onHoliday(name: string): string
}

/** Small letters without accents and punctuation, one space between words. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^\p{L}\p{N}:]+/gu, ' ')
    .trim()
}

/** The first number of a text, in digits or words up to 99; null: there is none. */
export function numberIn({ numbers }: Pick<SpokenWords, 'numbers'>, text: string): number | null {
  const parts = plain(text)
    .split(' ')
    .filter((part) => part !== 'y' && part !== 'and')
  for (const [index, part] of parts.entries()) {
    if (/^\d{1,4}$/.test(part)) return Number(part)
    const said = spokenNumber(numbers, [part, parts[index + 1] ?? ''])
    if (said !== null) return said.value
  }
  return null
}

/** The number that these two words begin with, up to 99. Null: the first is none. */
export function spokenNumber(
  numbers: SpokenWords['numbers'],
  [first, second]: readonly [string, string],
): { value: number; words: 1 | 2 } | null {
  const value = Object.hasOwn(numbers, first) ? numbers[first] : undefined
  if (value === undefined) return null
  const ones = Object.hasOwn(numbers, second) ? (numbers[second] ?? 0) : 0
  const isBoth = value >= 20 && value % 10 === 0 && ones >= 1 && ones <= 9
  return isBoth ? { value: value + ones, words: 2 } : { value, words: 1 }
}
