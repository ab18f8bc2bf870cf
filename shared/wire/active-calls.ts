// The answer of GET /Receptionist/Webhooks/active-calls. Fields are added to it, never changed or removed: docs/receptionist.md has the contract.
import { z } from 'zod'

const activeCall = z.object({
  callId: z.string().describe('Id of the call, `call_` and 26 characters.'),
  direction: z.literal('inbound'),
  from: z
    .string()
    .nullable()
    .describe(
      'Number of the caller in E.164; null: it is withheld. Where customers are hidden from you only the last two digits.',
    ),
  to: z.string().describe('Number that was called, in E.164.'),
  callerName: z
    .string()
    .nullable()
    .describe('Name of the caller as the telephone company knows it; null: unknown, or hidden from you.'),
  status: z
    .enum(['ringing', 'in_progress', 'transferring', 'voicemail'])
    .describe('`transferring`: a person is being called, or speaks. `voicemail`: a message is recorded.'),
  step: z
    .string()
    .describe(
      'Where the conversation is, such as `menu`, `table-name`, `order`, `transfer` or `voicemail`. More may be added.',
    ),
  startedAt: z.string().describe('When the call came in, ISO 8601 in UTC.'),
  answeredAt: z.string().nullable(),
  durationSeconds: z.number().int().describe('Whole seconds since `startedAt`.'),
  transferredTo: z.string().nullable().describe('Number of the person that it was passed to, in E.164.'),
  lastUtterance: z
    .string()
    .nullable()
    .describe('What the caller said last; null: nothing yet, or it is hidden from you.'),
})
export type ActiveCallAnswer = z.infer<typeof activeCall>

export const activeCalls = z.object({
  merchantId: z.string(),
  asOf: z.string().describe('When this was true, ISO 8601 in UTC.'),
  count: z.number().int(),
  calls: z.array(activeCall).describe('Newest first, at most 100.'),
})
