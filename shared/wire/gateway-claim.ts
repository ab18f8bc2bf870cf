// The contract of pairing: claim codes, what a gateway sends to claim one over HTTPS, and what became of it.
import { z } from 'zod'
import { pairing } from './gateway-link.ts'

/** Path on the relay. */
export const CLAIM_PATH = '/gw/v1/claim'
/** A code may be claimed for this long, and its claim repeated by the box that made it. */
export const CLAIM_VALID_MS = 15 * 60_000
export const CLAIM_CODE_CHARACTERS = 10
/** Crockford's base32: no I, L, O and U, so that a code can be read out. */
export const CLAIM_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The code as it is stored, from whatever a person types: any case, spaces, hyphens, o for 0, i and l for 1. Null when it is none. */
export function readClaimCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(code) ? code : null
}

/** `7K2M9-XQ4TB`: as people read it. */
export function shownClaimCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

export const claimRequest = z
  .object({
    code: z
      .string()
      .max(40)
      .transform((typed, context) => {
        const code = readClaimCode(typed)
        if (code !== null) return code
        context.addIssue({
          code: 'custom',
          message: 'must be a claim code: 10 letters and digits, such as 7K2M9-XQ4TB',
        })
        return z.NEVER
      }),
    /**
     * 256 secret random bits that the box stores on its disk before it asks: a repeated claim with them is from the same box, so a lost
     * answer costs nothing.
     */
    attempt: z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 32 random bytes as base64url' }),
    /** Identity of the gateway's memory against doubles. */
    stream: z.string().min(1).max(64),
    app: z.string().min(1).max(64),
    /** What it runs on, for people, such as `linux arm64`. */
    hw: z.string().max(120).default(''),
  })
  .meta({ id: 'GatewayClaim' })
export type ClaimRequest = z.output<typeof claimRequest>

/** The pairing file without what the gateway adds. */
export const claimAnswer = pairing.omit({ nextToken: true, relayUrl: true }).meta({ id: 'GatewayPairing' })
export type ClaimAnswer = z.infer<typeof claimAnswer>

/**
 * Reason for a missing link that waiting does not fix. `refused`: the relay does not know this box any more. `certificate`: the other end
 * cannot prove that it is the relay.
 */
export type LinkTrouble = 'refused' | 'certificate'

/** The outcome of an attempt to pair, on the gateway. `words`: text for people. */
export type PairOutcome =
  | { kind: 'paired'; gatewayId: string; merchantName: string }
  | {
      kind:
        | 'bad-code'
        | 'no-relay'
        | 'already-paired'
        /** Nobody answers: no internet, a wrong address, a certificate that is not trusted. */
        | 'unreachable'
        /** Unknown, expired or used: the relay does not reveal which. */
        | 'code-refused'
        | 'throttled'
        /** It answered something else. */
        | 'relay-refused'
        | 'not-stored'
      words: string
    }
