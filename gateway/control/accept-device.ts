// A person says that another device is a printer from now on.
import { saysNothing } from '#gateway/printers/identity.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { IdentityAnswer } from './device-answers.ts'
import { refusalOf } from './printer-view.ts'

/** The device takes the printer's place: what was learnt of the other one is forgotten, and what waits prints there. */
export function acceptDevice(
  context: Pick<ControlContext, 'queue' | 'log'>,
  printer: PrinterRecord,
  { identity, deviceId }: { identity: IdentityAnswer; deviceId: string | undefined },
): void {
  const { known, found } = identity
  if (found === null)
    throw new ControlRefusal(
      'refused',
      `No other device than ${printer.name} was seen: there is nothing to accept.`,
      [],
      {
        key: 'printer.nothing-to-accept',
      },
    )
  if (deviceId !== undefined && deviceId !== found.deviceId)
    throw new ControlRefusal('refused', 'Meanwhile yet another device answers there: look at it again.', [], {
      key: 'printer.another-device',
    })
  const { host, port, mac, maker, model, serial } = found
  const answers = { maker, model, serial }
  const changed = context.queue.updatePrinter(printer.printerId, {
    host,
    port,
    settings: { mac, testedAtMs: null },
    device: { answers: saysNothing(answers) ? null : answers, movedFrom: null },
  })
  if (!changed.ok) throw refusalOf(changed.reason)
  context.log.warn({ printer: printer.name, known, found }, 'somebody has accepted another device as this printer')
}
