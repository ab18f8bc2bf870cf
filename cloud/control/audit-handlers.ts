// The audit log of an account, with the names of those who changed something.

import { toIso } from '#shared/clock.ts'
import { isId, type UserId } from '#shared/ids.ts'
import { accountOf } from './act.ts'
import type { AUDIT_OPERATIONS } from './audit-list.ts'
import type { Handlers } from './handler.ts'

export const AUDIT_HANDLERS: Pick<Handlers, keyof typeof AUDIT_OPERATIONS> = {
  'audit.list': async ({ audit }, doing, { limit, ...of }) => {
    // The operator's line alone may read those of all accounts at once.
    const accountId = doing.by === 'console' ? doing.accountId : accountOf(doing)
    const rows = await audit.page(accountId, { ...of, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const names = await audit.namesOf(shown.flatMap(({ actor }) => (isId('usr', actor) ? [actor as UserId] : [])))
    const lines = shown.map((row) => ({
      ordinal: row.ordinal,
      at: toIso(row.at),
      actor: row.actor,
      actorName: names.get(row.actor) ?? null,
      accountId: row.account_id,
      action: row.action,
      subject: row.subject,
      before: row.before === null ? null : (JSON.parse(row.before) as unknown),
      after: row.after === null ? null : (JSON.parse(row.after) as unknown),
      via: row.via,
      address: row.address,
    }))
    return { lines, next: rows.length > limit ? (lines.at(-1)?.ordinal ?? null) : null }
  },
}
