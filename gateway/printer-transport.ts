// Makes the connection to one printer from its stored settings, and checks the identity of the device at its address.
import { isIP } from 'node:net'
import type { PrinterAddressPolicy } from '#gateway/control/printer-address-policy.ts'
import { readArpTable } from '#gateway/discovery/arp-table.ts'
import { IdentityGuard } from '#gateway/printers/identity-guard.ts'
import { openTransport } from '#gateway/printers/open-transport.ts'
import type { PrinterTransport } from '#gateway/printers/transport.ts'
import type { PrinterRecord, PrinterStore } from '#gateway/storage/printer-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { NO_ANSWERS } from '#shared/printer-identity.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'

export interface PrinterTransportDeps {
  printers: PrinterStore
  /** The kernel's table of hardware addresses. */
  arpFile: string
  /** The allowed printer addresses. */
  addresses: Pick<PrinterAddressPolicy, 'allows'>
  clock: Clock
  random: () => number
  log: Logger
}

/** @param interrupted part of a ticket may be on its paper without a cut */
export function printerTransport(
  printer: PrinterRecord,
  interrupted: boolean,
  { printers, arpFile, addresses, clock, random, log }: PrinterTransportDeps,
): PrinterTransport {
  const { printerId, host, port, profileId, settings, capability, name } = printer
  const ownLog = log.child({ printer: name })
  let peer: string | null = null
  const identity = new IdentityGuard({
    known: () => {
      const { device, settings: now } = printers.find(printerId) ?? printer
      return { ...(device.answers ?? NO_ANSWERS), mac: now.mac }
    },
    // Of the connected device: the ARP table has no names.
    placeNow: () => ({ address: peer, mac: peer === null ? null : (readArpTable(arpFile).get(peer) ?? null) }),
    isByName: isIP(host) === 0,
    learnt: (answers) => {
      printers.saveAnswers(printer, answers)
      ownLog.info(answers, 'the printer has said who it is')
    },
    clock,
  })
  return openTransport({
    address: { host, port },
    allows: (ip) => addresses.allows({ host, port }, ip),
    profile: profileFor(profileId, settings),
    capability,
    exclusive: settings.connection === 'exclusive',
    ...(host.startsWith('/') ? {} : { identity }),
    connected: (address) => {
      peer = address
    },
    clock,
    random,
    log: ownLog,
    interrupted,
  })
}
