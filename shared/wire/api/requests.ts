// GET /v1/requests: the calls of an account, as the relay's log of requests keeps them.
import { z } from 'zod'
import { isoTime, merchantIdField, pageFields, pageOf, text, timeInput } from './fields.ts'

/** `from`: calls that began at this time or later. */
export const requestsQuery = z
  .strictObject({
    keys: z.enum(['all', 'this']).default('this'),
    status: z
      .string()
      .regex(/^[1-5](?:\d\d|xx)$/, { error: 'must be a status such as 404, or 4xx' })
      .optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    path: text(256).optional(),
    merchantId: merchantIdField.optional(),
    from: timeInput.optional(),
    ...pageFields,
  })
  .meta({ id: 'RequestsQuery' })

export const apiRequest = z
  .object({
    requestId: z.string(),
    answeredAt: isoTime,
    method: z.string(),
    path: z.string(),
    status: z.number().int(),
    durationMs: z.number(),
    code: z.string().nullable(),
    fields: z.array(z.string()),
    merchantId: z.string().nullable(),
    keyId: z.string(),
  })
  .meta({ id: 'ApiRequest' })
export type ApiRequest = z.infer<typeof apiRequest>
export const requestsPage = pageOf('RequestsPage', apiRequest)
