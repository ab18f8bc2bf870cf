// Two calls at two relays each add the last one that there is room for: endpoints, locations, platforms, gateways, and the box of a claim code.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { runAdmin } from '#cloud/admin/run-admin.ts'
import { createAccount } from '#cloud/auth/accounts.ts'
import { mayAddGateway } from '#cloud/billing/gateway-cap.ts'
import { makeClaimCode } from '#cloud/pairing/claim-codes.ts'
import { claimGateway } from '#cloud/pairing/claim-gateway.ts'
import { createEndpoint } from '#cloud/webhooks/endpoints.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { type AccountId, type LocationId, type MerchantKey, newId } from '#shared/ids.ts'
import { readClaimCode } from '#shared/wire/gateway-claim.ts'
import { noFiles } from '#test/fixtures/admin-desk.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
})
afterEach(() => relays.close())

/** A command of the operator at this relay. @returns its exit code */
function admin(relay: Relay, ...args: string[]): Promise<number> {
  const { db, clock, secretBox } = relay
  const guard = new TargetGuard({ allowCidrs: ['127.0.0.0/8'], chosenBy: 'operator' })
  return runAdmin({
    args,
    open: async () => ({ db, clock, secretBox, guard, readFile: async () => '' }),
    files: noFiles,
    write: () => {},
    writeError: () => {},
  })
}

interface LiveMerchant {
  accountId: AccountId
  key: MerchantKey
  publicId: string
}

/** Of an account whose contract allows so many. */
async function liveMerchant(contract: Record<string, number>): Promise<LiveMerchant> {
  const { db, accounts, merchants } = relays.a
  const nowMs = relays.clock.now()
  const key = newId('mer', nowMs)
  const publicId = `M-PROD-${randomBytes(5).toString('hex').toUpperCase()}`
  const accountId = await db.unit(async (tx) => {
    const id = await createAccount(tx, relays.a, { name: 'Live' })
    const plan = { plan: 'growth' as const, live_approved_at: nowMs, plan_overrides: JSON.stringify(contract) }
    await accounts.change(tx, id, plan)
    const names = { public_id: publicId, name: 'Live', time_zone: 'UTC', environment: 'live' as const }
    const times = { prep_minutes: 5, fire_at_horizon_ms: 1, created_at: nowMs }
    await merchants.insert(tx, { id: key, account_id: id, ...names, ...times })
    return id
  })
  return { accountId, key, publicId }
}

/** Of two commands, one is done and one is refused. */
const oneOfTwo = (results: readonly PromiseSettledResult<number>[]): string[] => {
  const codes = results.map((result) => resultOf(result) ?? -1).sort()
  return [...failures(results), ...when(codes.join() !== '0,1', `the exit codes were ${codes.join(' and ')}`)]
}

describe('the last of what there may be', () => {
  it('of webhook endpoints is made once: never more than 20', async () => {
    const merchant = { ...(await relays.merchant()), environment: 'sandbox' as const }
    const create = (relay: Relay) =>
      relay.db.unit((tx) => createEndpoint(tx, relay, { merchant, url: 'http://127.0.0.1:9/', events: ['*'] }))
    for (let i = 0; i < 19; i++) await create(relays.a)
    await race(async () => {
      const results = await atOnce(
        () => create(relays.a),
        () => create(relays.b),
      )
      const ids = (await relays.db.read.selectFrom('webhook_endpoints').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      )
      const made = results.flatMap((result) => resultOf(result)?.answer.webhookId ?? [])
      await relays.db.unit((tx) => tx.deleteFrom('webhook_endpoints').where('id', 'in', ids.slice(19)).execute())
      return [
        ...failures(results, ['webhook.limit_reached']),
        ...when(ids.length > 20, `there are ${ids.length} endpoints`),
        ...when(made.length !== 1, `${made.length} were made, and there was room for one`),
      ]
    })
  })

  it('of live locations is made once: never more than the plan allows', async () => {
    await race(async (round) => {
      const merchant = await liveMerchant({ locations: 2 })
      const add = (relay: Relay, name: string) =>
        admin(relay, 'locations', 'add', '--merchant', merchant.publicId, '--name', name)
      await add(relays.relay(round), 'First')
      const results = await atOnce(
        () => add(relays.a, 'Harbour'),
        () => add(relays.b, 'Station'),
      )
      const count = (await relays.a.locations.ofMerchant(merchant.key)).length
      return [...oneOfTwo(results), ...when(count !== 2, `there are ${count} locations, and 2 are allowed`)]
    })
  })

  it('of connected platforms is made once: never more than the plan allows', async () => {
    await race(async () => {
      const merchant = await liveMerchant({ platforms: 1 })
      const connect = (relay: Relay, channel: string) => {
        const words = ['--channel', channel, '--platform', channel, '--name', channel, '--url', 'https://127.0.0.1:9/x']
        return admin(relay, 'channels', 'connect', '--merchant', merchant.publicId, ...words)
      }
      const results = await atOnce(
        () => connect(relays.a, 'dish'),
        () => connect(relays.b, 'fork'),
      )
      const count = (await relays.a.channels.list(merchant.key)).length
      return [...oneOfTwo(results), ...when(count !== 1, `${count} platforms are connected, and 1 is allowed`)]
    })
  })
})

