// Alerts: what is wrong now, and the rules about mail.
import { factOf, ruleOfRow } from '#cloud/notices/alert-changes.ts'
import { ALERT_DEFAULTS, worstAlertFirst } from '#cloud/notices/alert-defaults.ts'
import type { AlertKind } from '#cloud/notices/alert-kinds.ts'
import { alertText } from '#cloud/notices/texts/alert-text.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import type { ShownAlert } from '#cloud/storage/alert-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { AlertRulesTable } from '#cloud/storage/schema-alerts.ts'
import { fromIso, isoOrNull, toIso } from '#shared/clock.ts'
import type { AccountId, UserId } from '#shared/ids.ts'
import { ACCOUNT_ALERT_KINDS, type AccountAlertKind } from '#shared/wire/alert-event.ts'
import { accountOf } from './act.ts'
import type { ALERT_OPERATIONS, AlertAnswer, AlertRuleAnswer } from './alert-list.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Doing, Handlers } from './handler.ts'
import { refuseBeyond } from './hourly-limit.ts'
import { roleMay } from './roles.ts'
import { requireSecretBox } from './secrets.ts'

/** Of an account, within an hour. */
const MOST_TESTS = 10
/** As `alerts.save`. */
const A_CHANGE = { kind: 'changes', environment: null } as const

export const ALERT_HANDLERS: Pick<Handlers, keyof typeof ALERT_OPERATIONS> = {
  'alerts.list': async ({ alerts }, doing, { language }) => worstFirst(await alerts.shown(accountOf(doing)), language),

  'op.alerts': async ({ alerts }, _doing, { language }) => worstFirst(await alerts.shown(null), language),

  'alerts.rules': async ({ alerts, memberships, merchants, sendsMail = false }, doing) => {
    const accountId = accountOf(doing)
    const rows = await alerts.rules([accountId])
    const names = new Map<string, string>()
    for (const { merchant_id: key } of rows)
      if (key !== '' && !names.has(key)) names.set(key, (await merchants.byKey(key)).publicId)
    // The names and addresses of colleagues are only for people who may choose recipients.
    const mayChoose = doing.by === 'console' || (doing.role !== null && roleMay(doing.role, 'kitchen', A_CHANGE))
    const people = mayChoose ? await memberships.ofAccount(accountId) : []
    return {
      defaults: ACCOUNT_ALERT_KINDS.map((kind) => {
        const { isOn, afterMinutes, severity, ofMerchant } = ALERT_DEFAULTS[kind]
        return { kind, on: isOn, afterMinutes, severity, ofMerchant }
      }),
      rules: rows.map((row) => ruleAnswer(row, names.get(row.merchant_id) ?? null)),
      people: people.map(({ id, name, email, role }) => ({ userId: id, name, email, role })),
      sendsMail,
    }
  },

  'alerts.save': async (context, doing, { kind, on, afterMinutes, to, mutedUntil }) => {
    const key = ruleKey(doing, kind)
    await refuseStrangers(doing.tx, context, { accountId: key.account_id, to })
    const before = await context.alerts.rule(doing.tx, key)
    const row: AlertRulesTable = {
      ...key,
      is_on: on ? 1 : 0,
      after_minutes: afterMinutes,
      recipients: to === null ? null : JSON.stringify(to),
      muted_until: mutedUntil === null ? null : fromIso(mutedUntil),
    }
    await context.alerts.putRule(doing.tx, row)
    const answer = ruleAnswer(row, doing.merchant?.publicId ?? null)
    return {
      answer,
      audit: {
        accountId: key.account_id,
        action: 'alert.rule',
        subject: kind,
        before: before === null ? null : ruleAnswer(before, answer.merchantId),
        after: answer,
      },
    }
  },

  'alerts.reset': async ({ alerts }, doing, { kind }) => {
    const key = ruleKey(doing, kind)
    const before = await alerts.rule(doing.tx, key)
    if (before === null) return { answer: { changed: false } }
    await alerts.removeRule(doing.tx, key)
    const was = ruleAnswer(before, doing.merchant?.publicId ?? null)
    return {
      answer: { changed: true },
      audit: { accountId: key.account_id, action: 'alert.reset', subject: kind, before: was },
    }
  },

  'alerts.test': async (context, doing) => {
    if (doing.by !== 'person')
      throw new ControlRefusal('refused', 'On the operator line this is `notices test --to ADDRESS`.')
    const accountId = accountOf(doing)
    await refuseBeyond(doing.tx, context, {
      accountId,
      most: MOST_TESTS,
      key: 'alert.too-many-tests',
      words: `${MOST_TESTS} test mails were sent`,
      count: (sinceMs) => context.notices.written(doing.tx, { accountId, kind: 'test', sinceMs }),
    })
    const user = await context.users.find(doing.userId, doing.tx)
    const noticeId = await writeNotice(
      doing.tx,
      { secretBox: requireSecretBox(context), clock: context.clock },
      {
        to: doing.email,
        language: user?.language ?? 'en',
        accountId,
        notice: { kind: 'test', values: { by: doing.name } },
      },
    )
    return {
      answer: { noticeId, to: doing.email },
      audit: { accountId, action: 'mail.test', subject: noticeId },
      wake: () => context.notices.changed.notify(),
    }
  },
}

