// Operators' actions on people: list, invite and delete them, and view an account for a reason that its owner sees.
import { ListCursors } from '#cloud/storage/cursor.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Handlers } from './handler.ts'
import { personIn } from './me-handlers.ts'
import { invited, refuseLastOwner, takeBackInvitations } from './people-handlers.ts'
import type { PEOPLE_OPERATIONS } from './people-list.ts'
import { requireAccount } from './require.ts'

type OfOperator = Extract<keyof typeof PEOPLE_OPERATIONS, `op.${string}`>

const VIEW_MS = 30 * 60_000

export const PEOPLE_OPERATOR_HANDLERS: Pick<Handlers, OfOperator> = {
  'op.people': async ({ users, memberships }, _doing, { limit, cursor }) => {
    const cursors = new ListCursors({ list: 'people', of: [], filters: {} })
    const last = cursors.decode(cursor)
    const found = await users.page({ after: last === null ? null : asId<'usr'>(last.id), limit: limit + 1 })
    const { rows, nextCursor } = cursors.page(found, limit, ({ id }) => ({ at: 0, id }))
    const accounts = await memberships.ofUsers(rows.map(({ id }) => id))
    const data = rows.map((user) => ({
      ...{ userId: user.id, name: user.name, email: user.email, isOperator: user.is_operator === 1 },
      accounts: (accounts.get(user.id) ?? []).map(({ id, name, role }) => ({ accountId: id, name, role })),
      createdAt: toIso(user.created_at),
      removedAt: isoOrNull(user.disabled_at),
    }))
    return { data, nextCursor }
  },

  'op.people.invite': async (context, doing, input) => {
    const { email, language } = input
    if ('operator' in input) return invited(doing.tx, context, { doing, email, language, into: null })
    const account = await requireAccount(context, input.accountId)
    const into = { accountId: account.id, accountName: account.name, role: input.role }
    return invited(doing.tx, context, { doing, email, language, into })
  },

  'op.people.remove': async (context, doing, { userId }) => {
    const { users, memberships, logins, passkeys, codes, clock } = context
    const accounts = await memberships.ofUser(userId, doing.tx)
    for (const { id: accountId, role } of accounts.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await holdRow(doing.tx, 'accounts', accountId)
      if (role === 'owner') await refuseLastOwner(doing.tx, context, { accountId, userId })
    }
    const user = await users.find(userId, doing.tx)
    if (user === null || user.disabled_at !== null)
      throw new ControlRefusal('not-found', `There is no person ${userId}.`, { said: { key: 'people.unknown' } })
    await logins.endAll(doing.tx, userId)
    await passkeys.removeAll(doing.tx, userId)
    await codes.removeAll(doing.tx, user.email_norm)
    const uninvited = await takeBackInvitations(doing.tx, context, { userId })
    await memberships.removeAll(doing.tx, userId)
    // The row stays for the audit log, which has only the id. No person can have this address: it has no @.
    await users.change(doing.tx, userId, {
      ...{ name: '', email: '', email_norm: userId, password_hash: null, email_verified_at: null },
      ...{ is_operator: 0, disabled_at: clock.now() },
    })
    const entry = { action: 'people.forget' as const, subject: userId }
    return {
      answer: { userId },
      audit: [...uninvited, { ...entry, accountId: null }, ...accounts.map(({ id }) => ({ ...entry, accountId: id }))],
    }
  },

  'op.viewAs.begin': async (context, doing, { accountId, reason }) => {
    await requireAccount(context, accountId)
    const until = context.clock.now() + VIEW_MS
    const view = { view_account_id: accountId, view_reason: reason, view_until: until }
    await context.logins.change(doing.tx, personIn(doing).sessionId, view)
    const after = { reason, until: toIso(until) }
    return {
      answer: { accountId, until: toIso(until) },
      audit: { accountId, action: 'view.begin', subject: accountId, after },
    }
  },

  'op.viewAs.end': async (context, doing) => {
    const { sessionId } = personIn(doing)
    const accountId = await context.logins.viewing(sessionId, context.clock.now(), doing.tx)
    await context.logins.change(doing.tx, sessionId, { view_account_id: null, view_reason: null, view_until: null })
    if (accountId === null) return { answer: { accountId } }
    return { answer: { accountId }, audit: { accountId, action: 'view.end', subject: accountId } }
  },
}
