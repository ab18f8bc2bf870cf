// A call in progress as it is shown, to those who see customers and to those who do not.
import { expect, test } from 'vitest'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { asId } from '#shared/ids.ts'
import { activeCallOf } from './active-calls.ts'
import { NEW_CALL } from './call-state.ts'

const secretBox = new SecretBox(Buffer.alloc(32, 1))
const state = { ...NEW_CALL, callerName: 'ANA DIAZ', lastWords: 'my name is Ana' }
const row = {
  id: asId<'call'>('call_1'),
  from_enc: secretBox.seal('+12125550142'),
  to_e164: '+12125550100',
  status: 'in_progress' as const,
  step: 'menu',
  state_enc: secretBox.seal(JSON.stringify(state)),
  started_at: 1_000,
  answered_at: 1_000,
  transferred_to: null,
}

test('who sees no customers sees two digits of the number, and neither name nor words', () => {
  const clear = activeCallOf(row, { secretBox, nowMs: 43_999, isMasked: false })
  expect(clear).toMatchObject({
    from: '+12125550142',
    callerName: 'ANA DIAZ',
    lastUtterance: 'my name is Ana',
    durationSeconds: 42,
  })
  const masked = activeCallOf(row, { secretBox, nowMs: 43_999, isMasked: true })
  expect(masked).toEqual({ ...clear, from: '+*********42', callerName: null, lastUtterance: null })
  expect(activeCallOf({ ...row, from_enc: null }, { secretBox, nowMs: 0, isMasked: true })).toMatchObject({
    from: null,
    durationSeconds: 0,
  })
})
