// The list of calls for people who have signed in, and at the restaurant of another account: who gets it, and who sees customers in it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cookiePerson } from '#cloud/api/dashboard/page-guard.ts'
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import type { Role } from '#cloud/control/roles.ts'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { People } from '#cloud/people/people.ts'
import { GrantStore } from '#cloud/storage/grant-store.ts'
import { openStores } from '#cloud/storage/stores.ts'
import type { AccountId } from '#shared/ids.ts'
import { CALLER, CallDesk } from '#test/fixtures/call-desk.ts'
import { newPerson, newSession } from '#test/fixtures/sign-in.ts'

const LIVE = 'M-PROD-001'

let desk: CallDesk
let account: AccountId
beforeEach(async () => {
  desk = await CallDesk.open({
    server: ({ db, clock }) => ({
      personOf: cookiePerson({
        people: new People({ ...openStores(db), db, clock }),
        proxies: new TrustedProxies([]),
        docBase: () => 'https://relay.example',
      }),
    }),
  })
  account = desk.api.account.accountId
  const first = await desk.dial()
  await desk.phone.say(first.call, 'what is this noise')
})
afterEach(() => desk.close())

/** The restaurant whose telephone it is becomes a live one. */
async function goLive(): Promise<string> {
  const { db, merchantKey } = desk.api
  await db.unit((tx) =>
    tx.updateTable('merchants').set({ environment: 'live', public_id: LIVE }).where('id', '=', merchantKey).execute(),
  )
  return LIVE
}

/** @returns the cookie of somebody new */
async function personWho(role: Role, accountId = account): Promise<string> {
  const { db, clock } = desk.api
  const nowMs = clock.now()
  const stores = openStores(db)
  const { cookie } = await db.unit(async (tx) => {
    const userId = await newPerson(tx, stores, { member: [{ role, accountId }], nowMs })
    return newSession(tx, stores, { userId, nowMs })
  })
  return cookie
}

async function get(merchantId: string, headers: Record<string, string>) {
  const url = `/Receptionist/Webhooks/active-calls?merchantId=${merchantId}`
  const answer = await desk.api.app.inject({ method: 'GET', url, headers })
  return { status: answer.statusCode, body: answer.json() }
}

const clear = { from: CALLER, lastUtterance: 'what is this noise' }
const masked = { from: '+*********42', callerName: null, lastUtterance: null }

describe('a person who has signed in', () => {
  test.each(['owner', 'manager', 'staff'] as const)('as %s of a live restaurant sees its callers', async (role) => {
    const merchant = await goLive()
    const answer = await get(merchant, { cookie: await personWho(role) })
    expect(answer).toMatchObject({ status: 200, body: { count: 1, calls: [clear] } })
  })

  test('as developer sees that there are calls, and of whom only when an owner allows it', async () => {
    const cookie = await personWho('developer')
    expect((await get('M-TEST-001', { cookie })).body.calls).toMatchObject([clear])
    const merchant = await goLive()
    expect((await get(merchant, { cookie })).body.calls).toMatchObject([masked])
    await desk.api.db.unit((tx) => tx.updateTable('accounts').set({ developers_see_customers: 1 }).execute())
    expect((await get(merchant, { cookie })).body.calls).toMatchObject([clear])
  })

  test('without a part in the account may not; without a session it is 401', async () => {
    const merchant = await goLive()
    const { db, clock } = desk.api
    const other = await db.unit((tx) => createAccount(tx, { ...openStores(db), clock }, { name: 'Other' }))
    expect(await get(merchant, { cookie: await personWho('owner', other) })).toMatchObject({
      status: 403,
      body: { code: 'merchant.not_authorized' },
    })
    expect((await get(merchant, { cookie: 'ticketrail=none' })).status).toBe(401)
  })
})

describe('a partner', () => {
  test('needs the scope in its key, and in the grant, as its people do', async () => {
    const merchant = await goLive()
    const { db, clock, merchantKey } = desk.api
    const [stores, grants] = [openStores(db), new GrantStore(db)]
    const partner = await db.unit((tx) => createAccount(tx, { ...stores, clock }, { name: 'Partner' }))
    const { apiKey } = await db.unit((tx) =>
      issueApiKey(tx, { ...stores, clock }, { accountId: partner, environment: 'live', scopes: ['receptionist:read'] }),
    )
    const key = { authorization: `Bearer ${apiKey}` }
    const cookie = { cookie: await personWho('owner', partner) }
    const statuses = async () => [(await get(merchant, key)).status, (await get(merchant, cookie)).status]
    expect(await statuses()).toEqual([403, 403])
    const grant = { accountId: partner, merchantKey }
    await db.unit((tx) => grants.add(tx, grant, { scopes: ['orders:read'], atMs: clock.now() }))
    expect(await statuses()).toEqual([403, 403])
    await db.unit((tx) => grants.setScopes(tx, grant, ['orders:read', 'receptionist:read']))
    expect((await get(merchant, key)).body.calls).toMatchObject([clear])
    expect((await get(merchant, cookie)).body.calls).toMatchObject([clear])
  })
})
