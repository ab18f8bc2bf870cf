// Schemas that several operations share.
import { z } from 'zod'
import { isUsableCurrency } from '#shared/currency.ts'
import { type Id, type IdPrefix, isId } from '#shared/ids.ts'
import { CURSOR, text } from '#shared/wire/api/fields.ts'

/** An id as other operations show it. */
export const idField = <P extends IdPrefix>(prefix: P, noun: string) =>
  z.custom<Id<P>>((value) => typeof value === 'string' && isId(prefix, value), {
    error: `must be the id of ${noun}, such as ${prefix}_01jd3k5v8wz9x0y1a2b3c4d5e6`,
  })

/** The fields of every paged list: spread them into a strictObject. */
export const pageOfList = {
  limit: z.number().int().min(1).max(100).default(25),
  cursor: z.string().regex(CURSOR, { error: 'must be the nextCursor of an earlier answer of this list' }).optional(),
}

/** The merchant's public id, `M-TEST-...` or `M-PROD-...`. */
export const merchantId = text(64)
/** A name for people. */
export const plainName = text(120)

export const timeZone = z
  .string()
  .refine((zone) => zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone), {
    error: 'must be an IANA time zone such as America/New_York',
  })

/** ISO 4217, in any case. */
export const currency = z
  .string()
  .toUpperCase()
  .refine(isUsableCurrency, { error: 'must be a currency of ISO 4217 with at most two decimals, such as EUR' })
