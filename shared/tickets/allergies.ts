// Finds all allergies that an order mentions, for the banner on every station's ticket. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { modifierNamesAllergy, namesAllergy } from './allergy-words.ts'

/** Text as the client sent it, not sanitized. */
export interface AllergyWarning {
  /** `peanuts, sesame`, or the whole note that mentions the allergy. */
  words: string
  /** `list`: from the client's list of allergens. `text`: found in a note or a modifier. */
  from: 'list' | 'text'
  seat?: number
  /** Name of the line's item. Absent: the whole order. */
  item?: string
}

/** The warnings of the order, then line by line. Duplicates for the same item and seat are removed. */
export function orderAllergies(order: Pick<KitchenOrder, 'allergens' | 'note' | 'items'>): AllergyWarning[] {
  const warnings: AllergyWarning[] = [
    ...listed(order.allergens),
    ...(namesAllergy(order.note ?? '') ? [{ words: order.note ?? '', from: 'text' as const }] : []),
    ...order.items.flatMap((line) => {
      const whose = { ...(line.seat === undefined ? {} : { seat: line.seat }), item: line.name }
      return lineAllergies(line).map((warning) => ({ ...warning, ...whose }))
    }),
  ]
  const keyOf = ({ words, seat, item }: AllergyWarning) => `${words}\n${seat ?? ''}\n${item ?? ''}`
  return [...new Map(warnings.map((warning) => [keyOf(warning), warning])).values()]
}

/** The warnings of one line. */
export function lineAllergies(line: Pick<KitchenLine, 'allergens' | 'note' | 'modifiers'>): AllergyWarning[] {
  const { note = '' } = line
  const ofModifiers = line.modifiers.filter(isAllergyModifier).map(({ name }) => name)
  const found = [...ofModifiers, ...(namesAllergy(note) ? [note] : [])].filter((text) => text !== '')
  return [...listed(line.allergens), ...found.map((words) => ({ words, from: 'text' as const }))]
}

/** Also true for a modifier that the client marks as a removal, such as "peanuts" with the verb `remove`. */
export function isAllergyModifier({ name, verb }: KitchenLine['modifiers'][number]): boolean {
  return modifierNamesAllergy(name) || (verb === 'remove' && modifierNamesAllergy(`no ${name}`))
}

function listed(allergens: readonly string[] | undefined): AllergyWarning[] {
  const named = (allergens ?? []).filter((name) => name.trim() !== '')
  return named.length === 0 ? [] : [{ words: named.join(', '), from: 'list' }]
}
