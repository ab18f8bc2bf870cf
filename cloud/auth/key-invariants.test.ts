// Whatever is done to an account's keys: which of them open a door at which moment.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceError } from '#shared/errors.ts'
import type { KeyId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { assertProperty } from '#test/harness/property.ts'
import { issueApiKey } from './accounts.ts'
import { authenticate, type Principal } from './api-keys.ts'
import { revokeApiKey } from './revoke-key.ts'
import { OVERLAP_MS, rotateKey } from './rotate-key.ts'

const act = fc.oneof(
  fc.record({ kind: fc.constant('rotate' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('revoke' as const), pick: fc.nat(), by: fc.nat() }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, OVERLAP_MS - 1, OVERLAP_MS) }),
)

let api: RelayApi
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
})
afterEach(() => api.close())

/** The expected state of a key, kept by this test alone. */
interface Known {
  keyId: KeyId
  apiKey: string
  endsAtMs: number
  successor: Known | null
}

const principalOf = ({ apiKey }: Known): Promise<Principal | string> =>
  authenticate(api.stores, `Bearer ${apiKey}`).catch((error: ServiceError) => error.code)

test('a key opens until it is revoked or its day after the rotation is over, never again after that, and never three of one line', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (steps) => {
      const owner = { accountId: api.account.accountId, environment: 'sandbox' as const }
      const issued = await api.db.unit((tx) => issueApiKey(tx, api.stores, owner))
      const line: Known[] = [{ ...issued, endsAtMs: Number.POSITIVE_INFINITY, successor: null }]
      const at = (pick: number): Known => line[pick % line.length] as Known
      const opens = (key: Known) => clock.now() < key.endsAtMs
      for (const step of steps) {
        if (step.kind === 'wait') clock.jump(step.ms)
        if (step.kind === 'rotate') {
          const old = at(step.pick)
          const rotation = await api.db.unit((tx) => rotateKey(tx, api.stores, old.keyId))
          const expected = !opens(old) ? 'ended' : old.successor === null ? 'rotated' : 'already-rotated'
          expect(rotation.kind).toBe(expected)
          if (rotation.kind === 'rotated') {
            for (const oldest of line)
              if (oldest.successor === old) oldest.endsAtMs = Math.min(oldest.endsAtMs, clock.now())
            old.endsAtMs = Math.min(old.endsAtMs, clock.now() + OVERLAP_MS)
            old.successor = { ...rotation, endsAtMs: Number.POSITIVE_INFINITY, successor: null }
            line.push(old.successor)
          }
        }
        if (step.kind === 'revoke') {
          // With one's own text, or with the text of another: possession is what counts.
          const caller = await principalOf(at(step.by))
          const target = at(step.pick)
          if (typeof caller !== 'string') {
            const body = target === at(step.by) ? {} : { key: target.apiKey }
            const { answer } = await api.db.unit((tx) => revokeApiKey(tx, api.stores, { principal: caller, body }))
            expect(answer.keyId).toBe(target.keyId)
            target.endsAtMs = Math.min(target.endsAtMs, clock.now())
          }
        }
        for (const key of line) {
          const who = await principalOf(key)
          expect(typeof who === 'string' ? who : who.keyId).toBe(opens(key) ? key.keyId : 'auth.invalid_token')
        }
        expect(line.filter(opens).length).toBeLessThanOrEqual(2)
      }
    }),
    { numRuns: 60 },
  )
})
