// Assigns the problems of a form to its fields; the rest is shown together. Pure.
import type { ApiError } from './api.ts'
import type { ProblemWords, RefusalMessages } from './problem-words.ts'
import { entry } from './sentences.ts'

export interface FormProblems {
  /** Problem by field name. */
  at: ReadonlyMap<string, string>
  /** Problems of no field of this form. Null: none. */
  rest: ProblemWords | null
}

export const NO_PROBLEMS: FormProblems = { at: new Map(), rest: null }

/** @param hasField returns whether the form has a field of this name */
export function sortedProblems(
  words: ProblemWords,
  { field }: Pick<ApiError, 'field'>,
  hasField: (name: string) => boolean,
): FormProblems {
  const at = new Map<string, string>()
  const others = words.fields.filter(({ path, name, words: why }) => {
    // One of several lines of a field, such as `blocked.2`, is shown at the field.
    const own = [path, path.replace(/(?:\.\d+)+$/, ''), name].find(hasField)
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

/** The browser's validity state of a field. */
export interface FieldState {
  name: string
  isEmpty: boolean
  isTooShort: boolean
  minLength: number
  isNumeric: boolean
}

/** The problem of a field that the browser refuses, in the words that are used when the server refuses it. */
export function invalidWords(field: FieldState, { rules, forms }: Pick<RefusalMessages, 'rules' | 'forms'>): string {
  if (field.isEmpty) return rules.required
  if (field.isTooShort) return (rules['at-least-characters'] ?? '').replace('{limit}', String(field.minLength))
  if (field.isNumeric) return rules['number'] ?? rules['wrong-form']
  return entry(forms, field.name) ?? rules['wrong-form']
}

/** With a capital, for text that is shown on its own below a field. */
export function asSentence(words: string): string {
  const [first = ''] = words
  return first.toLocaleUpperCase() + words.slice(first.length)
}
