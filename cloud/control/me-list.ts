// Operations of a person on themselves: name and language, browsers, passkeys. Their inputs and what they answer.
import { z } from 'zod'
import { languageField, personName } from '#cloud/people/email.ts'
import { newPasskeyAnswer } from '#cloud/people/passkey-input.ts'
import type { PublicKeyCredentialCreationOptionsJSON } from '#cloud/people/passkey-shapes.ts'
import type { PasskeyId, SignInId, UserId } from '#shared/ids.ts'
import { printableName } from '#shared/printable-name.ts'
import { idField } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const none = z.strictObject({})
const onePasskey = z.strictObject({ passkeyId: idField('psk', 'a passkey') })

export const ME_OPERATIONS = {
  'me.get': reads('Who you are here', none, 'self'),
  'me.save': changes(
    'Change your name, or the language of mail to you',
    z.strictObject({ name: personName.optional(), language: languageField.optional() }),
    'self',
  ),
  'me.devices': reads('Browsers in which you are signed in, used last first', none, 'self'),
  'me.device.end': changes(
    'Sign out in one browser',
    z.strictObject({ sessionId: idField('sin', 'a browser that is signed in') }),
    'self',
  ),
  'passkeys.list': reads('Your passkeys, oldest first', none, 'self'),
  'passkeys.add.begin': changes('What a device is asked to make a passkey', none, { right: 'self', stepUp: true }),
  'passkeys.add': changes('Keep the passkey that a device has made', newPasskeyAnswer.extend({ name: printableName }), {
    right: 'self',
    stepUp: true,
  }),
  'passkeys.rename': changes('Name a passkey otherwise', onePasskey.extend({ name: printableName }), 'self'),
  'passkeys.remove': changes('Remove a passkey: nobody signs in with it any more', onePasskey, {
    right: 'self',
    stepUp: true,
  }),
}

export interface MeAnswer {
  userId: UserId
  name: string
  email: string
  language: string
  hasPassword: boolean
  /** Mail to the address has reached you. */
  isVerified: boolean
  isOperator: boolean
}

export interface DeviceAnswer {
  sessionId: SignInId
  /** The one that asks. */
  isThis: boolean
  method: 'password' | 'passkey' | 'code' | 'link'
  address: string
  /** The browser's own description. */
  agent: string
  since: string
  /** To the five minutes. */
  seenAt: string
}

export interface PasskeyAnswer {
  passkeyId: PasskeyId
  name: string
  /** Other devices of the person have it too. */
  isBackedUp: boolean
  createdAt: string
  lastUsedAt: string | null
}

export interface MeAnswers {
  'me.get': MeAnswer
  'me.save': MeAnswer
  'me.devices': DeviceAnswer[]
  'me.device.end': { sessionId: SignInId }
  'passkeys.list': PasskeyAnswer[]
  'passkeys.add.begin': { ticket: string; options: PublicKeyCredentialCreationOptionsJSON }
  'passkeys.add': PasskeyAnswer
  'passkeys.rename': { passkeyId: PasskeyId; name: string }
  'passkeys.remove': { passkeyId: PasskeyId }
}
