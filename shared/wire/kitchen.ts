// The contract between the gateway and its kitchen displays: what a display sees, what it sends. docs/kitchen-display.md tells the rules.
import { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { instant } from '#shared/instant.ts'
import type { AgeThresholds } from '#shared/kitchen-times.ts'
import type { DisplayKind, PickUpRow } from './kitchen-screens.ts'

export const ACT_KINDS = [
  'start',
  'strike',
  'unstrike',
  'ready',
  'pick-up',
  'recall',
  'void-seen',
  'change-seen',
  'start-now',
  'fire',
  'unstart',
  'void-unseen',
  'change-unseen',
] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** What a cook does with an order. */
export const kitchenAct = z.strictObject({
  /** Made by the display: the same id is the same act, however often it is sent. */
  id: z.string().regex(/^[A-Za-z0-9_-]{8,40}$/, { error: 'must be 8 to 40 letters, digits, - or _' }),
  kind: z.enum(ACT_KINDS),
  orderId: z.string().min(1).max(64),
  /** Keys of the stations that it is about; null: all of the order. */
  stations: z.array(z.string().max(64)).min(1).max(64).nullable(),
  /** Place of the line that is struck off, or not any more; only with these two kinds. */
  line: z.number().int().min(0).max(999).optional(),
  /** The course that is fired; only with this kind. */
  course: z.number().int().min(1).max(99).optional(),
  /** Revision of the order that the screen showed. Absent: from an older page. */
  seenRev: z.number().int().min(0).optional(),
  /** Places of the lines that it is about, as the screen showed them. Absent: from an older page. */
  lines: z.array(z.number().int().min(0).max(999)).max(1_000).optional(),
  /** The browser that made it: what it has done itself it knows. Absent: from an older page. */
  screen: z.string().min(1).max(40).optional(),
  /** When it was tapped, by the gateway's clock as the display knows it. */
  atMs: instant,
})
export type KitchenAct = z.infer<typeof kitchenAct>

export const kitchenActs = z.strictObject({ acts: z.array(kitchenAct).min(1).max(50) })

/** `already`: done before, or nothing to change. `refused`: it cannot be done to this order as it is now. */
export const actResult = z.object({
  id: z.string(),
  outcome: z.enum(['done', 'already', 'refused']),
  reason: z
    .enum([
      'unknown-order',
      'unknown-line',
      'unknown-course',
      'courses-held',
      'voided',
      'scheduled',
      'not-scheduled',
      'not-voided',
      'not-changed',
      'came-back',
      'new-work',
      'handed-out',
      'not-this-screen',
      'other-station',
      'id-used',
    ])
    .optional(),
})
export type ActResult = z.infer<typeof actResult>

/** Why a course cannot be fired. */
export type FireRefusal = Extract<ActResult['reason'], 'unknown-order' | 'unknown-course' | 'voided' | 'scheduled'>
export type FireOutcome = 'done' | 'already' | FireRefusal

/** Says every five seconds that the display is alive, and which orders it has drawn since. */
export const kitchenPresence = z.strictObject({
  rendered: z.array(z.string().min(1).max(64)).max(500),
  /** Orders that were on the screen when somebody touched it. */
  noticed: z.array(z.string().min(1).max(64)).max(500).default([]),
  /** The sign that the page is on duty: the shift was started, its sounds are unlocked. */
  onShift: z.boolean(),
  /** Of a runner's screen and the guests' board: the box's last word that stands drawn there, by the box's clock; epoch ms. */
  boardAtMs: z.int().min(0).optional(),
})
export type KitchenPresence = z.infer<typeof kitchenPresence>

/** Letters and digits without I, L, O and U; people type them in lower case and with spaces. */
export const displaySignIn = z.strictObject({
  code: z
    .string()
    .max(40)
    .transform((text) => text.toUpperCase().replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^[0-9A-HJKMNP-TV-Z]{8}$/, { error: 'must be the 8 letters and digits of the code' })),
})

export interface BoardLine {
  name: string
  qty: number
  note: string | null
  /** Each with its sign before it: `- NO onion`. */
  modifiers: readonly string[]
  /** Key of its station. */
  station: string
  /** Its allergens, its note or a modifier speak of an allergy. */
  isAllergy: boolean
  /** The words of it, each once, but those of its note and modifiers, which it shows anyway. Absent: from an older box. */
  allergens?: readonly string[]
  seat: number | null
  /** Null: it has none. */
  course: number | null
}

/** A course of an order that is made when it is fired. */
export interface LaterCourse {
  course: number
  /** Keys of the stations that make lines of it. */
  stations: readonly string[]
  /** Null: it is held. */
  firedAtMs: number | null
}

