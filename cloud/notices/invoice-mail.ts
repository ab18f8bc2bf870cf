// Mail to the owners of an account that an invoice is there, in the unit that issues it.
import type { AlertStore } from '#cloud/storage/alert-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import type { NoticeValues } from './notice-kinds.ts'
import { writeNotice } from './write-notice.ts'

type Invoice = Omit<NoticeValues['invoice'], 'link'> & { accountId: AccountId }

/** @param link of the dashboard; null: it has no public address */
export function invoiceMail(
  { alerts, secretBox, clock }: { alerts: Pick<AlertStore, 'recipients'>; secretBox: SecretBox; clock: Clock },
  link: string | null,
) {
  return async (tx: Tx, { accountId, ...invoice }: Invoice): Promise<void> => {
    for (const { email: to, language } of await alerts.recipients(tx, accountId, null)) {
      const notice = { kind: 'invoice', values: { ...invoice, link } } as const
      await writeNotice(tx, { secretBox, clock }, { to, language, accountId, notice })
    }
  }
}
