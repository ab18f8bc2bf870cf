// Which deliveries are taken next: new ones in event order within the account's allowance, retries that are due, and those asked for by hand.
import { sql } from 'kysely'
import type { AccountId, DeliveryId, EventId, WebhookId } from '#shared/ids.ts'
import { prepared, type Tx } from './database.ts'
import { holdNames } from './hold.ts'
import { isFree } from './outbox-rows.ts'
import { queryBuilder } from './query-builder.ts'

// Literals, not parameters: SQLite uses a partial index only when the query has the same condition as the index.
const PENDING = sql.lit('pending' as const)
const RETRYING = sql.lit('retrying' as const)
const HOUR_MS = 3_600_000

/** A delivery under lease: everything that one attempt needs. */
export interface ClaimedDelivery {
  ordinal: number
  id: DeliveryId
  endpointId: WebhookId
  eventId: EventId
  eventType: string
  /** `merchant`: for every account that may act on the merchant at the moment of the attempt. */
  audience: 'account' | 'merchant'
  subjectId: string
  /** Attempts before this one, and how many of them do not count for the schedule. */
  attempts: number
  manualAttempts: number
  /** When this attempt was asked for by hand; null for one of the schedule. */
  manualAt: number | null
  payload: string
}

export interface ClaimRequest {
  endpointId: WebhookId
  /** Deliveries that may be taken. */
  limit: number
  /** How many of them may be retries. */
  retries: number
  /** Which kind is claimed first, so that neither waits for the other forever. */
  retriesFirst: boolean
}

/** The account of an endpoint, and how many first attempts it may have in an hour. */
export interface Quota {
  accountId: AccountId
  environment: 'sandbox' | 'live'
  /** Null is unlimited. */
  perHour: number | null
}

type Claimable = Omit<ClaimedDelivery, 'manualAt'> & { manualAt: number | null; counted: number }

// biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
const claimable = (p: (name: string) => any) =>
  queryBuilder
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.ordinal', 'd.id', 'd.endpoint_id as endpointId', 'd.event_id as eventId', 'd.type as eventType'])
    .select([
      'd.subject_id as subjectId',
      'd.attempts',
      'd.manual_attempts as manualAttempts',
      'd.counted',
      'e.audience',
      'e.payload',
    ])
    .where('d.endpoint_id', '=', p('endpointId'))
    .where(isFree('d', p('nowMs')))
    .limit(p('limit'))

// In event order, and never two of one subject at a time: an earlier one that is untried or in flight holds the later ones.
const firstAttempts = prepared((p) =>
  claimable(p)
    .select(sql.lit(null).as('manualAt'))
    .where('d.state', '=', PENDING)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as before')
            .select('before.ordinal')
            .where('before.state', '=', PENDING)
            .whereRef('before.endpoint_id', '=', 'd.endpoint_id')
            .whereRef('before.subject_id', '=', 'd.subject_id')
            .whereRef('before.ordinal', '<', 'd.ordinal')
            .orderBy('before.ordinal')
            .limit(sql.lit(1))
            // One seek a row: without it PostgreSQL joins all that waits, for every claim.
            .offset(sql.lit(0)),
        ),
      ),
    )
    .orderBy('d.next_at')
    .orderBy('d.ordinal')
    .forNoKeyUpdate('d')
    .skipLocked(),
)

const dueRetries = prepared((p) =>
  claimable(p)
    .select(sql.lit(null).as('manualAt'))
    .where('d.state', '=', RETRYING)
    .where('d.next_at', '<=', p('nowMs'))
    // Its turn by hand comes first.
    .where('d.manual_at', 'is', null)
    .orderBy('d.next_at')
    .orderBy('d.ordinal')
    .forNoKeyUpdate('d')
    .skipLocked(),
)

// A pending one waits for its first attempt: else a call could pass by the account's allowance.
const askedFor = prepared((p) =>
  claimable(p)
    .select('d.manual_at as manualAt')
    .where('d.manual_at', 'is not', null)
    .where('d.state', '!=', PENDING)
    .orderBy('d.manual_at')
    .orderBy('d.ordinal')
    .forNoKeyUpdate('d')
    .skipLocked(),
)

const lease = prepared((p) =>
  queryBuilder
    .updateTable('deliveries')
    .set({ lease_until: p('leaseUntilMs'), lease_by: p('by'), counted: p('counted') })
    .where('ordinal', '=', p('ordinal')),
)

