// What the page says of a family of printers: its models, and what tells it from the other families of its maker.
import type { ProfileAnswer } from '#gateway/control/answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'

/** `epson-thermal-203: TM-T20II, TM-T20III`; of a family without models its maker and traits. Models are never left out. */
export function familyLabel(family: ProfileAnswer, t: Messages): string {
  const { id, models } = family
  return `${id}: ${models.length > 0 ? models.join(', ') : familyFacts(family, t)}`
}

/** The maker, and the traits that a technician can see at the printer or on its paper: `Epson, 40 characters in a line, no cutter`. */
export function familyFacts({ vendor, columns, cut, kanji, labelMm }: ProfileAnswer, t: Messages): string {
  const { familyTraits: traits } = t.printer
  const facts = [
    vendor,
    traits.columns(columns),
    ...(cut === 'none' ? [traits.noCutter] : []),
    ...(labelMm === null ? [] : [traits.labels(labelMm)]),
    ...(kanji === null ? [] : [traits.characters(traits.languages[kanji])]),
  ]
  return facts.join(t.common.comma)
}
