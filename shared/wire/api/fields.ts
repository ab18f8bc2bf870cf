// Fields that the schemas of all nouns are made of: text without control characters, money, times, pages of a list.
import { z } from 'zod'
import { toCents } from '#shared/money.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but a note may have line breaks
const CONTROL_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/

const NO_CONTROL = { error: 'must not contain control characters' }
/** Half a surrogate pair survives JSON as an escape, but UTF-8 cannot hold it: the database and strict receivers would change or refuse it. */
export const unicode = () => z.string().refine((s) => s.isWellFormed(), { error: 'must be valid Unicode' })
/** 1 to `max` characters on one line. */
export const text = (max: number) =>
  unicode()
    .min(1)
    .max(max)
    .refine((s) => !CONTROL.test(s), NO_CONTROL)
/** A sign that leaves something on paper: no blank, and none without a width. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u
/** The same with something to see in it: what paper shows of it is never nothing. */
export const visibleText = (max: number) => text(max).refine((s) => VISIBLE.test(s), { error: 'must not be blank' })
/** Up to `max` characters; may be empty and may have line breaks. Those of Windows are taken as one character. */
export const note = (max: number) =>
  unicode()
    .overwrite((s) => s.replaceAll('\r\n', '\n'))
    .max(max)
    .refine((s) => !CONTROL_BUT_NEWLINE.test(s), NO_CONTROL)

export const merchantIdField = text(64)
export const umsIdField = text(TEXT_LENGTHS.umsId)
/** Of an item or a modifier in the catalog. */
export const itemNameField = text(TEXT_LENGTHS.itemName)
/** Of an item in the catalog. */
export const stationField = text(TEXT_LENGTHS.station)
export const reasonField = visibleText(TEXT_LENGTHS.reason)
/** A channel of the merchant, or `direct`: orders through this API. */
export const channelIdField = text(64)
export const moneyField = z
  .number()
  .refine((n) => toCents(n) !== null, {
    error: 'must be an amount from 0 to 9999999.99 with at most 2 decimals',
  })
  .meta({ minimum: 0, maximum: 9_999_999.99 })

const RFC_3339 = { error: 'must be an RFC 3339 time with Z or an offset' }
/** A time that a client sends: any zone, but one must be named. */
export const timeInput = z
  .string(RFC_3339)
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true, ...RFC_3339 }))
  .meta({ format: 'date-time' })
/** A time that we answer: UTC with milliseconds. */
export const isoTime = z.string().meta({ format: 'date-time' })

/** In a result that had 503 printer.offline: nothing could print when it was accepted. The same at every repetition; absent otherwise. */
export const printPending = z.literal(true).optional()

/** Body of a POST that contains only its merchant. */
export const merchantBody = z.strictObject({ merchantId: merchantIdField }).meta({ id: 'MerchantBody' })
/** Query of a GET or DELETE of one thing. */
export const merchantQuery = z.strictObject({ merchantId: merchantIdField }).meta({ id: 'MerchantQuery' })

/** An umsId of 64 letters, each of three bytes, makes some 290. */
export const CURSOR = /^[\w-]{1,512}$/
/** The query fields of every list: spread them into a strictObject. The cursor is opaque (cloud/storage/cursor.ts). */
export const pageFields = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number from 1 to 100' })
    .transform(Number)
    .pipe(z.number().int().min(1).max(100))
    .default(25)
    .meta({ type: 'integer', minimum: 1, maximum: 100 }),
  cursor: z.string().regex(CURSOR, { error: 'must be the nextCursor of an earlier answer of this list' }).optional(),
}
/** Query fields of a list that can be narrowed to a time: `from` inclusive, `to` exclusive. */
export const rangeFields = { from: timeInput.optional(), to: timeInput.optional() }

/** One page, newest first. `nextCursor` is null on the last one. */
export const pageOf = <T extends z.ZodType>(id: string, item: T) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable() }).meta({ id })

/** The header `Idempotency-Key` of every POST but inject. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters without spaces' })
