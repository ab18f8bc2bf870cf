// Claim codes by the API: which keys may add a box to a merchant, what the code allows, and that a box never gives a key more than it has itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditStore } from '#cloud/storage/audit-store.ts'
import { CLAIM_PATH, readClaimCode } from '#shared/wire/gateway-claim.ts'
import { type Tenant, Tenants } from '#test/fixtures/tenants.ts'

let tenants: Tenants
beforeAll(async () => {
  tenants = await Tenants.start()
})
afterAll(() => tenants.stop())

const PATH = '/v1/gateway/claim-code'
const ask = (tenant: Tenant, { key = tenant.apiKey, ...body }: { key?: string; locationId?: string } = {}) =>
  tenants.call('POST', PATH, { key, body: { merchantId: tenant.merchantId, name: 'Pass', ...body } })
// biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
const bodyOf = (answer: { text: string }): any => JSON.parse(answer.text)
const claim = (code: string) =>
  tenants.call('POST', CLAIM_PATH, { body: { code, attempt: 'a'.repeat(43), stream: 's1', app: 'test/1', hw: 'Pi' } })

describe('a claim code of a live location', () => {
  it('is created by a key of the owner, makes a box a gateway, and is in the audit log without the code itself', async () => {
    const made = await ask(tenants.owner)
    expect(made.status).toBe(200)
    const { claimCode, locationId } = bodyOf(made)
    expect(readClaimCode(claimCode)).toHaveLength(10)
    const claimed = await claim(claimCode)
    expect(claimed.status).toBe(200)
    const gateways = await tenants.call('GET', `/v1/gateways?merchantId=${tenants.owner.merchantId}`, {
      key: tenants.owner.apiKey,
    })
    expect(bodyOf(gateways).data).toContainEqual(
      expect.objectContaining({ gatewayId: bodyOf(claimed).gatewayId, locationId, name: 'Pass' }),
    )
    const audit = await new AuditStore(tenants.db).list(null, 50)
    const rows = audit.filter(({ action }) => action === 'gateway.code')
    expect(rows).toMatchObject([{ actor: expect.stringMatching(/^key_/), subject: locationId }])
    expect(JSON.stringify(audit)).not.toContain(claimCode.replace('-', ''))
  })

  it('is refused to an account that was granted the merchant, and to a stranger', async () => {
    const partner = await ask(tenants.partner)
    expect([partner.status, bodyOf(partner).code]).toEqual([403, 'merchant.not_authorized'])
    expect(bodyOf(partner).message).toContain('owns the merchant')
    expect((await ask({ ...tenants.stranger, merchantId: tenants.owner.merchantId })).status).toBe(403)
  })

  it('needs a location of that merchant, and the sandbox path does not exist for live keys', async () => {
    expect((await ask(tenants.owner, { locationId: 'loc_0123456789abcdefghjkmnpqrs' })).status).toBeGreaterThanOrEqual(
      400,
    )
    const body = { merchantId: tenants.owner.merchantId }
    expect(
      (await tenants.call('POST', '/v1/test/gateway/claim-code', { key: tenants.owner.apiKey, body })).status,
    ).toBe(404)
  })
})

describe('a key with one scope', () => {
  it('gets no code: a box would read for it what it may not read itself', async () => {
    for (const [scope, key] of tenants.oneScope) {
      const answer = await ask(tenants.attacker, { key })
      expect([scope, answer.status, bodyOf(answer).code]).toEqual([scope, 403, 'auth.insufficient_scope'])
    }
    expect((await ask(tenants.attacker)).status).toBe(200)
  })
})
