// A person looks at a program that asks for an API key, and approves or denies it. Whoever guesses codes is held up.
import { parseScopes } from '#cloud/auth/scopes.ts'
import { beginTry } from '#cloud/people/guessing.ts'
import type { PeopleParts } from '#cloud/people/parts.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DeviceSignInsTable } from '#cloud/storage/schema-people.ts'
import { toIso } from '#shared/clock.ts'
import { networkOf } from '#shared/network-of.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { userHash } from './device-codes.ts'
import type { DEVICE_OPERATIONS } from './device-list.ts'
import { DEVICE_KEY_DAYS, deviceKeyName } from './device-pick-up.ts'
import type { Doing, Handlers } from './handler.ts'
import { keyMaker, refuseDeveloper, refuseNotLive, refuseTooMany } from './key-checks.ts'
import { personIn } from './me-handlers.ts'
import { requireSecretBox } from './secrets.ts'

type Coded = { userCode: string }

export const DEVICE_HANDLERS: Pick<Handlers, keyof typeof DEVICE_OPERATIONS> = {
  'device.look': async (context, doing, { userCode }) => {
    const row = await guessed(context, doing, userCode)
    const { address } = personIn(doing)
    return {
      ...{ userCode, host: row.host, app: row.app, address: row.address },
      isFromHere: row.counted_as === networkOf(address),
      ...{ askedAt: toIso(row.created_at), expiresAt: toIso(row.expires_at) },
      key: {
        ...{ name: deviceKeyName(row.host), environment: row.environment, days: DEVICE_KEY_DAYS },
        scopes: [...parseScopes(row.scopes)],
      },
    }
  },

  'device.approve': {
    before: checkCode,
    run: async (context, doing, { userCode, environment }) => {
      const accountId = accountOf(doing)
      const notFetched = (tx: Tx) => context.deviceSignIns.countApproved(tx, accountId, context.clock.now())
      await refuseTooMany(doing.tx, context, { doing, accountId, notMadeYet: notFetched })
      const row = await requireWaiting(context, userCode, doing.tx)
      // The person was shown the other one, or none.
      if (row.environment !== environment) throw unknownCode()
      await refuseNotLive(context, { accountId, environment }, doing.tx)
      const scopes = [...parseScopes(row.scopes)]
      refuseDeveloper(keyMaker(doing), environment, scopes)
      const answered = { account_id: accountId, answered_by: personIn(doing).userId }
      await context.deviceSignIns.change(doing.tx, row.id, { state: 'approved', ...answered })
      const after = { host: row.host, app: row.app, address: row.address, environment, scopes }
      return {
        answer: { userCode, keyName: deviceKeyName(row.host) },
        audit: { accountId, action: 'device.approve', subject: row.id, after },
      }
    },
  },

  'device.deny': {
    before: checkCode,
    run: async (context, doing, { userCode }) => {
      const row = await requireWaiting(context, userCode, doing.tx)
      await context.deviceSignIns.change(doing.tx, row.id, { state: 'denied', answered_by: personIn(doing).userId })
      const after = { host: row.host, app: row.app, address: row.address, environment: row.environment }
      return {
        answer: { userCode },
        audit: { accountId: accountOf(doing), action: 'device.deny', subject: row.id, after },
      }
    },
  },
}

/** @throws ControlRefusal, PeopleRefusal */
async function checkCode(context: ControlContext, doing: Doing, { userCode }: Coded): Promise<void> {
  await guessed(context, doing, userCode)
}

/**
 * Reads the sign-in of a code that waits, and counts a wrong code against the person.
 * @throws ControlRefusal not-found; PeopleRefusal throttled: too many wrong ones
 */
async function guessed(context: ControlContext, doing: Doing, userCode: string): Promise<DeviceSignInsTable> {
  const { userId, address } = personIn(doing)
  const { throttle } = peopleOf(context)
  // Apart from passwords: wrong codes of one hold up nobody who signs in from the same address.
  const trier = { address: `of user codes ${networkOf(address)}`, name: `user code ${userId}`, device: null }
  await beginTry({ throttle }, trier)
  const row = await requireWaiting(context, userCode)
  // Anybody can have a right code of their own: it must not make the wrong ones forgotten.
  await throttle.takenBack(trier)
  return row
}

/** In a unit it is held. @throws ControlRefusal not-found: unknown, expired, or answered already */
async function requireWaiting(context: ControlContext, userCode: string, tx?: Tx): Promise<DeviceSignInsTable> {
  const row = await context.deviceSignIns.byUserHash(userHash(requireSecretBox(context), userCode), tx)
  if (row === null || row.state !== 'waiting' || row.expires_at <= context.clock.now()) throw unknownCode()
  return row
}

function unknownCode(): ControlRefusal {
  return new ControlRefusal(
    'not-found',
    'No program waits under this code. Look at your terminal, or sign in anew there.',
    {
      errors: [{ field: 'userCode', message: 'is not known, has expired, or was answered already' }],
      said: { key: 'device-code.unknown' },
    },
  )
}

/** @throws Error where no relay runs: a bug */
function peopleOf({ running }: ControlContext): Pick<PeopleParts, 'throttle'> {
  const people = running?.people
  if (people === undefined) throw new Error('codes of devices need a relay that runs')
  return people
}
