// Every operation of the list, by every role, at their own, at a granted and at a foreign restaurant and for a foreign account: exactly as the table of rights has it, never an internal error, and no data of others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '#cloud/control/operation.ts'
import { OPERATIONS, type OperationName } from '#cloud/control/operations.ts'
import { ROLES, type Role, roleMay } from '#cloud/control/roles.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { type AccountId, asId, type UserId } from '#shared/ids.ts'
import { operationSamples } from '#test/fixtures/operation-samples.ts'
import { newPerson, newSession, type SignedInPerson } from '#test/fixtures/sign-in.ts'
import { type Answer, type Belongings, type Tenant, Tenants } from '#test/fixtures/tenants.ts'

/** The relay's limit for a session is 60 at once: each makes fewer calls than that. */
const CALLS_OF_A_SESSION = 50
const SESSIONS = 16
const DAY_MS = 86_400_000
/** Ids of what an account has for itself. */
const PRIVATE = ['serviceOrderId', 'printJobId', 'webhookId', 'deliveryId', 'eventId', 'keyId']
/** Tables that change by being read, or that record actions. */
const LOOKED_AT = /^(login_sessions|audit_log|idempotency|usage_hours) /
const NAMES = Object.keys(OPERATIONS) as OperationName[]
/** What shows a live customer to the person's own program: a developer needs an owner for it, as long as none has allowed it. */
const SHOWS_CUSTOMERS: readonly OperationName[] = [
  'keys.create',
  'endpoints.create',
  'endpoints.rotate',
  'endpoints.listenSecret',
]
/** Their input accepts test merchants only, so that they cannot be used in live. */
const isOfSandbox = (name: OperationName) => name.startsWith('sandbox.')

interface Place {
  what: string
  /** The account of the caller. */
  tenant: Tenant
  /** The account that the call names. */
  account: Tenant
  merchantId: string
  environment: 'sandbox' | 'live'
  /** Ids of others. */
  things: Belongings
  kind: 'own' | 'granted' | 'foreign'
}

let tenants: Tenants
let stores: Stores
let sandboxThings: Belongings
let liveThings: Belongings
/** By account and role, or `operator`: sessions that are used one after the other. */
const sessions = new Map<string, SignedInPerson[]>()
const calls = new Map<string, number>()
let victimUser: UserId

beforeAll(async () => {
  tenants = await Tenants.start(async (made) => {
    stores = openStores(made.db)
    for (const tenant of [made.victim, made.attacker, made.owner, made.partner, made.stranger])
      for (const role of ROLES) await signIn(made, `${tenant.accountId} ${role}`, { role, accountId: of(tenant) })
    await signIn(made, 'operator', null)
  })
  ;[sandboxThings, liveThings] = await Promise.all([
    tenants.belongingsOf(tenants.victim),
    tenants.belongingsOf(tenants.owner),
  ])
  const keys = await stores.apiKeys.ofAccount(of(tenants.victim))
  const others = {
    userId: victimUser,
    sessionId: sessions.get(`${tenants.victim.accountId} owner`)?.[0]?.sessionId ?? '',
    keyId: keys[0]?.id ?? '',
  }
  sandboxThings = { ...sandboxThings, ...others, ...(await gatewayOf(tenants.victim, 'M-TEST-001')) }
  liveThings = { ...liveThings, ...others }
})
afterAll(() => tenants.stop())

const of = ({ accountId }: Tenant): AccountId => asId(accountId)

async function signIn(
  { db }: Tenants,
  name: string,
  member: { role: Role; accountId: AccountId } | null,
): Promise<void> {
  const nowMs = systemClock.now()
  await db.unit(async (tx) => {
    const userId = await newPerson(tx, stores, {
      ...{ nowMs, isOperator: member === null, member: member === null ? [] : [member] },
    })
    if (member?.role === 'owner') victimUser ??= userId
    const made: SignedInPerson[] = []
    for (let i = 0; i < SESSIONS; i++)
      made.push(await newSession(tx, stores, { userId, nowMs, elevatedUntilMs: nowMs + DAY_MS }))
    sessions.set(name, made)
  })
}

async function gatewayOf({ accountId }: Tenant, merchantId: string): Promise<Belongings> {
  const merchant = await stores.merchants.find(asId(accountId), merchantId)
  const [gateway] = merchant === null ? [] : await stores.gatewayList.list(merchant.key)
  return gateway === undefined ? {} : { gatewayId: gateway.id }
}

