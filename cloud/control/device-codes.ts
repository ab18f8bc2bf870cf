// Sign-ins of devices (RFC 8628): a program such as the command line gets two codes. It keeps one; a person types the other at the dashboard. Only hashes of both are stored.
import { randomBytes, randomInt } from 'node:crypto'
import type { Environment, Scope } from '#cloud/auth/scopes.ts'
import { siteOf, USUAL_SITE } from '#cloud/people/site.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { ServiceError } from '#shared/errors.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import { newId } from '#shared/ids.ts'
import { DEVICE_INTERVAL_SECONDS, DEVICE_VALID_SECONDS, type DeviceCodeAnswer } from '#shared/wire/device-sign-in.ts'
import type { ControlContext } from './context.ts'
import { requireSecretBox } from './secrets.ts'

/** No vowels, so that no code is a word (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const DIGITS = '0123456789'
const HALF = 4
/** Codes that wait at the same time, of one address and of all. Retention deletes what has expired. */
const MOST_OF_ADDRESS = 20
const MOST_OF_ALL = 5_000
/** Deleted at once when all places are taken: to look for them costs some milliseconds. */
const ROOM = 250
/** Another sign-in may have the same code: one in 300,000 with 5,000 of them open. */
const TRIES = 3

export interface AskingDevice {
  host: string
  app: string
  environment: Environment
  scopes: readonly Scope[]
  address: string
  countedAs: string
}

/** Two new codes, in clear this once. @throws ServiceError rate_limit.exceeded (429): too many from this address */
export async function beginDeviceSignIn(context: ControlContext, asking: AskingDevice): Promise<DeviceCodeAnswer> {
  const { db, deviceSignIns, clock, site = () => siteOf(USUAL_SITE) } = context
  const secretBox = requireSecretBox(context)
  const deviceCode = randomBytes(32).toString('base64url')
  const userCode = await db.unit(async (tx) => {
    const nowMs = clock.now()
    await holdName(tx, 'device sign-in', asking.countedAs)
    const { ofAddress, ofAll } = await deviceSignIns.countOpen(tx, asking.countedAs, nowMs)
    if (ofAddress >= MOST_OF_ADDRESS) throw tooMany()
    // Refusing would let a few hundred addresses close the sign-in for everybody.
    if (ofAll >= MOST_OF_ALL) await deviceSignIns.makeRoom(tx, { nowMs, count: ROOM, networkOf: wideNetworkOf })
    for (let left = TRIES; left > 0; left--) {
      const code = newUserCode()
      const isNew = await deviceSignIns.insert(tx, {
        id: newId('dsi', nowMs),
        device_hash: sha256Hex(deviceCode),
        user_hash: userHash(secretBox, code),
        host: asking.host,
        app: asking.app,
        address: asking.address,
        counted_as: asking.countedAs,
        environment: asking.environment,
        scopes: JSON.stringify(asking.scopes),
        state: 'waiting',
        account_id: null,
        answered_by: null,
        expires_at: nowMs + DEVICE_VALID_SECONDS * 1_000,
        created_at: nowMs,
      })
      if (isNew) return code
    }
    throw tooMany()
  })
  const verificationUri = `${site().origin}/dashboard/device`
  return {
    ...{ deviceCode, userCode, verificationUri },
    // Behind the `#` it is in no log of a server.
    verificationUriComplete: `${verificationUri}#${userCode}`,
    ...{ expiresIn: DEVICE_VALID_SECONDS, interval: DEVICE_INTERVAL_SECONDS },
  }
}

/** Not a plain hash: so few characters are found by trying. */
export function userHash(secretBox: SecretBox, userCode: string): string {
  return secretBox.mac('device user code', userCode)
}

/** The neighbourhood of an address, as many as one owner may have: `203.0.113.0/24`, `2001:db8:0/48`. */
function wideNetworkOf(countedAs: string): string {
  if (countedAs.endsWith('/64')) return `${countedAs.split(':').slice(0, 3).join(':')}/48`
  return countedAs.replace(/\.\d+$/, '.0/24')
}

function newUserCode(): string {
  const half = (signs: string) => Array.from({ length: HALF }, () => signs.charAt(randomInt(signs.length))).join('')
  return `${half(LETTERS)}-${half(DIGITS)}`
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limit.exceeded', {
    message: 'Too many sign-ins of devices wait for an answer. Wait for Retry-After seconds.',
    retryAfterSeconds: 60,
  })
}
