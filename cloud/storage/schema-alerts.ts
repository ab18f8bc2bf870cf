// Tables of alerts: problems, and who is notified; conventions as in schema.ts.
import type { AccountId, AlertId, MerchantKey } from '#shared/ids.ts'

/** What an owner has set; where there is no row, the defaults of cloud/notices/alert-defaults.ts count. */
export interface AlertRulesTable {
  account_id: AccountId
  /** Empty: of all merchants of the account that have no row of their own. */
  merchant_id: MerchantKey | ''
  /** As in cloud/notices/alert-kinds.ts. */
  kind: string
  /** 1: mail is sent. The alert itself is shown in any case. */
  is_on: number
  after_minutes: number
  /** JSON array of ids of people; null: the owners of the account. */
  recipients: string | null
  muted_until: number | null
}

/** Something that is wrong with one subject. There is one open row of a kind and subject. */
export interface AlertsTable {
  id: AlertId
  /** Null: for operators. */
  account_id: AccountId | null
  /** Null: it is about the account. */
  merchant_id: MerchantKey | null
  kind: string
  /** What it is about, such as the id of a gateway. */
  subject: string
  /** JSON: the values in its sentences. */
  details: string
  since: number
  /** When it had lasted for the minutes of its rule; null: not yet, and if it ends before, it is not reported. */
  begun_at: number | null
  /** 1: mail was sent when it began, so one is sent when it ends. */
  mailed: number
  ended_at: number | null
  created_at: number
}
