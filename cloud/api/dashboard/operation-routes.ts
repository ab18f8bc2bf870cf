// POST /dashboard/api/<operation>: the operations of the cloud for a signed-in person. Each call contains the account, which is not kept in the session: two tabs can show two accounts.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { checkedInput } from '#cloud/control/checked-input.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import { idField } from '#cloud/control/input-fields.ts'
import { OPERATIONS, type OperationName } from '#cloud/control/operations.ts'
import { type Asker, perform } from '#cloud/control/perform.ts'
import type { People } from '#cloud/people/people.ts'
import { idempotencyKey } from '#shared/wire/api/fields.ts'
import { personOf } from './page-guard.ts'
import { PAGE_API } from './page-refusal.ts'
import { placeOf } from './place.ts'

export interface OperationRouteDeps {
  control: ControlContext
  people: Pick<People, 'membership'>
  /** A role, session or view may have changed. */
  peopleChanged: () => void
}

/** A menu of some thousand items. */
const BODY_LIMIT = 1_048_576

/** Operations after which a feed may have to end. */
const OF_PEOPLE = /^(me|people|grants|op|accounts)\./

const headersOfCall = z.object({
  /** Which of the person's accounts; absent where it is about the person, or the operator's. */
  'x-account': idField('acc', 'an account').optional(),
  'x-environment': z.enum(['sandbox', 'live']).default('sandbox'),
  /** Of the tap: a change that comes again is made once. */
  'idempotency-key': idempotencyKey.optional(),
})

export function operationRoutes(app: App, { control, people, peopleChanged }: OperationRouteDeps): void {
  for (const name of Object.keys(OPERATIONS) as OperationName[])
    app.route({
      method: 'POST',
      url: `${PAGE_API}${name}`,
      config: { access: 'person' },
      bodyLimit: BODY_LIMIT,
      handler: async (request) => {
        const asker = await askerOf(request, { control, people })
        const result = (await perform(control, asker, { name, raw: request.body })) ?? null
        if (OF_PEOPLE.test(name)) peopleChanged()
        return { result }
      },
    })
}

/** The person in the account that the call names. @throws ControlRefusal invalid: a header */
async function askerOf(
  request: FastifyRequest,
  { control, people }: Pick<OperationRouteDeps, 'control' | 'people'>,
): Promise<Asker> {
  const person = personOf(request)
  const headers = checkedInput(headersOfCall, request.headers)
  const place = await placeOf(headers['x-account'], person, { people, clock: control.clock })
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
