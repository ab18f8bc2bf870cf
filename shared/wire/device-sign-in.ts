// The contract of signing in a program without a browser of its own, after RFC 8628: a person approves it at the dashboard, and it gets an API key. JSON on both ways.
// Of zod the small form: this goes into the npm package, with the command line.
import * as z from 'zod/mini'

/** Paths on the relay. */
export const DEVICE_CODE_PATH = '/device/code'
export const DEVICE_TOKEN_PATH = '/device/token'

/** A code of the dashboard's page counts for this long, and so does the program's own. */
export const DEVICE_VALID_SECONDS = 600
/** Seconds that the program waits between two questions for its key. */
export const DEVICE_INTERVAL_SECONDS = 5

export const deviceCodeAnswer = z.object({
  /** Only the program has it: it proves that the key is for this program. */
  deviceCode: z.string(),
  /** `KXRT-4821`: the person compares or types it. */
  userCode: z.string(),
  verificationUri: z.string(),
  /** The same page with the code filled in. */
  verificationUriComplete: z.string(),
  /** Seconds. */
  expiresIn: z.int().check(z.minimum(1), z.maximum(3_600)),
  /** Seconds. */
  interval: z.int().check(z.minimum(1), z.maximum(60)),
})
export type DeviceCodeAnswer = z.infer<typeof deviceCodeAnswer>

/** The code as it was made, from what a person types: any case, with or without the hyphen. Null: it is none. */
export function readUserCode(typed: string): string | null {
  const [, letters, digits] = /^([A-Z]{4})(\d{4})$/.exec(typed.toUpperCase().replaceAll(/[\s-]/g, '')) ?? []
  return letters === undefined ? null : `${letters}-${digits}`
}

/** Given once. The relay keeps only a hash of the key. */
export const deviceTokenAnswer = z.object({
  apiKey: z.string().check(z.regex(/^sk_(sandbox|live)_[\x21-\x7e]{1,200}$/)),
  keyId: z.string(),
  account: z.object({ accountId: z.string(), name: z.string() }),
  environment: z.enum(['sandbox', 'live']),
  scopes: z.array(z.string()),
  /** UTC. */
  expiresAt: z.string(),
})
export type DeviceTokenAnswer = z.infer<typeof deviceTokenAnswer>

/**
 * `authorization_pending`: not answered yet. `slow_down`: poll less often, with an interval 5 seconds longer from now on. `invalid_grant`:
 * this relay has no such code, or the key was already fetched.
 */
export const DEVICE_ERRORS = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_grant',
] as const
export type DeviceError = (typeof DEVICE_ERRORS)[number]

/** With status 400, in the form of RFC 6749. */
export const deviceTokenRefusal = z.object({ error: z.enum(DEVICE_ERRORS), error_description: z.string() })
