// Modifiers of a line: a plain UMS id, or an object with quantity, verb and group. Pure.
import type { InjectOrder, ModifierObject } from '#shared/wire/api/orders.ts'

type Lines = readonly { modifiers?: readonly (string | ModifierObject)[] | undefined }[]

/** Both forms as the object. */
export function modifiersOf({ modifiers = [] }: Lines[number]): ModifierObject[] {
  return modifiers.map((modifier) => (typeof modifier === 'string' ? { umsId: modifier } : modifier))
}

/** All ids of an order: its items and their modifiers. */
export function idsOf(items: InjectOrder['items']): Set<string> {
  return new Set(items.flatMap((item) => [item.umsId, ...modifiersOf(item).map(({ umsId }) => umsId)]))
}
