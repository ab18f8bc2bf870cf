// What went wrong with a request, in the language of the page; what the page has no sentence for is shown as the box says it. Pure.
import type { ApiError, FieldProblem } from '#gateway/web/admin/api.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import type { Formats } from '#shared/ui/languages.ts'
import { entry, filled } from './sentences.ts'

type Written = Pick<Formats, 'bytes' | 'duration'>

export interface ProblemWords {
  text: string
  /** The box's own words, where they say more than the sentence; in English. */
  detail: string
  fields: { field: string; words: string }[]
}

/** Of these the box knows more than fits into a sentence: a certificate's fault, the line of a backup. */
const MORE_BEHIND = new Set(['pairing.unreachable', 'pairing.relay-refused', 'pairing.not-stored', 'backup.unusable'])

export function problemWords(error: ApiError, t: Messages, formats: Written): ProblemWords {
  const { said, code, message, values } = error
  const known = said === null ? undefined : entry(t.refusals.cases, said.key)
  const fields = error.fields.map((problem) => fieldWords(problem, t, formats))
  if (known !== undefined && said !== null)
    return {
      text: filled(known, said.values, formats),
      detail: MORE_BEHIND.has(said.key) ? message : '',
      fields,
    }
  const byCode = entry(t.refusals.codes, code)
  if (byCode !== undefined) return { text: filled(byCode, values, formats), detail: '', fields }
  // The fields say it all, each in the page's own words.
  return { text: fields.length > 0 ? '' : message || t.refusals.codes.internal, detail: '', fields }
}

function fieldWords({ field, message, rule }: FieldProblem, t: Messages, formats: Written) {
  const name = field.split('.').at(-1) ?? field
  const form = rule?.key === 'form' ? entry(t.refusals.forms, name) : undefined
  const sentence = form ?? (rule === null ? undefined : entry(t.refusals.rules, rule.key))
  const limit = name.endsWith('Ms') && rule?.limit != null ? formats.duration(rule.limit) : String(rule?.limit ?? '')
  return {
    field: fieldLabel(name, t),
    words: sentence === undefined ? message : filled(sentence, { limit }, formats),
  }
}

/** As the forms call it. */
function fieldLabel(name: string, t: Messages): string {
  const labels: Readonly<Record<string, string>> = {
    name: t.printer.name,
    host: t.printer.address,
    port: t.printer.port,
    profileId: t.printer.profile,
    stations: t.printer.stations,
    papers: t.printer.papers,
    copies: t.printer.copies,
    columns: t.printer.columns,
    codePages: t.printer.codePages,
    beeps: t.printer.beeps,
    mac: t.printer.mac,
    backupPrinterId: t.printer.backup,
    backupAfterMs: t.printer.backupAfter,
    backupWhenDoubtfulAfterMs: t.printer.backupDoubtful,
    staleAfterMs: t.printer.staleAfter,
    staleAboveTickets: t.printer.staleAbove,
    timeZone: t.settings.timeZone,
    language: t.settings.language,
    password: t.signIn.password,
    ownPassword: t.settings.ownPassword,
    passphrase: t.care.passphrase,
    people: t.care.people,
    code: t.printer.test.code,
    relayUrl: t.pairing.relay,
  }
  return entry(labels, name) ?? name
}
