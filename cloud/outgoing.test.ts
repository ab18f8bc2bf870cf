// What is sent to others under CLOUD_OUTGOING=off.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { outgoingServices } from './outgoing.ts'

it('with off no worker runs that sends anything', () => {
  const deps = { clock: new ManualClock(), log: { warn: () => undefined } }
  const services = outgoingServices(deps as never, { CLOUD_OUTGOING: 'off', CLOUD_WEBHOOK_RETRY_SECONDS: [60] })
  expect(services).toEqual([])
})
