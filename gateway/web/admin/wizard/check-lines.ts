// The texts of each line of a check: its state, the reason, and where to fix it. Pure.
import type { CheckLine, CheckState, CheckValues } from '#gateway/control/check-answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { lookup } from '#gateway/web/admin/parts/words.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'
import { filled, type Written } from '#shared/ui/sentences.ts'

export const CHECK_KINDS = ['printer', 'station', 'screen', 'rule'] as const

const TONES: Readonly<Record<CheckState, Tone>> = {
  ...{ proved: 'ok', asks: 'warn', waits: 'idle', silent: 'bad', nothing: 'bad', wrong: 'bad' },
}

export interface CheckWords {
  name: string
  tone: Tone
  state: string
  /** Why, then what else is to be known. */
  sentences: string[]
  /** The page on which it is mended; null: not on another page. */
  mend: { to: string; label: string } | null
}

export function checkWords(line: CheckLine, t: Messages, formats: Written): CheckWords {
  const { state, why, values, notes, leftOutBy } = line
  const say = (sentence: string, its: CheckValues): string => filled(sentence, told(its, t), formats)
  return {
    name: line.name || t.check.rest,
    tone: leftOutBy === null ? TONES[state] : 'idle',
    state: leftOutBy === null ? stateWord(line, t) : t.check.leftOut(isolated(leftOutBy)),
    sentences: [say(t.check.why[why], values), ...notes.map((note) => say(t.check.notes[note.key], note.values))],
    mend: state === 'proved' || leftOutBy !== null ? null : mendOf(line, t),
  }
}

/** A station without a printer of its own comes out with the rest: it does not get nothing. */
function stateWord({ kind, state }: CheckLine, t: Messages): string {
  return kind === 'station' && state === 'nothing' ? t.check.notSet : t.check.states[state]
}

/** Names come from outside and are isolated; a reason is in the page's language. */
function told(values: CheckValues, t: Messages): CheckValues {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (key === 'reason') return [key, lookup({ ...t.printer.reasons, ...t.job.reasons }, String(value))]
      return [key, typeof value === 'string' ? isolated(value) : value]
    }),
  )
}

function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

const AT_PRINTER: readonly string[] = ['paused', 'offline', 'failed', 'moved', 'swapped']
const AT_STATIONS: readonly string[] = [
  ...['no-work', 'passed-over', 'no-place', 'no-printer', 'no-screen', 'like', 'no-overlap'],
  ...['rule-gone', 'rule-part-gone', 'rule-never'],
]

function mendOf({ kind, id, why }: CheckLine, t: Messages): CheckWords['mend'] {
  // The rules are on the page of the stations, below them.
  if (AT_STATIONS.includes(why))
    return { to: '/routing', label: kind === 'rule' ? t.check.mend.rules : t.check.mend.stations }
  if (kind === 'printer' && AT_PRINTER.includes(why)) return { to: `/printers/${id}`, label: t.check.mend.printer }
  return kind === 'screen' ? { to: '/displays', label: t.check.mend.displays } : null
}
