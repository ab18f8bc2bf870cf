// A person accepts another device as a printer.
import { saysNothing } from '#gateway/printers/identity.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { FamilyAnswer, IdentityAnswer } from './device-answers.ts'
import { refusalOf } from './printer-view.ts'

/**
 * The device replaces the printer: what was detected about the old one is dropped, and what waits prints there, with its own family.
 * @param profileId the chosen family; without one, that of its maker and model
 */
export function acceptDevice(
  context: Pick<ControlContext, 'queue' | 'log'>,
  printer: PrinterRecord,
  {
    identity,
    deviceId,
    profileId,
  }: { identity: IdentityAnswer; deviceId: string | undefined; profileId: string | undefined },
): FamilyAnswer {
  const { known, found } = identity
  if (found === null)
    throw new ControlRefusal('refused', `No other device than ${printer.name} was seen: there is nothing to accept.`, {
      said: { key: 'printer.nothing-to-accept' },
    })
  if (deviceId !== undefined && deviceId !== found.deviceId)
    throw new ControlRefusal('refused', 'Meanwhile a different device answers there: check it again.', {
      said: { key: 'printer.another-device' },
    })
  const { host, port, mac, maker, model, serial } = found
  const answers = { maker, model, serial }
  const family = {
    before: printer.profileId,
    now: profileId ?? found.profileId,
    isUnsure: profileId === undefined && found.isFamilyUnsure,
  }
  const changed = context.queue.updatePrinter(printer.printerId, {
    host,
    port,
    profileId: family.now,
    settings: { mac, testedAtMs: null },
    device: { answers: saysNothing(answers) ? null : answers, movedFrom: null },
  })
  if (!changed.ok) throw refusalOf(changed.reason)
  context.log.warn(
    { printer: printer.name, known, found, family },
    'somebody has accepted another device as this printer',
  )
  return family
}
