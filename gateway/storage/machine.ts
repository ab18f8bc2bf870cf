// Identifies this machine by its hardware: a copied card in another machine, or a database at another path, is not the same.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Hashes only: no serial number and no hardware address leaves this file. */
export const machineFacts = z.object({
  /** Distinguishes this machine and this path from all others. */
  id: z.string().min(1).max(64),
  /** One for each thing that is known of the hardware, together with the path. */
  facts: z.array(z.string().max(64)).min(1).max(64),
})
export type Machine = z.infer<typeof machineFacts>

/** The system's files about its hardware. */
export interface MachineFiles {
  /** Serial number of the board. Not the one below /proc, which the service does not see. */
  serial: string
  /** One folder for each network interface. */
  interfaces: string
  /** Created when the system was installed: a copied card has the same. Used only if the hardware has no id. */
  machineId: string
}

const MACHINE_FILES: MachineFiles = {
  serial: '/sys/firmware/devicetree/base/serial-number',
  interfaces: '/sys/class/net',
  machineId: '/etc/machine-id',
}
const MOST_FACTS = 32
/** In `addr_assign_type`: the device's original address, not a chosen one. */
const PERMANENT = '0'
/** The value on boards without a number. */
const NO_VALUE = /^[0:\s]*$/

/** @param databaseFile must exist */
export function readMachine(databaseFile: string, files: MachineFiles = MACHINE_FILES): Machine {
  const path = realpathSync(databaseFile)
  const facts = hardwareOf(files).map((fact) => hashOf(fact, path))
  return { id: hashOf(...facts), facts }
}

/** Adding or removing an adapter does not make another machine: one fact in common is enough. */
export function isSameMachine(one: Machine, other: Machine): boolean {
  return one.facts.some((fact) => other.facts.includes(fact))
}

/** Sorted. Never empty: without any known fact, all machines are the same. */
function hardwareOf({ serial, interfaces, machineId }: MachineFiles): string[] {
  const number = textOf(serial)
  if (number !== null) return [`serial ${number}`]
  const addresses = permanentAddresses(interfaces)
  if (addresses.length > 0) return addresses.map((address) => `address ${address}`)
  return [`system ${textOf(machineId) ?? 'unknown'}`]
}

function permanentAddresses(folder: string): string[] {
  const isDevice = (name: string): boolean => existsSync(join(folder, name, 'device'))
  const addresses = namesIn(folder).flatMap((name) => {
    const isPermanent = textOf(join(folder, name, 'addr_assign_type'), /^$/) === PERMANENT
    const address = textOf(join(folder, name, 'address'))
    return isDevice(name) && isPermanent && address !== null ? [address] : []
  })
  return [...new Set(addresses)].sort().slice(0, MOST_FACTS)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Null when it is missing or empty. */
function textOf(file: string, empty = NO_VALUE): string | null {
  try {
    const text = readFileSync(file, 'utf8').replaceAll('\0', '').trim()
    return empty.test(text) ? null : text
  } catch {
    return null
  }
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32)
}
