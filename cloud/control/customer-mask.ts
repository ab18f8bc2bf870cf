// Who sees customers of live restaurants: not operators, and developers only if an owner of their account allows it. What is hidden: `withoutCustomers` of the requests room.
import type { Environment } from '#cloud/auth/scopes.ts'
import type { Act, PersonAct } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Doing } from './handler.ts'

/** Whether the actor may see customers of live restaurants. An operator who views the account and is not a member of it may not. */
export async function seesCustomers(
  { accounts }: Pick<ControlContext, 'accounts'>,
  act: Act | Pick<PersonAct, 'by' | 'role' | 'accountId'>,
): Promise<boolean> {
  if (act.by === 'console') return true
  if (act.role !== 'developer' || act.accountId === null) return act.role !== null
  return accounts.developersSeeCustomers(act.accountId)
}

/** Whether customers are hidden in what this answers. */
export function masksCustomers({ merchant, seesCustomers: sees }: Doing): boolean {
  return merchant?.environment === 'live' && !sees
}

/** Of what lets a program of the person's own get customers in clear: a key that reads orders, an address that events go to, a secret. @throws ControlRefusal */
export function refuseWayToCustomers(
  { seesCustomers: sees }: Pick<Doing, 'seesCustomers'>,
  environment: Environment,
): void {
  if (environment !== 'live' || sees) return
  throw new ControlRefusal(
    'forbidden',
    'Developers of this account do not see customers of live restaurants, and this would show them: ask an owner to do it, or to allow it in the settings of the account.',
    { said: { key: 'right.customers' } },
  )
}
