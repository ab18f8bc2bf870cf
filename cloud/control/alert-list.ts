// Operations on alerts: the open ones, and who gets mail about which. Their inputs and answers.
import { z } from 'zod'
import type { AlertDefaults } from '#cloud/notices/alert-defaults.ts'
import type { AlertKind } from '#cloud/notices/alert-kinds.ts'
import { languageField } from '#cloud/people/email.ts'
import type { AlertId, NoticeId, UserId } from '#shared/ids.ts'
import { ACCOUNT_ALERT_KINDS, type AccountAlertKind } from '#shared/wire/alert-event.ts'
import { idField, merchantId } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const language = languageField.default('en')
/** Without a merchant it is about all that have no rule of their own. */
const ruleOf = {
  merchantId: merchantId.optional(),
  kind: z.enum(ACCOUNT_ALERT_KINDS),
}

export const ALERT_OPERATIONS = {
  'alerts.list': reads('What is wrong now, worst first', z.strictObject({ language }), 'member'),
  'alerts.rules': reads('Which alerts send mail, to whom and after how long', z.strictObject({}), 'kitchen'),
  'alerts.save': changes(
    'Set whether an alert sends mail, to whom and after how long',
    z.strictObject({
      ...ruleOf,
      on: z.boolean(),
      afterMinutes: z.number().int().min(0).max(10_080),
      /** Members of the account; null: its owners. */
      to: z.array(idField('usr', 'a person')).max(50).nullable(),
      /** No mail until then; null: not muted. */
      mutedUntil: z.iso.datetime().nullable(),
    }),
    'kitchen',
  ),
  'alerts.reset': changes('Forget what was set: the default counts again', z.strictObject(ruleOf), 'kitchen'),
  'alerts.test': changes('Send a test mail to yourself', z.strictObject({}), 'member'),
  'op.alerts': reads('What is wrong with this relay itself, worst first', z.strictObject({ language }), 'operator'),
}

/** An open alert. `title` and `act` are sentences in the requested language. */
export interface AlertAnswer {
  alertId: AlertId
  kind: AlertKind
  severity: AlertDefaults['severity']
  /** One line without a full stop. */
  title: string
  /** What to do. */
  act: string
  /** Where in the dashboard it is done. */
  page: AlertDefaults['page']
  /** What it is about: the id of a gateway, `gateway printer`, a location, an endpoint, or `account month`. */
  subject: string
  /** The values in the sentences (cloud/notices/alert-kinds.ts). */
  values: Readonly<Record<string, string | number>>
  /** Null: it is about the account, or about the relay. */
  merchantId: string | null
  merchantName: string | null
  environment: 'sandbox' | 'live' | null
  since: string
}

export interface AlertRuleAnswer {
  kind: AccountAlertKind
  /** Null: of all merchants that have no rule of their own. */
  merchantId: string | null
  on: boolean
  afterMinutes: number
  to: UserId[] | null
  mutedUntil: string | null
}

export interface AlertRulesAnswer {
  /** One for each kind, in the order of lists. `on`: in live; in the sandbox no default sends mail. */
  defaults: (Pick<AlertRuleAnswer, 'kind' | 'on' | 'afterMinutes'> & Pick<AlertDefaults, 'severity' | 'ofMerchant'>)[]
  /** What was set. */
  rules: AlertRuleAnswer[]
  /** The possible recipients. */
  people: { userId: UserId; name: string; email: string; role: string }[]
  /** False: no mail server is set up, so mail only reaches the operators. */
  sendsMail: boolean
}

export interface AlertAnswers {
  'alerts.list': AlertAnswer[]
  'alerts.rules': AlertRulesAnswer
  'alerts.save': AlertRuleAnswer
  'alerts.reset': { changed: boolean }
  'alerts.test': { noticeId: NoticeId; to: string }
  'op.alerts': AlertAnswer[]
}
