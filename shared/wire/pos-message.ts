// What an outside point of sale is sent, and what it may answer. docs/pos.md tells the rules.
import { z } from 'zod'
import { orderResource, refund } from './api/orders.ts'

const about = { id: z.string(), merchantId: z.string(), order: orderResource }

/** The body of one signed POST. `id` stays the same at every attempt: whoever gets it twice takes it once. */
export const posMessage = z.discriminatedUnion('type', [
  z.object({ ...about, type: z.literal('order') }),
  z.object({ ...about, type: z.literal('void') }),
  z.object({ ...about, type: z.literal('refund'), refund }),
])
export type PosMessageBody = z.infer<typeof posMessage>

/** About no order, when somebody tries the connection: to be answered with any 2xx, and entered nowhere. */
export interface PosTestBody {
  id: string
  type: 'test'
  merchantId: string
}

/** The 2xx answer to `order`. */
export const posAnswer = z.object({
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  posOrderId: z.string().regex(/^[^\u0000-\u001f\u007f-\u009f]{1,64}$/),
})
