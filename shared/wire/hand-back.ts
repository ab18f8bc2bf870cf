// What a gateway hands back to a relay that was restored from an older copy: the jobs of its stream that the relay has forgotten.
import { z } from 'zod'
import { heldInstant } from '#shared/instant.ts'

/** In `hello.caps` of a gateway that hands back what a restored relay has forgotten. */
export const CAP_HAND_BACK = 'hand-back'

/** Jobs in one piece. It is also bounded by the size of a message; one job always fits. */
export const HAND_BACK_JOBS = 100

const seq = z.number().int().min(0)
const stream = z.string().min(1).max(64)

/**
 * Asks for the orders of `locationId` that the gateway has under numbers above `after`, up to `upTo`. It also says that everything up to
 * `after` is stored. `after` = `upTo`: there is nothing more to ask.
 */
export const recallFields = { stream, locationId: z.string().min(1).max(64), after: seq, upTo: seq }
export type Recall = z.infer<z.ZodObject<typeof recallFields>>

export const handedBackJob = z.object({
  jobId: z.string().min(1).max(64),
  seq,
  /** Parsed with `jobDoc` one by one: what cannot be read keeps nothing else back. */
  doc: z.unknown(),
  notBefore: heldInstant.nullable(),
  expiresAt: heldInstant.nullable(),
})
export type HandedBackJob = z.infer<typeof handedBackJob>

/** The answer: all that the gateway still has of the numbers above `after`, up to `upTo`, which may be less than was asked for. */
export const handBackFields = { stream, after: seq, upTo: seq, jobs: z.array(handedBackJob).max(HAND_BACK_JOBS) }
export type HandBack = z.infer<z.ZodObject<typeof handBackFields>>
