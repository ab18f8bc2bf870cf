// What still runs by itself under CLOUD_OUTGOING=off.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RestoreDue } from './catalog/restore-due.ts'
import { outgoingServices } from './outgoing.ts'

it('with off items that were silenced until a time come back, and nothing else runs', () => {
  const deps = { clock: new ManualClock(), log: { warn: () => undefined } }
  const services = outgoingServices(deps as never, { CLOUD_OUTGOING: 'off', CLOUD_WEBHOOK_RETRY_SECONDS: [60] })
  expect(services.map((service) => service.constructor)).toEqual([RestoreDue])
})
