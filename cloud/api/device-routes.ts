// POST /device/code and POST /device/token: how the command line gets an API key that a person approves at the dashboard (RFC 8628). Not part of /v1: these calls have no key yet.
import { z } from 'zod'
import { defaultScopes, SCOPES } from '#cloud/auth/scopes.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import { beginDeviceSignIn } from '#cloud/control/device-codes.ts'
import { pickUpKey } from '#cloud/control/device-pick-up.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import { hostName } from '#cloud/people/email.ts'
import { ServiceError } from '#shared/errors.ts'
import {
  DEVICE_CODE_PATH,
  DEVICE_INTERVAL_SECONDS,
  DEVICE_TOKEN_PATH,
  type DeviceError,
  deviceCodeAnswer,
  deviceTokenAnswer,
  deviceTokenRefusal,
} from '#shared/wire/device-sign-in.ts'
import type { App } from './app.ts'

/** Sign-ins that one address may begin. */
const OF_ADDRESS: Rates = { steadyPerMinute: 10, burstPerMinute: 20 }
/** A program that keeps the interval never meets it; a network may make two of its questions arrive close together. */
const OF_DEVICE: Rates = {
  steadyPerMinute: 60 / DEVICE_INTERVAL_SECONDS,
  burstPerMinute: 60 / DEVICE_INTERVAL_SECONDS + 2,
}
const SMALL = 4_096

/** The request schemas are here and not with the answers: the command line reads those, and needs neither the scopes nor all of zod. */
const deviceCodeRequest = z
  .strictObject({
    /** Name of the machine: the key is called `CLI on <host>`. */
    host: hostName,
    /** The program and its version, such as `ticketrail/1.4.0 (linux x64)`. */
    app: z
      .string()
      .regex(/^[\w .+/;()-]{1,80}$/, { error: 'must be a program and its version, such as ticketrail/1.4.0' }),
    environment: z.enum(['sandbox', 'live']).default('sandbox'),
    /** Default in the sandbox: all. A live key names what it needs. */
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
  })
  .refine(({ environment, scopes }) => environment === 'sandbox' || scopes !== undefined, {
    path: ['scopes'],
    error: 'must name what a live key is to be allowed',
  })

const deviceTokenRequest = z.strictObject({
  deviceCode: z.string().regex(/^[\w-]{43}$/, { error: 'must be the deviceCode that /device/code answered' }),
})

const WORDS: Readonly<Record<DeviceError, string>> = {
  authorization_pending: 'Nobody has answered yet. Ask again after the interval.',
  slow_down: 'Ask less often: wait 5 seconds longer between two questions.',
  access_denied: 'The sign-in was denied.',
  expired_token: 'The code has expired. Begin anew.',
  invalid_grant: 'There is no such code, or its key was fetched before. Begin anew.',
}

export function deviceRoutes(app: App, control: ControlContext): void {
  const { clock } = control
  const addresses = new KeyedBuckets({ clock, rates: OF_ADDRESS })
  const devices = new KeyedBuckets({ clock, rates: OF_DEVICE })

  app.route({
    method: 'POST',
    url: DEVICE_CODE_PATH,
    config: { access: 'public' },
    bodyLimit: SMALL,
    schema: { body: deviceCodeRequest, response: { 200: deviceCodeAnswer } },
    handler: async ({ client, body }, reply) => {
      const { address, countedAs } = client
      const { ok, retryAfterSeconds } =
        countedAs === null ? { ok: true, retryAfterSeconds: 0 } : addresses.take(countedAs)
      const message = 'Too many sign-ins from this address. Wait for Retry-After seconds.'
      if (!ok) throw new ServiceError('rate_limit.exceeded', { message, retryAfterSeconds })
      const { host, app: program, environment, scopes = defaultScopes('sandbox') } = body
      const asking = { host, app: program, environment, scopes, address, countedAs: countedAs ?? address }
      const codes = await beginDeviceSignIn(control, asking)
      return reply.header('cache-control', 'no-store').send(codes)
    },
  })

  app.route({
    method: 'POST',
    url: DEVICE_TOKEN_PATH,
    config: { access: 'public' },
    bodyLimit: SMALL,
    schema: { body: deviceTokenRequest, response: { 200: deviceTokenAnswer, 400: deviceTokenRefusal } },
    handler: async ({ body }, reply) => {
      const pickedUp = await pickUpKey(control, body.deviceCode, (hash) => devices.take(hash).ok)
      reply.header('cache-control', 'no-store')
      if (pickedUp.kind === 'key') return reply.send(pickedUp.answer)
      const { error } = pickedUp
      return reply.code(400).send({ error, error_description: WORDS[error] })
    },
  })
}
