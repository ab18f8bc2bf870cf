// Claiming a code over HTTP, against the relay's real database: which box succeeds, which is refused, and what a lost answer costs.
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimRoutes } from '#cloud/api/claim-routes.ts'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { revokeGateway } from '#cloud/relay/gateway-registry.ts'
import { ClaimStore } from '#cloud/storage/claim-store.ts'
import { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import { ServiceError } from '#shared/errors.ts'
import { asId } from '#shared/ids.ts'
import { CLAIM_PATH, CLAIM_VALID_MS, readClaimCode } from '#shared/wire/gateway-claim.ts'
import { pairing } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import { makeClaimCode } from './claim-codes.ts'
import type { ClaimDeps } from './claim-gateway.ts'

let api: RelayApi
let clock: ManualClock
let mayAdd: NonNullable<ClaimDeps['mayAdd']>
const attemptOf = () => randomBytes(32).toString('base64url')
const box = { stream: 's1', app: 'ticketrail-gateway/1', hw: 'linux arm64' }

beforeEach(async () => {
  clock = new ManualClock()
  mayAdd = async () => undefined
  api = await RelayApi.open({
    clock,
    routes: (app, { stores, db }) =>
      claimRoutes(app, {
        proxies: new TrustedProxies([]),
        ...stores,
        claims: new ClaimStore(db),
        credentials: new GatewayCredentialStore(db),
        brokerUrl: () => 'mqtts://relay.example:8883',
        brokerCa: 'PEM',
        mayAdd: (tx, locationId) => mayAdd(tx, locationId),
      }),
  })
})
afterEach(() => api.close())

async function codeOf(name = 'Kitchen'): Promise<string> {
  const claims = new ClaimStore(api.db)
  const asked = { locationId: api.locationId, name, madeBy: 'cli' }
  const made = await api.db.unit((tx) => makeClaimCode(tx, { claims, clock }, asked))
  if (made === null) throw new Error('too many codes')
  return made.code
}

/** From an address of its own, so that the throttle of one does not meet the other's. */
function claim(code: string, attempt = attemptOf(), over: Record<string, unknown> = {}): Promise<Answered> {
  return api.call('POST', CLAIM_PATH, { key: null, body: { code, attempt, ...box, ...over } })
}

const refused = { status: 403, body: { code: 'gateway.claim_refused' } }
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a claim code', () => {
  it('makes a box a gateway of its location, with everything that it needs', async () => {
    const answer = await claim(await codeOf('Grill box'))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const paired = pairing.parse(answer.body)
    expect(paired).toMatchObject({ brokerUrl: 'mqtts://relay.example:8883', ca: 'PEM' })
    expect(paired.topics.up).toContain(paired.gatewayId)
    const [row] = await api.db.read.selectFrom('gateways').selectAll().where('name', '=', 'Grill box').execute()
    expect(row).toMatchObject({ id: paired.gatewayId, location_id: api.locationId, hardware: 'linux arm64' })
    expect(row?.token_hash).toBe(hashOf(paired.token))
  })

  it('is read as people type it', async () => {
    const code = await codeOf()
    expect(readClaimCode(` ${code.toLowerCase().replace('-', ' ')} `)).toBe(code.replace('-', ''))
    expect(readClaimCode('oil00-11111')).toBe('0110011111')
    expect(readClaimCode('ABCDE-FGHIU')).toBeNull()
    expect((await claim(code.toLowerCase())).status).toBe(200)
  })

  it('gives one of two boxes the place when both ask at the same time', async () => {
    const code = await codeOf()
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused)
    const real = await api.db.read.selectFrom('gateways').select('id').where('simulated', '=', 0).execute()
    expect(real).toHaveLength(1)
  })

  it('is refused when it has expired, also to the box that claimed it', async () => {
    const [late, code, attempt] = [await codeOf(), await codeOf(), attemptOf()]
    expect((await claim(code, attempt)).status).toBe(200)
    await clock.advance(CLAIM_VALID_MS - 1)
    expect((await claim(code, attempt)).status).toBe(200)
    await clock.advance(1)
    expect(await claim(code, attempt)).toMatchObject(refused)
    expect(await claim(late)).toMatchObject(refused)
  })

  it('may be claimed again by the box whose answer was lost: same gateway, new password, the lost one is void', async () => {
    const [code, attempt] = [await codeOf(), attemptOf()]
    const lost = (await claim(code, attempt)).body
    const again = (await claim(code, attempt)).body
    expect(again.gatewayId).toBe(lost.gatewayId)
    expect(again.token).not.toBe(lost.token)
    expect(await api.stores.gateways.tokenHash(lost.gatewayId)).toBe(hashOf(again.token))
    expect(await claim(code)).toMatchObject(refused)
  })

  it('ends the gateway that the same box was before at this location, and no other', async () => {
    const [first, other] = [
      (await claim(await codeOf())).body,
      (await claim(await codeOf(), attemptOf(), { stream: 's2' })).body,
    ]
    const common = { ackedSeq: 0, lastSeq: 0, sessionEpoch: 1, bootId: 'b', appVersion: 'a', caps: [], nowMs: 1 }
    for (const [{ gatewayId }, stream] of [
      [first, 's1'],
      [other, 's2'],
    ] as const)
      await api.db.unit((tx) => api.stores.gateways.recordHello(tx, { gatewayId, stream, ...common }))
    const again = (await claim(await codeOf())).body
    const left = (await api.stores.gateways.ofLocation(api.locationId)).map(({ gatewayId }) => gatewayId)
    expect(left.sort()).toEqual([other.gatewayId, again.gatewayId].sort())
  })

  it('gives nothing back to a box that was revoked meanwhile', async () => {
    const [code, attempt] = [await codeOf(), attemptOf()]
    const { gatewayId } = (await claim(code, attempt)).body
    await api.db.unit((tx) => api.stores.gateways.revoke(tx, asId(gatewayId), clock.now()))
    expect(await claim(code, attempt)).toMatchObject(refused)
  })

  it('looks the same from outside whether it is unknown, used or expired', async () => {
    const used = await codeOf()
    await claim(used)
    const seen = [await claim(used), await claim('00000-00000')].map(({ status, body: { requestId: _, ...body } }) => ({
      status,
      body,
    }))
    expect(seen[0]).toEqual(seen[1])
  })

  it('is nowhere in the database and in no log line, and neither is the password', async () => {
    const [code, attempt] = [await codeOf(), attemptOf()]
    const { token } = (await claim(code, attempt)).body
    const tables = ['claim_codes', 'gateways', 'audit_log'] as const
    const rows = await Promise.all(tables.map((table) => api.db.read.selectFrom(table).selectAll().execute()))
    for (const secret of [code, code.replace('-', ''), attempt, token]) {
      expect(JSON.stringify(rows)).not.toContain(secret)
      expect(api.logLines.join('')).not.toContain(secret)
    }
  })

  it('is one of at most ten of a location that wait', async () => {
    for (let made = 0; made < 10; made++) await codeOf()
    await expect(codeOf()).rejects.toThrow('too many codes')
    await clock.advance(CLAIM_VALID_MS)
    await codeOf()
  })
})