/** @throws ControlRefusal invalid: a rule of this kind is not about a merchant */
function ruleKey(doing: Doing, kind: AlertKind): Pick<AlertRulesTable, 'account_id' | 'merchant_id' | 'kind'> {
  const { merchant } = doing
  if (merchant !== null && !ALERT_DEFAULTS[kind].ofMerchant)
    throw new ControlRefusal('invalid', `${kind} is about the whole account: leave merchantId out.`, {
      errors: [{ field: 'merchantId', message: 'is not for this kind' }],
    })
  return { account_id: accountOf(doing), merchant_id: merchant?.key ?? '', kind }
}

/** @throws ControlRefusal invalid: mail about an account goes to its own people alone */
async function refuseStrangers(
  tx: Tx,
  { memberships }: ControlContext,
  { accountId, to }: { accountId: AccountId; to: readonly UserId[] | null },
): Promise<void> {
  for (const [at, userId] of (to ?? []).entries())
    if ((await memberships.role(userId, accountId, tx)) === null)
      throw new ControlRefusal('invalid', `${userId} is not a member of this account.`, {
        errors: [{ field: `to.${at}`, message: 'is not a member of this account' }],
        said: { key: 'alert.stranger' },
      })
}

function worstFirst(rows: readonly ShownAlert[], language: string): AlertAnswer[] {
  return (
    rows
      // One of a newer release may be there.
      .filter(({ kind }) => Object.hasOwn(ALERT_DEFAULTS, kind))
      .map((row) => ({ row, fact: factOf(row), kind: factOf(row).kind, sinceMs: row.since }))
      .toSorted(worstAlertFirst)
      .map(({ row, fact }) => {
        const { severity, page } = ALERT_DEFAULTS[fact.kind]
        return {
          alertId: row.id,
          kind: fact.kind,
          severity,
          ...alertText(fact, language),
          page,
          subject: row.subject,
          values: { ...fact.values },
          merchantId: row.public_id,
          merchantName: row.name,
          environment: row.environment,
          since: toIso(row.since),
        }
      })
  )
}

function ruleAnswer(row: AlertRulesTable, merchantId: string | null): AlertRuleAnswer {
  const { isOn, afterMinutes, recipients, mutedUntilMs } = ruleOfRow(row)
  return {
    // Written by this operation alone.
    kind: row.kind as AccountAlertKind,
    merchantId,
    on: isOn,
    afterMinutes,
    to: recipients === null ? null : [...recipients],
    mutedUntil: isoOrNull(mutedUntilMs),
  }
}