describe('claim codes', () => {
  const codeFor = async (locationId: LocationId): Promise<string> => {
    const asked = { locationId, name: 'Kitchen', madeBy: 'cli' }
    const made = await relays.db.unit((tx) => makeClaimCode(tx, relays.a, asked))
    if (made === null) throw new Error('too many codes')
    return readClaimCode(made.code) ?? ''
  }
  const claim = (relay: Relay, code: string, attempt: string) =>
    claimGateway(
      { ...relay, brokerUrl: () => 'mqtts://relay.example:8883', mayAdd: (tx, at) => mayAddGateway(tx, relay, at) },
      { code, attempt, stream: `stream-${attempt}`, app: 'a', hw: 'linux' },
    )
  const attemptOf = () => randomBytes(32).toString('base64url')
  const gatewaysAt = async (locationId: LocationId) => (await relays.a.gateways.ofLocation(locationId)).length

  async function newLocation(contract: Record<string, number>): Promise<LocationId> {
    const merchant = await liveMerchant({ locations: 5, ...contract })
    await admin(relays.a, 'locations', 'add', '--merchant', merchant.publicId, '--name', 'First')
    const [location] = await relays.a.locations.ofMerchant(merchant.key)
    if (location === undefined) throw new Error('no location was made')
    return location.id
  }

  it('one code makes one gateway, whichever of two boxes sends it', async () => {
    await race(async () => {
      const locationId = await newLocation({})
      const code = await codeFor(locationId)
      const results = await atOnce(
        () => claim(relays.a, code, attemptOf()),
        () => claim(relays.b, code, attemptOf()),
      )
      const paired = results.flatMap((result) => resultOf(result) ?? [])
      const count = await gatewaysAt(locationId)
      return [
        ...failures(results),
        ...when(paired.length !== 1, `${paired.length} boxes were paired by one code`),
        ...when(count !== 1, `one code has made ${count} gateways`),
      ]
    })
  })

  it('one box that sends its code twice is one gateway', async () => {
    await race(async () => {
      const locationId = await newLocation({})
      const [code, attempt] = [await codeFor(locationId), attemptOf()]
      const results = await atOnce(
        () => claim(relays.a, code, attempt),
        () => claim(relays.b, code, attempt),
      )
      const ids = results.map((result) => resultOf(result)?.gatewayId)
      return [
        ...failures(results),
        ...when(ids[0] !== ids[1] || ids[0] === undefined, 'one box was paired as two'),
        ...when((await gatewaysAt(locationId)) !== 1, 'one box is not one gateway'),
      ]
    })
  })

  it('two codes never make more gateways than the account may have', async () => {
    await race(async () => {
      const locationId = await newLocation({ gateways: 1 })
      const codes = [await codeFor(locationId), await codeFor(locationId)] as const
      const results = await atOnce(
        () => claim(relays.a, codes[0], attemptOf()),
        () => claim(relays.b, codes[1], attemptOf()),
      )
      const count = await gatewaysAt(locationId)
      return [
        ...failures(results, ['gateway.too_many']),
        ...when(count !== 1, `there are ${count} gateways, and 1 is allowed`),
      ]
    })
  })
})
