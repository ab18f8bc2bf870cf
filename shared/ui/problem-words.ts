// The problem of a request in the language of the page. Without a sentence for it, the server's text is shown. Pure.
import type { ApiError, FieldProblem } from './api.ts'
import type { Formats } from './languages.ts'
import { entry, filled, type Written as WrittenIn } from './sentences.ts'

type Written = WrittenIn & Pick<Formats, 'duration'>
type Sentences = Readonly<Record<string, string>>

/** The sentences of a catalogue about refusals. */
export interface RefusalMessages {
  /** By the code of the answer. */
  codes: Sentences & { internal: string }
  /** By the server's key for the exact case. */
  cases: Sentences
  /** Rules for the value of a field. */
  rules: Sentences & { required: string; 'wrong-form': string }
  /** Formats of text fields, by field name; where a name has two meanings, with what it is in: `transfer.to`. */
  forms: Sentences
}

/** Names that a page uses for refusals, besides its catalogue. */
export interface RefusalNames<M> {
  /** Labels of the fields, by name in the request. */
  labels: (t: M) => Sentences
  /** Cases with more detail from the server than fits a sentence, such as the fault of a certificate or the line of a backup. */
  moreBehind: ReadonlySet<string>
}

export interface ProblemWords {
  text: string
  /** The server's own text if it has more detail than the sentence. In English. */
  detail: string
  fields: FieldWords[]
}

export interface FieldWords {
  /** Full path in the request, such as `thresholds.usual.lateMin`. */
  path: string
  /** Name in the request: the last part of the path that is not a list index. */
  name: string
  /** Label in the form. */
  field: string
  words: string
}

export function problemWords<M extends { refusals: RefusalMessages }>(
  error: ApiError,
  { t, formats, refusals }: { t: M; formats: Written; refusals: RefusalNames<M> },
): ProblemWords {
  const { said, code, message, values } = error
  const known = said === null ? undefined : entry(t.refusals.cases, said.key)
  const labels = refusals.labels(t)
  const wordsOf = (problem: FieldProblem) => fieldWords(problem, t.refusals, { labels, formats })
  if (known !== undefined && said !== null)
    return {
      text: filled(known, said.values, formats),
      detail: refusals.moreBehind.has(said.key) ? message : '',
      // Covered by the sentence already, in the language of the page.
      fields: error.fields.filter((problem) => sentenceOf(problem, t.refusals) !== undefined).map(wordsOf),
    }
  const fields = error.fields.map(wordsOf)
  const byCode = entry(t.refusals.codes, code)
  if (byCode !== undefined) return { text: filled(byCode, values, formats), detail: '', fields }
  // The fields cover everything, each in the page's own words.
  return { text: fields.length > 0 ? '' : message || t.refusals.codes.internal, detail: '', fields }
}

const partsOf = ({ field }: FieldProblem): string[] => field.split('.').filter((part) => !/^[0-9]+$/.test(part))

function nameOf(problem: FieldProblem): string {
  return partsOf(problem).at(-1) ?? problem.field
}

function sentenceOf(problem: FieldProblem, { rules, forms }: RefusalMessages): string | undefined {
  const { rule } = problem
  if (rule === null) return undefined
  const inside = partsOf(problem).slice(-2).join('.')
  const form = rule.key === 'form' ? (entry(forms, inside) ?? entry(forms, nameOf(problem))) : undefined
  return form ?? entry(rules, rule.key)
}

function fieldWords(
  problem: FieldProblem,
  refusals: RefusalMessages,
  { labels, formats }: { labels: Sentences; formats: Written },
): FieldWords {
  const { message, rule } = problem
  const name = nameOf(problem)
  const sentence = sentenceOf(problem, refusals)
  const limit = name.endsWith('Ms') && rule?.limit != null ? formats.duration(rule.limit) : String(rule?.limit ?? '')
  return {
    path: problem.field,
    name,
    field: entry(labels, name) ?? name,
    words: sentence === undefined ? message : filled(sentence, { limit }, formats),
  }
}
