// The device behind a printer and one that may have taken its place, side by side. Pure.
import { createHash } from 'node:crypto'
import { confirmLevelOf } from '#gateway/printers/confirm-level.ts'
import type { Stranger } from '#gateway/printers/identity-guard.ts'
import { suggestProfile } from '#gateway/printers/suggest-profile.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { NoteAnswer } from './answers.ts'
import type { DeviceAnswer, FoundDevice, IdentityAnswer } from './device-answers.ts'

/** A device at another address that may be the printer. */
export interface FoundElsewhere extends Stranger {
  host: string
  port: number
}

/** Messages of the address watch about a printer, in addition to its health. */
export interface PrinterWatch {
  notesOf(printer: PrinterRecord): NoteAnswer[]
  foundOf(printer: PrinterRecord): FoundElsewhere | null
}

/** Which device was meant when a person accepted it: another one since then has another. */
export function deviceIdOf({ host, port, mac, maker, model, serial, level }: DeviceAnswer): string {
  const facts = JSON.stringify([host, port, mac, maker, model, serial, level])
  return createHash('sha256').update(facts).digest('hex').slice(0, 12)
}

/** It has answered once, or was reached: before that its capabilities are not known, as right after another device was accepted. */
export function isAsked(
  { capability }: Pick<PrinterRecord, 'capability'>,
  view: Pick<PrinterView, 'state' | 'reasons'> | undefined,
): boolean {
  if (capability !== null) return true
  return view !== undefined && !(view.state === 'unknown' && view.reasons.includes('connecting-to-device'))
}

export function identityOf(
  printer: PrinterRecord,
  view: Pick<PrinterView, 'stranger' | 'state' | 'reasons'> | undefined,
  elsewhere: FoundElsewhere | null,
): IdentityAnswer {
  const { host, port, settings, device, capability, profileId } = printer
  const { maker = null, model = null, serial = null } = device.answers ?? {}
  const level = isAsked(printer, view) ? confirmLevelOf(capability).level : null
  const met = view?.stranger ? { ...view.stranger, host, port } : elsewhere
  const found = met === null ? null : deviceOf(met)
  const known = { host, port, mac: settings.mac, maker, model, serial, level, profileId }
  return { known, found: found && { ...found, deviceId: deviceIdOf(found), ...familyOf(found, known) } }
}

/** The family of maker and model, as for a printer that is added. For the same model it is the chosen one. */
function familyOf(
  found: DeviceAnswer,
  known: IdentityAnswer['known'],
): Pick<FoundDevice, 'profileId' | 'isFamilyUnsure'> {
  const { maker, model } = found
  const isSameModel = model !== null && model === known.model && maker === known.maker
  if (isSameModel) return { profileId: known.profileId, isFamilyUnsure: false }
  const { profileId, by } = suggestProfile(maker ?? '', model ?? '')
  return by === 'none' ? { profileId: known.profileId, isFamilyUnsure: true } : { profileId, isFamilyUnsure: false }
}

function deviceOf({ host, port, mac, maker, model, serial, level }: FoundElsewhere): DeviceAnswer {
  return { host, port, mac, maker, model, serial, level }
}
