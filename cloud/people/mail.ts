// Mail to people about their sign-in, written in the transaction of the event that it reports.

import type { Notice, NoticeValues } from '#cloud/notices/notice-kinds.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { LoginSessionsTable, UsersTable } from '#cloud/storage/schema-people.ts'
import type { AccountId } from '#shared/ids.ts'
import type { PeopleParts, Visit } from './parts.ts'

/** The caller fires `notices.changed` after the commit. */
export async function mailTo(
  tx: Tx,
  parts: Pick<PeopleParts, 'secretBox' | 'clock'>,
  {
    to,
    language,
    notice,
    accountId = null,
  }: { to: string; language: string; notice: Notice; accountId?: AccountId | null },
): Promise<void> {
  await writeNotice(tx, parts, { to, language, accountId, notice })
}

/** Mail about a sign-in from a browser that the person did not use before. */
export function mailNewDevice(
  tx: Tx,
  parts: PeopleParts,
  { user, visit, method }: { user: UsersTable; visit: Visit; method: LoginSessionsTable['method'] },
): Promise<void> {
  const values = {
    atMs: parts.clock.now(),
    address: visit.address,
    agent: visit.agent,
    method,
    link: dashboardLink(parts),
  }
  return mailTo(tx, parts, { to: user.email, language: user.language, notice: { kind: 'new-device', values } })
}

/** Mail about another password or passkey, so that one added by an attacker is noticed. */
export function mailSignInChanged(
  tx: Tx,
  parts: Pick<PeopleParts, 'secretBox' | 'clock' | 'site'>,
  { user, deed, name }: { user: UsersTable } & Pick<NoticeValues['sign-in-changed'], 'deed' | 'name'>,
): Promise<void> {
  const values = { deed, name, atMs: parts.clock.now(), link: dashboardLink(parts) }
  return mailTo(tx, parts, { to: user.email, language: user.language, notice: { kind: 'sign-in-changed', values } })
}

export function dashboardLink({ site }: Pick<PeopleParts, 'site'>): string {
  return `${site().origin}/dashboard`
}
