// Operations on API keys: their inputs and what they answer.
import { z } from 'zod'
import { type Environment, KEY_SCOPES, type KeyScope } from '#cloud/auth/scopes.ts'
import { keyName } from '#cloud/people/email.ts'
import type { KeyId } from '#shared/ids.ts'
import { idField } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const environment = z.enum(['sandbox', 'live'])
const scopes = z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length)
/** `environment`: of the key, where the person's role reaches into one only. */
const oneKey = z.strictObject({ keyId: idField('key', 'an API key'), environment: environment.optional() })

export const KEY_OPERATIONS = {
  'keys.list': reads("An account's keys with state, scopes and last use", z.strictObject({}), 'build'),
  'keys.create': changes(
    'A new key; a sandbox key may do everything, a live key only read unless scopes say more',
    z.strictObject({
      environment,
      name: keyName.optional(),
      scopes: scopes.optional(),
      expiresInDays: z.number().int().min(0).max(3_650).optional(),
    }),
    { right: 'build', stepUp: 'live', isSecret: true },
  ),
  'keys.rotate': changes('A new key in place of this one, which goes on for 24 hours', oneKey, {
    right: 'build',
    stepUp: 'live',
    isSecret: true,
  }),
  'keys.revoke': changes('End a key with the next request', oneKey, 'build'),
  'keys.rename': changes('Name a key otherwise', oneKey.extend({ name: keyName }), 'build'),
  'keys.scopes': changes('Set what a key may do, from the next request on', oneKey.extend({ scopes }), {
    right: 'build',
    stepUp: 'live',
  }),
}

export interface KeyAnswer {
  keyId: KeyId
  environment: Environment
  /** Null: it has no name. */
  name: string | null
  /** Its last four characters. */
  endsWith: string
  state: 'valid' | 'rotated' | 'expired' | 'revoked'
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  createdAt: string
}

export interface KeyAnswers {
  'keys.list': KeyAnswer[]
  /** `apiKey` is shown this once. */
  'keys.create': { keyId: KeyId; apiKey: string }
  'keys.rotate': { keyId: KeyId; apiKey: string; oldKeyId: KeyId; oldEndsAt: string }
  'keys.revoke': { keyId: KeyId; revokedAt: string }
  'keys.rename': { keyId: KeyId; name: string }
  'keys.scopes': { keyId: KeyId; scopes: KeyScope[] }
}
