// Asks a device at another address whether it is a printer that is gone. Nothing is changed here.
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { type Doubt, doubtOf } from '#gateway/printers/identity.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { NO_ANSWERS } from '#shared/printer-identity.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import type { ControlContext } from './context.ts'
import type { FoundElsewhere } from './printer-device.ts'

type Asking = Pick<ControlContext, 'identify' | 'discovery'>

export type Examined =
  /** No device answers there, or it is stopped and answers nothing yet. */
  { kind: 'not-yet' } | { kind: 'same'; found: FoundElsewhere } | { kind: 'doubt'; doubt: Doubt; found: FoundElsewhere }

export async function examine(
  { identify, discovery }: Asking,
  { port, settings, device, capability }: PrinterRecord,
  host: string,
): Promise<Examined> {
  const identity = await identify({ host, port })
  if (identity.kind === 'unreachable') return { kind: 'not-yet' }
  const seen = capabilityOf(identity, capability)
  if (seen === 'not-asked') return { kind: 'not-yet' }
  const { maker, model, serial } = identity.kind === 'printer' ? identity : NO_ANSWERS
  // Of the connection just now, and never what the device claims.
  const mac = discovery.macOf(identity.peer ?? host)
  const known = { ...(device.answers ?? NO_ANSWERS), mac: settings.mac, capability }
  const doubt = doubtOf(known, { maker, model, serial, mac, capability: seen })
  const level = identity.kind === 'silent' ? identity.level.level : (identity.level?.level ?? null)
  const found = { host, port, mac, maker, model, serial, level }
  return doubt === null ? { kind: 'same', found } : { kind: 'doubt', doubt, found }
}

/** What it answers; a Star is asked by its language only, so it counts as what is known of it. */
function capabilityOf(
  identity: Exclude<Identity, { kind: 'unreachable' }>,
  known: PrinterCapability | null,
): PrinterCapability | null | 'not-asked' {
  if (identity.kind === 'silent') return null
  if (identity.language === 'star') return known?.starStatus ? known : identity.capability
  return identity.capability === null && known !== null ? 'not-asked' : identity.capability
}
