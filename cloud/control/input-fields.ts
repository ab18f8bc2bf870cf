// Schemas that several operations share.
import { z } from 'zod'
import { type Id, type IdPrefix, isId } from '#shared/ids.ts'
import { CURSOR } from '#shared/wire/api/fields.ts'

/** An id as other operations show it. */
export const idField = <P extends IdPrefix>(prefix: P, noun: string) =>
  z.custom<Id<P>>((value) => typeof value === 'string' && isId(prefix, value), {
    error: `must be the id of ${noun}, such as ${prefix}_01jd3k5v8wz9x0y1a2b3c4d5e6`,
  })

/** The fields of every list that goes on: spread them into a strictObject. */
export const pageOfList = {
  limit: z.number().int().min(1).max(100).default(25),
  cursor: z.string().regex(CURSOR, { error: 'must be the nextCursor of an earlier answer of this list' }).optional(),
}
