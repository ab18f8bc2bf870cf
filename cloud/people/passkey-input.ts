// The fields of a passkey from a browser that are checked before the library checks it.
import { z } from 'zod'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from './passkey-shapes.ts'

const base64url = z.string().regex(/^[\w-]*$/, { error: 'must be base64url' })
const ticket = z.string().min(1).max(1_000)
const credential = {
  id: base64url.min(1).max(1_400),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
}
const ANSWER = { error: 'must be what the browser answered' }

/** Of a device that has the passkey. */
export const passkeyAnswer = z.strictObject({
  ticket,
  response: z
    .looseObject({
      ...credential,
      response: z.looseObject(
        { clientDataJSON: base64url, authenticatorData: base64url, signature: base64url },
        ANSWER,
      ),
    })
    .transform((response) => response as unknown as AuthenticationResponseJSON),
})

/** Of a device that has made one. */
export const newPasskeyAnswer = z.strictObject({
  ticket,
  response: z
    .looseObject({
      ...credential,
      response: z.looseObject({ clientDataJSON: base64url, attestationObject: base64url }, ANSWER),
    })
    .transform((response) => response as unknown as RegistrationResponseJSON),
})
