// The audit log of an account, with the names of those who changed something and of what was changed.
import { toIso } from '#shared/clock.ts'
import { accountOf } from './act.ts'
import type { AUDIT_OPERATIONS } from './audit-list.ts'
import { subjectsFor } from './audit-subjects.ts'
import type { Handlers } from './handler.ts'

export const AUDIT_HANDLERS: Pick<Handlers, keyof typeof AUDIT_OPERATIONS> = {
  'audit.list': async (context, doing, { limit, subject, ...of }) => {
    const { audit, auditSubjects } = context
    // The operator's line alone may read those of all accounts at once.
    const accountId = doing.by === 'console' ? doing.accountId : accountOf(doing)
    const changed = subject?.startsWith('M-') ? await auditSubjects.idsOfMerchant(subject, accountId) : subject
    const rows = await audit.page(accountId, { ...of, limit: limit + 1, subject: changed })
    const shown = rows.slice(0, limit)
    const behind = await subjectsFor(
      context,
      doing,
      shown.flatMap(({ actor, subject: thing, account_id }) =>
        [actor, thing].map((id) => ({ subject: id, accountId: account_id })),
      ),
    )
    const lines = shown.map((row) => {
      const thing = behind({ subject: row.subject, accountId: row.account_id })
      return {
        ordinal: row.ordinal,
        at: toIso(row.at),
        actor: row.actor,
        actorName: behind({ subject: row.actor, accountId: row.account_id })?.name ?? null,
        accountId: row.account_id,
        action: row.action,
        subject: thing?.publicId ?? row.subject,
        subjectName: thing?.name ?? null,
        about: thing?.about ?? null,
        merchantId: thing?.merchantId ?? null,
        environment: thing?.environment ?? null,
        before: row.before === null ? null : (JSON.parse(row.before) as unknown),
        after: row.after === null ? null : (JSON.parse(row.after) as unknown),
        via: row.via,
        address: row.address,
      }
    })
    return { lines, next: rows.length > limit ? (lines.at(-1)?.ordinal ?? null) : null }
  },
}