describe('whoever guesses', () => {
  it('is slowed down by address, with the delay to wait', async () => {
    const answers = []
    for (let tried = 0; tried < 15; tried++) answers.push(await claim('00000-00000'))
    const slowed = answers.filter(({ status }) => status === 429)
    expect(slowed.length).toBeGreaterThan(0)
    expect(Number(slowed[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual(Array(5).fill(403))
    await clock.advance(60_000)
    expect((await claim(await codeOf())).status).toBe(200)
  })

  it.each([
    ['code', { code: 'ABC' }],
    ['code', { code: undefined }],
    ['attempt', { attempt: 'short' }],
    ['stream', { stream: '' }],
  ])('is told which field is wrong: %s', async (field, over) => {
    const answer = await claim('00000-00000', attemptOf(), over)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].field).toBe(field)
  })
})

describe('an account that has as many gateways as it may have', () => {
  beforeEach(() => {
    mayAdd = async (tx, locationId) => {
      const here = (await api.stores.gateways.ofLocation(locationId, tx)).filter(({ simulated }) => !simulated)
      if (here.length >= 2) throw new ServiceError('gateway.too_many', { message: 'The account has 2 gateways.' })
    }
  })

  it('gets no other, with the reason, and its code stays valid until one is revoked', async () => {
    const first = pairing.parse((await claim(await codeOf('One'), attemptOf(), { stream: 'one' })).body)
    await claim(await codeOf('Two'), attemptOf(), { stream: 'two' })
    const code = await codeOf('Three')
    const answer = await claim(code, attemptOf(), { stream: 'three' })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'gateway.too_many', message: 'The account has 2 gateways.' },
    })
    await revokeGateway({ ...api.stores, db: api.db }, asId(first.gatewayId))
    expect((await claim(code, attemptOf(), { stream: 'three' })).status).toBe(200)
  })

  it('may pair one of its boxes again: that is not one more', async () => {
    for (const stream of ['one', 'two', 'two', 'one']) {
      const answer = await claim(await codeOf(stream), attemptOf(), { stream })
      expect(answer.status).toBe(200)
      // As its hello does.
      await api.db.unit((tx) =>
        tx.updateTable('gateways').set({ stream }).where('id', '=', answer.body.gatewayId).execute(),
      )
    }
  })
})
