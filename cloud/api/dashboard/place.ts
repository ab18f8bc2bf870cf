// Which account a call is about, and what the person is there now.
import type { Role } from '#cloud/control/roles.ts'
import type { People } from '#cloud/people/people.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'

export interface Place {
  /** Null: none was named, or the person has nothing to do with it. */
  accountId: AccountId | null
  role: Role | null
  /** An operator views it. */
  isViewing: boolean
}

const NOWHERE: Place = { accountId: null, role: null, isViewing: false }

/** Membership is read each time. A person without membership or grant gets no place in the account. */
export async function placeOf(
  accountId: AccountId | undefined,
  { userId, isOperator, viewing }: SignedIn,
  { people, clock }: { people: Pick<People, 'membership'>; clock: Pick<Clock, 'now'> },
): Promise<Place> {
  if (accountId === undefined) return NOWHERE
  const role = await people.membership(userId, accountId)
  if (role !== null) return { accountId, role, isViewing: false }
  const isViewing = isOperator && viewing?.accountId === accountId && viewing.untilMs > clock.now()
  return isViewing ? { accountId, role, isViewing } : NOWHERE
}
