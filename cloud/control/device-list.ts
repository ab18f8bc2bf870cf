// Operations on programs that ask for an API key, such as the command line: their inputs and what they answer.
import { z } from 'zod'
import type { Environment, Scope } from '#cloud/auth/scopes.ts'
import { readUserCode } from '#shared/wire/device-sign-in.ts'
import { changes, reads } from './operation.ts'

const userCode = z
  .string()
  .max(40)
  .transform((typed, context) => {
    const code = readUserCode(typed)
    if (code !== null) return code
    context.addIssue({ code: 'custom', message: 'must be a code of four letters and four digits, such as KXRT-4821' })
    return z.NEVER
  })

export const DEVICE_OPERATIONS = {
  'device.look': reads('Which program asks for an API key under this code', z.strictObject({ userCode }), 'build'),
  'device.approve': changes(
    'Give the program a key of this account; it fetches the key itself',
    z.strictObject({ userCode, environment: z.enum(['sandbox', 'live']) }),
    { right: 'build', stepUp: 'live' },
  ),
  'device.deny': changes('Tell the program that it gets no key', z.strictObject({ userCode }), 'build'),
}

export interface AskingDeviceAnswer {
  /** As it was made, with its hyphen. */
  userCode: string
  /** Name of the machine, as sent by the program. */
  host: string
  /** The program and its version, as sent by it. */
  app: string
  /** Where it asked from. */
  address: string
  /** The call that looks comes from there, too. */
  isFromHere: boolean
  askedAt: string
  expiresAt: string
  key: { name: string; environment: Environment; scopes: Scope[]; days: number }
}

export interface DeviceAnswers {
  'device.look': AskingDeviceAnswer
  'device.approve': { userCode: string; keyName: string }
  'device.deny': { userCode: string }
}
