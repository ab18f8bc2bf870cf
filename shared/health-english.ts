// A finding in English, for the command line, the operations and callers without words of their own. Pure.
import type { Finding, FindingValues } from './health.ts'
import { type CountForms, HEALTH_WORDS } from './health-words.ts'

export interface FindingWords {
  title: string
  text: string
  /** Its effect while it lasts; empty: none to report. */
  cost: string
  /** On the button or link that mends it; empty: there is none. */
  act: string
}

type Sentences = Readonly<Record<string, { title: string; text: string }>>

/** Names and words in it are untrusted input: escape them for display. */
export function englishOf({ key, values, cost, act }: Pick<Finding, 'key' | 'values' | 'cost' | 'act'>): FindingWords {
  const { title, text } = (HEALTH_WORDS.sentences as Sentences)[key] ?? { title: key, text: '' }
  const forms = cost && (HEALTH_WORDS.costs as Readonly<Record<string, CountForms>>)[cost.key]
  const label = act && (HEALTH_WORDS.acts as Readonly<Record<string, string>>)[act.key]
  const note = (HEALTH_WORDS.notes as Readonly<Record<string, string>>)[String(values['note'] ?? '')]
  return {
    title: filledIn(key === 'printer-note' ? (note ?? title) : title, values),
    text: filledIn(text, values),
    cost: cost && forms ? filledIn(countForm(cost.count, forms), cost.values) : '',
    act: act && label ? filledIn(label, act.values) : '',
  }
}

function countForm(count: number, forms: CountForms): string {
  return ((count === 1 ? forms.one : undefined) ?? forms.other).replace('#', String(count))
}

/** `{printer}` is the value with that name; one whose name ends with its unit, such as `{freeBytes}` or `{apartMs}`, is written with the unit. */
function filledIn(sentence: string, values: FindingValues): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    if (typeof value === 'string') return value
    if (typeof value === 'object') return value.join(', ')
    if (name.endsWith('Bytes')) return `${Math.round(value / 1_000_000)} MB`
    return name.endsWith('Ms') ? span(value) : String(value)
  })
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`
}
