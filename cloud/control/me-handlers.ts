// What a person asks and changes about themselves.
import { mailSignInChanged } from '#cloud/people/mail.ts'
import type { PeopleParts } from '#cloud/people/parts.ts'
import { addPasskey, askNewPasskey } from '#cloud/people/passkeys.ts'
import type { PasskeysTable, UsersTable } from '#cloud/storage/schema-people.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { UserId } from '#shared/ids.ts'
import type { PersonAct } from './act.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Doing, Handlers } from './handler.ts'
import type { ME_OPERATIONS, MeAnswer, PasskeyAnswer } from './me-list.ts'

export const ME_HANDLERS: Pick<Handlers, keyof typeof ME_OPERATIONS> = {
  'me.get': async (context, doing) => meAnswer(await requireUser(context, personIn(doing).userId)),

  'me.save': async (context, doing, { name, language }) => {
    const user = await requireUser(context, personIn(doing).userId)
    const change = { ...(name !== undefined && { name }), ...(language !== undefined && { language }) }
    const answer = meAnswer({ ...user, ...change })
    if (Object.keys(change).length === 0) return { answer }
    await context.users.change(doing.tx, user.id, change)
    // No names of people: the log stays when they are forgotten.
    const after = { fields: Object.keys(change) }
    return { answer, audit: { accountId: null, action: 'me.save', subject: user.id, after } }
  },

  'me.devices': async ({ logins }, doing) => {
    const { userId, sessionId } = personIn(doing)
    const rows = await logins.ofUser(userId)
    return rows.map((row) => ({
      sessionId: row.id,
      isThis: row.id === sessionId,
      ...{ method: row.method, address: row.address, agent: row.agent },
      since: toIso(row.created_at),
      seenAt: toIso(row.seen_at),
    }))
  },

  'me.device.end': async ({ logins }, doing, { sessionId }) => {
    const ended = await logins.end(doing.tx, personIn(doing).userId, sessionId)
    if (!ended) throw notFound('There is no such browser. It has signed out already.', 'device.unknown')
    return { answer: { sessionId } }
  },

  'passkeys.list': async ({ passkeys }, doing) => (await passkeys.ofUser(personIn(doing).userId)).map(passkeyAnswer),

  'passkeys.add.begin': {
    alone: (context, doing) => askNewPasskey(peopleOf(context), personIn(doing)),
  },

  'passkeys.add': {
    alone: async (context, doing, { name, ...made }) => {
      const person = personIn(doing)
      const row = await addPasskey(peopleOf(context), person, { ...made, name })
      await context.db.unit((tx) =>
        audited(tx, context, { act: doing, accountId: null, action: 'passkey.add', subject: row.id }),
      )
      return passkeyAnswer(row)
    },
  },

  'passkeys.rename': async ({ passkeys }, doing, { passkeyId, name }) => {
    const renamed = await passkeys.change(doing.tx, { userId: personIn(doing).userId, id: passkeyId }, { name })
    if (!renamed) throw unknownPasskey()
    const audit = { accountId: null, action: 'passkey.rename' as const, subject: passkeyId }
    return { answer: { passkeyId, name }, audit }
  },

  'passkeys.remove': async (context, doing, { passkeyId }) => {
    const user = await requireUser(context, personIn(doing).userId)
    const name = await context.passkeys.remove(doing.tx, user.id, passkeyId)
    if (name === null) throw unknownPasskey()
    await mailSignInChanged(doing.tx, peopleOf(context), { user, deed: 'passkey-removed', name })
    const audit = { accountId: null, action: 'passkey.remove' as const, subject: passkeyId }
    return { answer: { passkeyId }, audit, wake: () => context.notices.changed.notify() }
  },
}

/** @throws Error for the operator's line, which offers no such operation: a bug */
export function personIn(doing: Doing): PersonAct {
  if (doing.by === 'person') return doing
  throw new Error('this operation is about a person')
}

/** @throws Error where no relay runs: a bug */
function peopleOf({ running }: ControlContext): PeopleParts {
  const people = running?.people
  if (people === undefined) throw new Error('passkeys need a relay that runs')
  return people
}

/** @throws ControlRefusal: the person was removed while they asked */
async function requireUser({ users }: ControlContext, userId: UserId): Promise<UsersTable> {
  const user = await users.find(userId)
  if (user === null) throw notFound('You are not known here any more.', 'me.unknown')
  return user
}

function meAnswer(user: UsersTable): MeAnswer {
  return {
    ...{ userId: user.id, name: user.name, email: user.email, language: user.language },
    hasPassword: user.password_hash !== null,
    isVerified: user.email_verified_at !== null,
    isOperator: user.is_operator === 1,
  }
}

function passkeyAnswer(row: PasskeysTable): PasskeyAnswer {
  return {
    ...{ passkeyId: row.id, name: row.name },
    isBackedUp: row.backed_up === 1,
    createdAt: toIso(row.created_at),
    lastUsedAt: isoOrNull(row.last_used_at),
  }
}

function unknownPasskey(): ControlRefusal {
  return notFound('You have no such passkey. It was removed already.', 'passkey.gone')
}

function notFound(message: string, key: string): ControlRefusal {
  return new ControlRefusal('not-found', message, { said: { key } })
}
