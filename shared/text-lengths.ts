// How long the texts of an order may be, in UTF-16 units. One fact for both sides: the API takes no longer ones, and paper holds each of them whole.

const MOST_ALLERGENS = 20
const ALLERGEN = 60

export const TEXT_LENGTHS = {
  orderId: 128,
  source: 64,
  table: 32,
  server: 64,
  /** Of an order and of a line. */
  note: 500,
  /** Names of one list. */
  mostAllergens: MOST_ALLERGENS,
  allergen: ALLERGEN,
  /** A whole list, with commas. */
  allergens: MOST_ALLERGENS * (ALLERGEN + 2),
  /** Name of an item or of a modifier of the catalog. */
  itemName: 120,
  /** What a modifier chooses from. */
  group: 60,
  umsId: 64,
  station: 64,
  guest: 120,
  /** Why an order was called off. */
  reason: 500,
  merchant: 120,
} as const