/** A course that waits to be fired. */
export interface HeldCourse {
  orderId: string
  number: string
  course: number
  /** `2 Steak`, as the menu names them. */
  items: string[]
}

/** What has become of an order at one station. */
export interface StationState {
  /** Folded name; '' for lines without one. */
  key: string
  /** As the catalog writes it. */
  name: string
  startedAtMs: number | null
  readyAtMs: number | null
}

/** What the kitchen has done with an order. */
export interface KitchenState {
  stations: readonly StationState[]
  /** All courses but the first, lowest first. */
  courses: readonly LaterCourse[]
  /** All stations are ready, and no course is held. */
  readyAtMs: number | null
  pickedUpAtMs: number | null
  /** It came back after the world was told that it was ready or picked up. */
  recalledAtMs: number | null
  /** Places of the lines that are struck off, in their order. */
  struckLines: readonly number[]
}

export interface BoardAllergy {
  words: string
  /** Of the dish. */
  seat: number | null
  /** Name of the dish whose line says it; null: the whole order. Absent: from an older box. */
  item?: string | null
}

export interface BoardOrder extends KitchenState {
  orderId: string
  /** Grows with every change of the order. Absent: from an older box, which knows no revisions. */
  rev?: number
  /** As it stands on paper: what people say. */
  number: string
  /** As the client calls it. */
  clientOrderId: string
  source: string
  /** Customer's first words, while they may be kept. */
  customer: string | null
  /** One of ORDER_TYPES, or a newer word. */
  orderType: string | null
  table: string | null
  guests: number | null
  server: string | null
  /** Of the whole order. */
  note: string | null
  /** What guests of the order must not eat, wherever it says so: each station has to know. */
  allergens: readonly BoardAllergy[]
  addOnTo: string | null
  /** Made at the box to try everything: nobody may make it. */
  isTest: boolean
  /** When the kitchen should have it: ordered, or its fire time. Ages count from here, those of a later course from its fire. */
  dueAtMs: number
  readyByMs: number | null
  /** Held until its fire time. */
  isScheduled: boolean
  voidedAtMs: number | null
  /** In the words of whoever called it off. Absent: from an older box. */
  voidReason?: string | null
  /** Displays that have acknowledged the void. */
  voidSeenBy: readonly string[]
  /** Displays that have acknowledged that it changes an earlier order. */
  changeSeenBy: readonly string[]
  lines: readonly BoardLine[]
  paper: 'none' | 'waits' | 'printed' | 'failed'
}

export interface BoardPrinter {
  printerId: string
  name: string
  stations: readonly string[]
  state: string
  /** What is wrong, by key, for a page with its own words; '' when nothing is. */
  reason: string
  /** What is wrong and what to do, in English; '' when nothing is. */
  hint: string
  /** Name of the printer that prints its tickets meanwhile; absent: they wait, or the box is older. */
  backup?: string
}

export interface BoardDisplay {
  displayId: string
  name: string
  /** Absent: from an older box, whose screens are all of the kitchen. */
  kind?: DisplayKind
  /** Folded keys; empty: expo, which sees everything. */
  stations: readonly string[]
  language: string
}

/** First message of the feed, and again whenever the page connects: the whole board. */
export interface KitchenHello {
  app: string
  rev: number
  nowMs: number
  timeZone: string
  restaurant: string
  display: BoardDisplay
  /** Stations that some display serves. */
  served: readonly string[]
  /** The display that shows lines of all other stations; null: there is no display. Absent: from an older box, where every display does. */
  adopter?: string | null
  /** From which age orders are soon late, and late, unless the screen is set to its own. Absent: from an older box, as usual. */
  thresholds?: AgeThresholds
  orders: readonly BoardOrder[]
  printers: readonly BoardPrinter[]
  /** Only for a pick-up board, which gets nothing else: `orders` and `printers` are empty there, and each change is a `hello`. */
  pickUp?: readonly PickUpRow[]
}

export interface KitchenPatch {
  rev: number
  nowMs: number
  orders: readonly BoardOrder[]
  /** Left the board. */
  gone: readonly string[]
  /** Only when it is another display than before. */
  adopter?: string | null
}

export interface KitchenBeat {
  rev: number
  nowMs: number
}

/** What a display sent, checked; or what is wrong with it, in words that name the field. */
export function readFromDisplay<S extends z.ZodType>(
  schema: S,
  body: unknown,
): { data: z.output<S> } | { fault: string } {
  const parsed = schema.safeParse(body, { error: fieldMessage })
  if (parsed.success) return { data: parsed.data }
  const [first] = parsed.error.issues
  return { fault: `${first?.path.join('.') || 'body'}: ${first?.message ?? 'cannot be read'}` }
}