async function ask(who: string, name: OperationName, place: Place): Promise<Answer> {
  const count = calls.get(who) ?? 0
  calls.set(who, count + 1)
  const person = sessions.get(who)?.[Math.floor(count / CALLS_OF_A_SESSION)]
  if (person === undefined) throw new Error(`${who} needs more sessions`)
  const response = await fetch(`${tenants.origin}/dashboard/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: tenants.origin,
      cookie: person.cookie,
      'x-account': place.account.accountId,
      'x-environment': place.environment,
    },
    body: JSON.stringify(inputOf(name, place)),
  })
  return { status: response.status, headers: {}, text: await response.text() }
}

const inputOf = (name: OperationName, { merchantId, environment, things }: Place) =>
  operationSamples({ merchantId, environment, accountId: tenants.victim.accountId, things })[name]

function places(): Record<'ownSandbox' | 'ownLive' | 'granted' | 'foreignMerchant' | 'foreignAccount', Place> {
  const { attacker, owner, partner, stranger, victim } = tenants
  const sandbox = { merchantId: 'M-TEST-001', environment: 'sandbox', things: sandboxThings } as const
  const live = { merchantId: 'M-PROD-SHARED', environment: 'live', things: liveThings } as const
  return {
    ownSandbox: { what: 'own sandbox', tenant: attacker, account: attacker, ...sandbox, kind: 'own' },
    ownLive: { what: 'own live', tenant: owner, account: owner, ...live, things: sandboxThings, kind: 'own' },
    granted: { what: 'granted', tenant: partner, account: partner, ...live, kind: 'granted' },
    foreignMerchant: { what: 'foreign merchant', tenant: stranger, account: stranger, ...live, kind: 'foreign' },
    foreignAccount: { what: 'foreign account', tenant: attacker, account: victim, ...sandbox, kind: 'own' },
  }
}

/** The expected answer: a key of the refusal, or that it is not refused for lack of a right. */
function expected(name: OperationName, role: Role, place: Place): string {
  const operation: Operation = OPERATIONS[name]
  const { right, kind, scope } = operation
  if (right === 'self') return 'passes'
  if (right === 'operator') return 'right.operator'
  if (place.account !== place.tenant) return 'right.member'
  const input = inputOf(name, place) as { merchantId?: string; environment?: 'sandbox' | 'live' }
  const isOfMerchant = input.merchantId !== undefined
  const environment = isOfMerchant ? place.environment : (input.environment ?? null)
  if (!roleMay(role, right, { kind, environment })) return 'right.role'
  if (isOfMerchant && place.kind === 'foreign') return 'merchant.not-yours'
  if (isOfMerchant && place.kind === 'granted' && scope === undefined) return 'right.owner-account'
  const isHidden = role === 'developer' && environment === 'live' && SHOWS_CUSTOMERS.includes(name)
  return isHidden ? 'right.customers' : 'passes'
}

/** An internal error and a leak are reported as they are. */
function told(answer: Answer, leaks: readonly string[]): string {
  if (answer.status >= 500 && answer.status !== 503) return answer.text
  return leaks.length > 0 ? `shows ${leaks.join()}` : said(answer)
}

function said({ status, text }: Answer): string {
  const key = status < 400 ? 'passes' : ((JSON.parse(text) as { said?: { key: string } | null }).said?.key ?? 'passes')
  return key.startsWith('right.') || key === 'merchant.not-yours' ? key : 'passes'
}

/** Data in the answer that belongs to another account only; empty: none. */
function leaked(name: OperationName, { text }: Answer, place: Place): string[] {
  const words = text.match(/CANARY (note|guest|endpoint|kiosk|dish)|CANARY-hook/g) ?? []
  const sent = JSON.stringify(inputOf(name, place))
  const ids = PRIVATE.map((key) => place.things[key] ?? '').filter((id) => id !== '' && !sent.includes(id))
  return [...words, ...ids.filter((id) => text.includes(id))]
}

/** Whatever the victims have, without what looking at it counts. */
async function theirs(): Promise<string[]> {
  const ids = PRIVATE.flatMap((key) => sandboxThings[key] ?? [])
  const rows = await tenants.rowsOf([tenants.victim.accountId, ...ids])
  const orders = [liveThings['serviceOrderId'] ?? '', liveThings['printJobId'] ?? '']
  const ofOwner = await tenants.rowsOf([...orders, liveThings['webhookId'] ?? ''])
  // The partner may silence what they both sell, and the owner's endpoint gets the event.
  const isOwners = (row: string) => row.startsWith('webhook_endpoints') || orders.some((id) => row.includes(id))
  return [...rows.filter((row) => !LOOKED_AT.test(row)), ...ofOwner.filter(isOwners)]
}

test('every operation has an input that it takes', () => {
  const wrong = NAMES.filter((name) => {
    const isTaken = (place: Place) => (OPERATIONS[name] as Operation).input.safeParse(inputOf(name, place)).success
    const { ownSandbox, ownLive } = places()
    return !isTaken(ownSandbox) && !isTaken(ownLive)
  })
  // What a device answers is made by a device.
  expect(wrong).toEqual(['passkeys.add'])
  expect(NAMES.length).toBeGreaterThan(80)
})

describe.each(ROLES)('as %s', (role) => {
  test.each(['foreignAccount', 'foreignMerchant', 'granted', 'ownLive', 'ownSandbox'] as const)(
    'at %s each operation is refused or let through as the table of rights says, and shows nothing of others',
    async (which) => {
      const place = places()[which]
      const before = await theirs()
      const who = `${place.tenant.accountId} ${role}`
      const [answered, wanted] = [new Map<string, string>(), new Map<string, string>()]
      for (const name of NAMES) {
        if (isOfSandbox(name) && place.environment === 'live') continue
        const answer = await ask(who, name, place)
        const isOurs = place.tenant === tenants.owner
        answered.set(name, told(answer, isOurs ? [] : leaked(name, answer, place)))
        wanted.set(name, answer.status === 422 ? 'passes' : expected(name, role, place))
      }
      expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(wanted))
      if (place.tenant !== tenants.owner) expect(await theirs()).toEqual(before)
    },
  )
})

test('an operator does what operators do, and nothing for an account that they do not view', async () => {
  const { ownSandbox } = places()
  const place: Place = { ...ownSandbox, account: tenants.victim }
  for (const name of NAMES) {
    const { right } = OPERATIONS[name] as Operation
    // They may: what they would do to the victims is none of this test.
    if (right === 'operator' && (OPERATIONS[name] as Operation).kind === 'changes') continue
    const answer = await ask('operator', name, place)
    const mayPass = right === 'operator' || right === 'self' || answer.status === 422
    expect([name, told(answer, [])]).toEqual([name, mayPass ? 'passes' : 'right.member'])
  }
})
