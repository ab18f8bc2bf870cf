// Sentences of the catalogues by a key from the box, filled with its values. Pure.
import type { SaidValue } from '#shared/health.ts'
import type { Formats } from './languages.ts'

type Values = Readonly<Record<string, SaidValue>>

/** What a sentence writes its values with. */
export type Written = Pick<Formats, 'bytes' | 'span' | 'text' | 'list' | 'chain'>

/** Own entries only: a key comes from outside. */
export function entry<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** `{printer}` is the value of that name; one whose name ends with its unit, as `{freeBytes}` or `{apartMs}`, is written with it; of a list whose name ends with `Chain` each leads to the next. */
export function filled(sentence: string, values: Values, formats: Written): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = entry(values, name)
    if (value === undefined) return whole
    if (typeof value === 'string') return formats.text(value)
    if (typeof value === 'object') return name.endsWith('Chain') ? formats.chain(value) : formats.list(value)
    if (name.endsWith('Bytes')) return formats.bytes(value)
    return name.endsWith('Ms') ? formats.span(value) : String(value)
  })
}
