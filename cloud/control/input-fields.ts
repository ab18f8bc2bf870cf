// Schemas that several operations share.
import { z } from 'zod'
import { type Id, type IdPrefix, isId } from '#shared/ids.ts'

/** An id as other operations show it. */
export const idField = <P extends IdPrefix>(prefix: P, noun: string) =>
  z.custom<Id<P>>((value) => typeof value === 'string' && isId(prefix, value), {
    error: `must be the id of ${noun}, such as ${prefix}_01jd3k5v8wz9x0y1a2b3c4d5e6`,
  })
