// POST /dashboard/api/<operation>: the operations of the cloud for a person who has signed in. The account is named by each call, not kept in the session: two tabs show two accounts.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { checkedInput } from '#cloud/control/checked-input.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import { idField } from '#cloud/control/input-fields.ts'
import { OPERATIONS, type OperationName } from '#cloud/control/operations.ts'
import { type Asker, perform } from '#cloud/control/perform.ts'
import type { People } from '#cloud/people/people.ts'
import type { AccountId } from '#shared/ids.ts'
import { idempotencyKey } from '#shared/wire/api/fields.ts'
import { personOf } from './page-guard.ts'
import { PAGE_API } from './page-refusal.ts'

export interface OperationRouteDeps {
  control: ControlContext
  people: Pick<People, 'membership'>
}

/** A menu of some thousand items. */
const BODY_LIMIT = 1_048_576

const headersOfCall = z.object({
  /** Which of the person's accounts; absent where it is about the person, or the operator's. */
  'x-account': idField('acc', 'an account').optional(),
  'x-environment': z.enum(['sandbox', 'live']).default('sandbox'),
  /** Of the tap: a change that comes again is made once. */
  'idempotency-key': idempotencyKey.optional(),
})

export function operationRoutes(app: App, { control, people }: OperationRouteDeps): void {
  for (const name of Object.keys(OPERATIONS) as OperationName[])
    app.route({
      method: 'POST',
      url: `${PAGE_API}${name}`,
      config: { access: 'person' },
      bodyLimit: BODY_LIMIT,
      handler: async (request) => {
        const asker = await askerOf(request, { control, people })
        return { result: (await perform(control, asker, { name, raw: request.body })) ?? null }
      },
    })
}

/** The person in the account that the call names. @throws ControlRefusal invalid: a header */
export async function askerOf(request: FastifyRequest, { control, people }: OperationRouteDeps): Promise<Asker> {
  const person = personOf(request)
  const headers = checkedInput(headersOfCall, request.headers)
  const place = await placeOf(headers['x-account'], request, { control, people })
  const { userId, sessionId, name, email, isOperator, elevatedUntilMs } = person
  return {
    act: {
      ...{ by: 'person', userId, sessionId, name, email },
      ...{ accountId: place.accountId, role: place.role },
      environment: headers['x-environment'],
      address: request.client.address,
    },
    ...{ isOperator, elevatedUntilMs, isViewing: place.isViewing },
    tapId: headers['idempotency-key'] ?? null,
  }
}

type Place = Pick<Asker['act'], 'accountId' | 'role'> & Pick<Asker, 'isViewing'>

/** Membership and view are read each time. Of an account that the person has nothing to do with, nothing goes on. */
export async function placeOf(
  accountId: AccountId | undefined,
  request: FastifyRequest,
  { control, people }: { control: Pick<ControlContext, 'clock'>; people: Pick<People, 'membership'> },
): Promise<Place> {
  if (accountId === undefined) return { accountId: null, role: null, isViewing: false }
  const { userId, isOperator, viewing } = personOf(request)
  const role = await people.membership(userId, accountId)
  if (role !== null) return { accountId, role, isViewing: false }
  const isViewing =
    isOperator && viewing !== null && viewing.accountId === accountId && viewing.untilMs > control.clock.now()
  return isViewing ? { accountId, role, isViewing } : { accountId: null, role: null, isViewing: false }
}
