// All allergies that an order names, wherever they are: for the banner on every station's ticket. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { modifierNamesAllergy, namesAllergy } from './allergy-words.ts'

/** As it was sent: not sanitised. */
export interface AllergyWarning {
  /** `peanuts, sesame`, or the whole note that mentions it. */
  words: string
  /** `list`: the client's own list of allergens; `text`: a note or a modifier in which such words were found. */
  from: 'list' | 'text'
  seat?: number
  /** Name of the item of the line; absent: the whole order. */
  item?: string
}

/** Of the whole order first, then line by line; duplicates for one item of one seat are removed. */
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

/** The allergies of one line. */
export function lineAllergies(line: Pick<KitchenLine, 'allergens' | 'note' | 'modifiers'>): AllergyWarning[] {
  const { note = '' } = line
  const ofModifiers = line.modifiers.filter(isAllergyModifier).map(({ name }) => name)
  const found = [...ofModifiers, ...(namesAllergy(note) ? [note] : [])].filter((text) => text !== '')
  return [...listed(line.allergens), ...found.map((words) => ({ words, from: 'text' as const }))]
}

/** Also one that the client calls a removal: "peanuts" by the verb `remove`. */
export function isAllergyModifier({ name, verb }: KitchenLine['modifiers'][number]): boolean {
  return modifierNamesAllergy(name) || (verb === 'remove' && modifierNamesAllergy(`no ${name}`))
}

function listed(allergens: readonly string[] | undefined): AllergyWarning[] {
  const named = (allergens ?? []).filter((name) => name.trim() !== '')
  return named.length === 0 ? [] : [{ words: named.join(', '), from: 'list' }]
}
