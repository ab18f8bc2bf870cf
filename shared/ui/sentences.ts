// Selects sentences of the catalogues by the server's keys, and fills in values. Pure.
import type { SaidValue } from '#shared/health.ts'
import type { Formats } from './languages.ts'

type Values = Readonly<Record<string, SaidValue>>

/** The formats for values in sentences. */
export type Written = Pick<Formats, 'bytes' | 'span' | 'text' | 'list' | 'chain'>

/** Own properties only: the key is untrusted. */
export function entry<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/**
 * Replaces `{printer}` by the value of that name. Names that end with a unit, such as `{freeBytes}` or `{apartMs}`, are formatted with it.
 * Lists whose name ends with `Chain` are joined by arrows.
 */
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
