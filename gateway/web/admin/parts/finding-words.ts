// A finding in the page's language: what is wrong, what to do, its effect, the label of its button. Pure.
import type { FindingAnswer } from '#gateway/control/health-answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import type { CountForms } from '#shared/health-words.ts'
import type { LanguageId } from '#shared/languages.ts'
import { type Formats, pluralOf } from '#shared/ui/languages.ts'
import { entry, filled } from '#shared/ui/sentences.ts'
import { lookup, printerHint } from './words.ts'

export interface Words {
  t: Messages
  formats: Formats
  language: LanguageId
}

type Sentences = Readonly<Record<string, { title: string; text: string }>>

/** A finding without a sentence on the page is shown in the box's words. */
export function findingWords(
  { key, values, title, text }: Pick<FindingAnswer, 'key' | 'values' | 'title' | 'text'>,
  { t, formats }: Words,
): { title: string; text: string } {
  const said = (words: string | undefined, own: string): string =>
    words === undefined ? formats.text(own) : filled(words, values, formats)
  const reason = String(values['reason'] ?? '')
  const note = String(values['note'] ?? '')
  if (key === 'printer-down' || key === 'printer-warning' || key === 'paper-low') {
    const why = entry(t.printer.notes, note)
    const backup = values['backup'] === undefined ? undefined : String(values['backup'])
    const hint = printerHint(reason, { said: text, backup }, t)
    const name = filled(key === 'printer-down' ? t.health.printerDown : t.health.printerWarns, values, formats)
    return {
      title: name + t.common.colon + lookup(t.printer.reasons, reason),
      text: [...(why === undefined ? [] : [said(why, '')]), hint].join(' '),
    }
  }
  if (key === 'printer-note')
    return { title: said(entry(t.health.notes, note), title), text: said(entry(t.printer.notes, note), text) }
  const own = entry<{ title: string; text: string }>(t.health.sentences as Sentences, key)
  return { title: said(own?.title, title), text: said(own?.text, text) }
}

export function costWords({ cost }: Pick<FindingAnswer, 'cost'>, { t, formats, language }: Words): string {
  if (cost === null) return ''
  const forms = entry<CountForms>(t.health.costs, cost.key)
  return forms === undefined
    ? formats.text(cost.text)
    : filled(pluralOf(language)(cost.count, forms), cost.values, formats)
}

export function actWords(act: NonNullable<FindingAnswer['act']>, { t, formats }: Words): string {
  const own = entry<string>(t.health.acts, act.key)
  return own === undefined ? formats.text(act.label) : filled(own, act.values, formats)
}
