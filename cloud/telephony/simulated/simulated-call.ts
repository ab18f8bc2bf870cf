// A call at the simulated telephone, as JSON: it may rest in a browser, sealed, between two things that the caller does.
import { z } from 'zod'

const url = z.string().max(2_048)

const place = z.discriminatedUnion('now', [
  /** It listens to the caller. */
  z.strictObject({ now: z.literal('listens'), action: url, digits: z.enum(['none', 'one', 'several']) }),
  /** Another telephone rings. */
  z.strictObject({ now: z.literal('rings'), action: url, to: z.string(), whisper: url.nullable() }),
  /** The caller speaks with the person there. */
  z.strictObject({ now: z.literal('talks'), action: url, to: z.string() }),
  /** The caller's message is recorded. `otherwise`: what is asked when nothing was said. */
  z.strictObject({
    now: z.literal('records'),
    action: url,
    callback: url.nullable(),
    transcribe: url.nullable(),
    otherwise: url.nullable(),
  }),
  /** It is over. */
  z.strictObject({ now: z.literal('over'), status: z.enum(['completed', 'busy', 'failed']) }),
])

export const simulatedCall = z.strictObject({
  callId: z.string().regex(/^CA[0-9a-f]{32}$/),
  /** The address of the number's hooks: nothing else is asked. */
  hooks: url,
  from: z.string().nullable(),
  to: z.string(),
  startedMs: z.number().int(),
  /** Where a recording of the whole call is told; null: it is not recorded. */
  recorder: url.nullable(),
  place,
})

export type SimulatedCall = z.infer<typeof simulatedCall>
export type CallPlace = SimulatedCall['place']

/** What the caller hears, in order. */
export type Heard =
  | { say: string; language: string; voice: string | null }
  /** Address of a file. */
  | { play: string }

/** What came of something that the caller did. */
export interface Turn {
  heard: readonly Heard[]
  call: SimulatedCall
}