const sentInHour = prepared((p) =>
  queryBuilder
    .selectFrom('webhook_hours')
    .select('sent')
    .where('account_id', '=', p('accountId'))
    .where('environment', '=', p('environment'))
    .where('hour', '=', p('hour')),
)

const addToHour = prepared((p) =>
  queryBuilder
    .insertInto('webhook_hours')
    .values({ account_id: p('accountId'), environment: p('environment'), hour: p('hour'), sent: p('count') })
    .onConflict((on) =>
      on.columns(['account_id', 'environment', 'hour']).doUpdateSet((eb) => ({
        sent: eb('webhook_hours.sent', '+', eb.ref('excluded.sent')),
      })),
    ),
)

/** Before any delivery is held: the hours of these accounts, which all endpoints of an account share. */
export function holdHours(tx: Tx, quotas: Iterable<Quota>): Promise<void> {
  return holdNames(
    tx,
    [...quotas].map(({ accountId, environment }) => ['webhooks of the hour', accountId, environment]),
  )
}

interface Lease {
  nowMs: number
  leaseUntilMs: number
  /** The replica; null: the relay is alone. */
  by: string | null
}

/** Takes deliveries of one endpoint under lease, in the order in which they are to be sent. The account's hour is held. */
export function claimFor(
  tx: Tx,
  request: ClaimRequest,
  { quota, ...leased }: Lease & { quota: Quota },
): Promise<ClaimedDelivery[]> {
  return claimWithin(tx, request, {
    lease: leased,
    allow: (found) => allowed(tx, found, { quota, nowMs: leased.nowMs }),
  })
}

/** The same for an endpoint that nothing is sent to over the network: the hour of its account is not touched, and `counted` says of each that it was handed out. */
export function claimUncounted(tx: Tx, request: ClaimRequest, leased: Lease): Promise<ClaimedDelivery[]> {
  return claimWithin(tx, request, {
    lease: leased,
    allow: async (found) => found,
    counted: 1,
  })
}

interface Claiming {
  lease: Lease
  /** Which first attempts may go now. */
  allow: (found: Claimable[]) => Promise<Claimable[]>
  /** Written for each that is taken; absent: what `allow` says, or what was there. */
  counted?: 1
}

async function claimWithin(
  tx: Tx,
  request: ClaimRequest,
  { lease: { nowMs, leaseUntilMs, by }, allow, counted: always }: Claiming,
): Promise<ClaimedDelivery[]> {
  const { endpointId, limit, retries, retriesFirst } = request
  const late = async (most: number): Promise<Claimable[]> => {
    if (most <= 0) return []
    const asked = await askedFor(tx, { endpointId, nowMs, limit: most })
    const left = most - asked.length
    return left === 0 ? asked : [...asked, ...(await dueRetries(tx, { endpointId, nowMs, limit: left }))]
  }
  const fresh = async (most: number): Promise<Claimable[]> =>
    most <= 0 ? [] : allow(await firstAttempts(tx, { endpointId, nowMs, limit: most }))
  const first = retriesFirst ? await late(Math.min(retries, limit)) : await fresh(limit)
  const left = limit - first.length
  const second = retriesFirst ? await fresh(left) : await late(Math.min(retries, left))
  const taken = [...first, ...second]
  for (const { ordinal, counted } of taken) await lease(tx, { ordinal, leaseUntilMs, by, counted: always ?? counted })
  return taken.map(({ counted: _, ...delivery }) => delivery)
}

/** Those that fit into what is left of the account's hour. They are counted once, also when they are given back and claimed again. */
async function allowed(
  tx: Tx,
  found: Claimable[],
  { quota, nowMs }: { quota: Quota; nowMs: number },
): Promise<Claimable[]> {
  if (found.length === 0) return found
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const { accountId, environment, perHour } = quota
  let room = Number.POSITIVE_INFINITY
  if (perHour !== null) {
    const [row] = await sentInHour(tx, { accountId, environment, hour })
    room = perHour - (row?.sent ?? 0)
  }
  let count = 0
  const taken = found.filter(({ counted }) => {
    if (counted === 1) return true
    if (count >= room) return false
    count += 1
    return true
  })
  if (count > 0) await addToHour(tx, { accountId, environment, hour, count })
  return taken.map((delivery) => ({ ...delivery, counted: 1 }))
}
