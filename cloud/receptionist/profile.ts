// What a restaurant sets of its receptionist: one document a merchant, checked whenever it is stored and whenever it is read.

import { z } from 'zod'
import { E164 } from '#shared/e164.ts'
import { parseJson } from '#shared/parse-json.ts'
import { note, text } from '#shared/wire/api/fields.ts'

/** A telephone number as it is stored: + and 8 to 15 digits. */
export const e164 = z
  .string()
  .regex(E164, { error: 'must be a telephone number with + and country, such as +12125550100' })

const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: 'must be a time such as 11:30, at most 24:00' })
const day = z.iso.date({ error: 'must be a date such as 2026-12-24' })

/** `to` at or before `from`: over midnight. */
const openFromTo = z.strictObject({ from: clockTime, to: clockTime })

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const weekHours = z.strictObject(
  Object.fromEntries(WEEKDAYS.map((name) => [name, z.array(openFromTo).max(4).default([])])) as Record<
    (typeof WEEKDAYS)[number],
    z.ZodDefault<z.ZodArray<typeof openFromTo>>
  >,
)

const menuEntry = z.discriminatedUnion('does', [
  z.strictObject({ digit: z.string().regex(/^\d$/), label: text(60), does: z.literal('say'), say: text(500) }),
  z.strictObject({ digit: z.string().regex(/^\d$/), label: text(60), does: z.literal('transfer') }),
  z.strictObject({ digit: z.string().regex(/^\d$/), label: text(60), does: z.literal('voicemail') }),
  z.strictObject({ digit: z.string().regex(/^\d$/), label: text(60), does: z.literal('order') }),
  z.strictObject({ digit: z.string().regex(/^\d$/), label: text(60), does: z.literal('table') }),
])

/** The languages that the receptionist speaks. */
export const SPOKEN_LANGUAGES = ['en', 'es'] as const
export type SpokenLanguage = (typeof SPOKEN_LANGUAGES)[number]

export const receptionistProfile = z.strictObject({
  /** `off`: every call goes to the transfer number, or is not answered where there is none. */
  mode: z.enum(['off', 'answers', 'after-hours']).default('off'),
  greeting: text(500).default('Thank you for calling.'),
  /** The provider's name of a voice; null: its default. */
  voice: text(64).nullable().default(null),
  language: z.enum(SPOKEN_LANGUAGES).default('en'),
  hours: weekHours.default({
    monday: [],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  }),
  /** Days that differ: no times means closed. */
  holidays: z
    .array(z.strictObject({ day, name: text(60), open: z.array(openFromTo).max(4) }))
    .max(60)
    .default([]),
  menu: z
    .array(menuEntry)
    .max(10)
    .refine((menu) => new Set(menu.map(({ digit }) => digit)).size === menu.length, {
      error: 'has one digit twice',
    })
    .default([]),
  transfer: z
    .strictObject({ to: e164, onlyInHours: z.boolean().default(true) })
    .nullable()
    .default(null),
  /** What happens when it is closed. */
  afterHours: z.enum(['voicemail', 'answers']).default('voicemail'),
  /** Numbers that are not answered. */
  blocked: z.array(e164).max(100).default([]),
  /** Who gets a text message about each voicemail; null: nobody. */
  notifyTo: e164.nullable().default(null),
  recording: z
    .strictObject({
      mode: z.enum(['off', 'voicemail', 'whole-call']).default('voicemail'),
      /** Said before anything else when the whole call is recorded; it cannot be empty then. */
      consent: note(300).default('This call is recorded.'),
    })
    .refine(({ mode, consent }) => mode !== 'whole-call' || /\p{L}/u.test(consent), {
      path: ['consent'],
      error:
        'must say that the call is recorded: in many places a call may be recorded only when everybody in it knows',
    })
    .default({ mode: 'voicemail', consent: 'This call is recorded.' }),
  orders: z
    .strictObject({
      isOn: z.boolean().default(false),
      /** In the merchant's currency: a larger order goes to a person. */
      mostAmount: z.number().positive().max(10_000).default(150),
      mostOfALine: z.number().int().min(1).max(20).default(20),
    })
    .default({ isOn: false, mostAmount: 150, mostOfALine: 20 }),
  tables: z.boolean().default(true),
})

export type ReceptionistProfile = z.infer<typeof receptionistProfile>

/** Of a restaurant that has set nothing. */
export const DEFAULT_PROFILE: ReceptionistProfile = receptionistProfile.parse({})

/**
 * For calls, which must be answered whatever is stored: a setting that this release cannot read is as if it was not set.
 * @returns `isWhole` false: there was one
 */
export function readableProfile(stored: string): { profile: ReceptionistProfile; isWhole: boolean } {
  const value = parseJson(stored)
  const whole = receptionistProfile.safeParse(value)
  if (whole.success) return { profile: whole.data, isWhole: true }
  const given = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const { shape } = receptionistProfile
  const readable = given.filter(
    ([name, set]) => Object.hasOwn(shape, name) && shape[name as keyof typeof shape].safeParse(set).success,
  )
  return { profile: receptionistProfile.parse(Object.fromEntries(readable)), isWhole: false }
}
