// The body of every refusal.
import { z } from 'zod'

export const errorBody = z
  .looseObject({
    code: z.string(),
    message: z.string(),
    status: z.number().int(),
    requestId: z.string(),
    docUrl: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorBody>
