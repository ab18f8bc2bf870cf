// Printers: adding, changing, taking away, pausing, moving what waits.

import { saysNothing } from '#gateway/printers/identity.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { DEFAULT_PRINTER_SETTINGS, type PrinterSettings } from '#shared/printer-settings.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import type { PrinterAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { FamilyAnswer, IdentityAnswer } from './device-answers.ts'
import type { IdentifiedDevices } from './identified-devices.ts'
import type { PrinterWatch } from './printer-device.ts'
import { otherThan, printerAnswers, refusalOf, requirePrinter } from './printer-view.ts'

type Operations = Pick<
  ControlHandlers,
  | 'printers.list'
  | 'printers.add'
  | 'printers.update'
  | 'printers.remove'
  | 'printers.pause'
  | 'printers.resume'
  | 'printers.move'
  | 'printers.release'
  | 'printers.accept'
>

/**
 * @param watch messages about a printer in addition to its health
 * @param identified the recently identified devices
 */
export function printerOperations(
  context: ControlContext,
  watch: PrinterWatch,
  identified: IdentifiedDevices,
): Operations {
  const { queue, discovery } = context
  const list = (): PrinterAnswer[] => printerAnswers(context, watch)
  const show = (printerId: string): PrinterAnswer => {
    const shown = list().find((printer) => printer.printerId === printerId)
    if (!shown) throw refusalOf('unknown-printer')
    return shown
  }
  return {
    'printers.list': list,

    'printers.add': async ({ settings, allowAddress, ...printer }) => {
      refuseUnknownProfile(printer.profileId)
      const address = { host: printer.host, port: portOf(printer) }
      await useAddress(context, address, allowAddress)
      // For a printer that was just identified the kernel has it; a claim in a datagram is no proof.
      const mac = settings.mac ?? discovery.macOf(printer.host)
      const asked = { ...DEFAULT_PRINTER_SETTINGS, ...withBackupId(context, settings), mac }
      const added = await queue.addPrinter({ ...printer, ...address, settings: asked })
      if (!added.ok) throw refusalOf(added.reason)
      const answers = identified.answersOf(added.printer)
      if (answers !== null) context.printers.saveAnswers(added.printer, answers)
      return show(added.printer.printerId)
    },

    'printers.update': async ({ printer, settings, allowAddress, ...change }) => {
      const known = requirePrinter(context, printer)
      if (change.profileId !== undefined) refuseUnknownProfile(change.profileId)
      const port = change.host === undefined ? change.port : portOf({ host: change.host, port: change.port ?? 9_100 })
      const wanted = { ...change, port }
      const isThere = (change.host ?? known.host) === known.host && (port ?? known.port) === known.port
      const address = { host: change.host ?? known.host, port: port ?? known.port }
      if (!isThere || allowAddress) await useAddress(context, address, allowAddress)
      const forgotten = forgottenBy(wanted, known, discovery.macOf(change.host ?? known.host))
      const asked = { ...forgotten, ...withBackupId(context, settings ?? {}) }
      const updated = await queue.updatePrinter(known.printerId, { ...wanted, settings: asked })
      if (!updated.ok) throw refusalOf(updated.reason)
      return show(known.printerId)
    },

    'printers.remove': async ({ printer, moveTo }) => {
      const { printerId } = requirePrinter(context, printer)
      const tickets = moveTo === undefined ? 0 : await queue.moveAll(printerId, otherThan(context, printerId, moveTo))
      const removed = await queue.removePrinter(printerId)
      if (!removed.ok) throw refusalOf(removed.reason)
      const { printers, displays, rulesChanged, rulesRemoved } = removed.left
      const rules = { rulesChanged: [...rulesChanged], rulesRemoved: [...rulesRemoved] }
      return { tickets, left: { printers: [...printers], displays: [...displays], ...rules } }
    },

    'printers.pause': async ({ printer }) => {
      const { printerId } = requirePrinter(context, printer)
      await queue.pause(printerId)
      return show(printerId)
    },

    'printers.resume': async ({ printer }) => {
      const { printerId } = requirePrinter(context, printer)
      await queue.resume(printerId)
      return show(printerId)
    },

    'printers.move': async ({ from, to }) => {
      const { printerId } = requirePrinter(context, from)
      return { tickets: await queue.moveAll(printerId, otherThan(context, printerId, to)) }
    },

    'printers.accept': ({ printer, deviceId, profileId }) => {
      const known = requirePrinter(context, printer)
      if (profileId !== undefined) refuseUnknownProfile(profileId)
      const family = acceptDevice(context, known, { identity: show(known.printerId).identity, deviceId, profileId })
      return { ...show(known.printerId), family }
    },

    'printers.release': async ({ printer }) => ({
      tickets: await queue.releaseAll(requirePrinter(context, printer).printerId),
    }),
  }
}

/** @throws ControlRefusal when a printer may not have this address, unless it was allowed just now */
async function useAddress(
  { addresses }: ControlContext,
  address: { host: string; port: number },
  isAllowed: true | undefined,
): Promise<void> {
  // Before the printer is there: it is connected to at once.
  if (isAllowed) addresses.allow(address)
  else await addresses.check(address)
}

/** Another address is another device, and another profile other paper: what was seen of the old one counts no more. */
function forgottenBy(
  { host, port, profileId }: { host?: string | undefined; port?: number | undefined; profileId?: string | undefined },
  old: PrinterRecord,
  macThere: string | null,
): Partial<PrinterSettings> {
  const isElsewhere = host !== undefined && host !== old.host
  const isOther =
    isElsewhere || (port !== undefined && port !== old.port) || (profileId !== undefined && profileId !== old.profileId)
  return { ...(isElsewhere ? { mac: macThere } : {}), ...(isOther ? { testedAtMs: null } : {}) }
}

/** A device file has no port. */
function portOf({ host, port }: { host: string; port: number }): number {
  if (host.startsWith('/')) return 0
  const message = 'must be 1 or more, unless the host is a device file'
  if (port === 0)
    throw new ControlRefusal('invalid', `port: ${message}`, {
      errors: [{ field: 'port', message, rule: { key: 'at-least', limit: 1 } }],
    })
  return port
}

/** People name the backup; it is stored by its id. */
function withBackupId<S extends { backupPrinterId?: string | null | undefined }>(
  context: ControlContext,
  settings: S,
): S {
  const { backupPrinterId } = settings
  if (backupPrinterId === undefined || backupPrinterId === null) return settings
  return { ...settings, backupPrinterId: requirePrinter(context, backupPrinterId).printerId }
}

function refuseUnknownProfile(profileId: string): void {
  if (PROFILES.some(({ id }) => id === profileId)) return
  const ids = PROFILES.map(({ id }) => id).join(', ')
  throw new ControlRefusal('invalid', `There is no profile ${profileId}. There are: ${ids}.`)
}

/**
 * The device replaces the printer: what was detected about the old one is dropped, and what waits prints there, with its own family.
 * @param profileId the chosen family; without one, that of its maker and model
 */
function acceptDevice(
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
