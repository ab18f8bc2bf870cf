// What is wrong with a form, sorted: each problem goes to its field, the rest stays together. Pure.
import type { ApiError } from './api.ts'
import type { ProblemWords, RefusalMessages } from './problem-words.ts'
import { entry } from './sentences.ts'

export interface FormProblems {
  /** Name of a field to what is wrong with it. */
  at: ReadonlyMap<string, string>
  /** What is about no field of this form; null: nothing. */
  rest: ProblemWords | null
}

export const NO_PROBLEMS: FormProblems = { at: new Map(), rest: null }

/** @param hasField whether the form has a field of this name */
export function sortedProblems(
  words: ProblemWords,
  { field }: Pick<ApiError, 'field'>,
  hasField: (name: string) => boolean,
): FormProblems {
  const at = new Map<string, string>()
  const others = words.fields.filter(({ path, name, words: why }) => {
    const own = [path, name].find(hasField)
    if (own !== undefined && !at.has(own)) at.set(own, why)
    return own === undefined
  })
  const isOfField = field !== null && words.text !== '' && words.detail === '' && hasField(field)
  if (isOfField && !at.has(field)) at.set(field, words.text)
  const text = isOfField ? '' : words.text
  return { at, rest: text === '' && others.length === 0 ? null : { ...words, text, fields: others } }
}

export function withoutField({ at, rest }: FormProblems, name: string): FormProblems {
  return { at: new Map([...at].filter(([one]) => one !== name)), rest }
}

/** What the browser itself sees of a field. */
export interface FieldState {
  name: string
  isEmpty: boolean
  isTooShort: boolean
  minLength: number
  isNumeric: boolean
}

/** What is wrong with a field that the browser does not take, in the words in which the server would refuse it. */
export function invalidWords(field: FieldState, { rules, forms }: Pick<RefusalMessages, 'rules' | 'forms'>): string {
  if (field.isEmpty) return rules.required
  if (field.isTooShort) return (rules['at-least-characters'] ?? '').replace('{limit}', String(field.minLength))
  if (field.isNumeric) return rules['number'] ?? rules['wrong-form']
  return entry(forms, field.name) ?? rules['wrong-form']
}

/** As it stands alone below a field: with a capital. */
export function asSentence(words: string): string {
  const [first = ''] = words
  return first.toLocaleUpperCase() + words.slice(first.length)
}
