// The telephone companies of the running relay, for operations that need one.
import type { Telephones } from '#cloud/telephony/telephones.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

/** @throws ControlRefusal: the operator's line has no telephone company */
export function requireTelephones({ running }: Pick<ControlContext, 'running'>): Telephones {
  if (running?.telephones !== undefined) return running.telephones
  throw noTelephones()
}

export function noTelephones(): ControlRefusal {
  return new ControlRefusal('refused', 'No telephone company is connected to this relay.', {
    said: { key: 'number.no-company' },
  })
}

/** What is tried places real orders: in a live kitchen only somebody who dials the number does that. */
export function onlySandbox(): ControlRefusal {
  return new ControlRefusal('refused', 'Calls are tried at test restaurants: call the number of a live one.', {
    said: { key: 'number.sandbox-only' },
  })
}
