// printers: those that the cloud proposes to a gateway by their addresses, and what became of them there.
import { z } from 'zod'
import { perform } from '#cloud/control/perform.ts'
import {
  changedBy,
  type PrinterChanged,
  type ProposedPrinter,
  printerAddress,
  printerName,
  printerProfileId,
  printerStations,
  proposedPrinterId,
} from '#cloud/control/printer-list.ts'
import { toIso } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import type { ConfigConflict } from '#shared/wire/gateway-config.ts'
import { type Command, defineCommand } from './command.ts'
import { type AdminContext, consoleAct } from './context.ts'
import { gatewayField, requireOwnGateway } from './fields.ts'
import { facts, table } from './print.ts'

const addressField = z
  .string()
  .transform((text, context) => {
    const [host = '', port = '9100', ...rest] = text.split(':')
    const parsed = printerAddress.safeParse({ host, port: /^\d{1,5}$/.test(port) ? Number(port) : 0 })
    if (parsed.success && rest.length === 0) return parsed.data
    context.addIssue({
      code: 'custom',
      message: 'must be an IPv4 address with or without a port, such as 192.168.1.50',
    })
    return z.NEVER
  })
  .describe('IPv4 address in the network of the restaurant, with or without a port: 192.168.1.50 or 192.168.1.50:9101')
const profileField = printerProfileId
  .refine((id) => PROFILES.some((profile) => profile.id === id), { error: 'must be the id of a profile' })
  .describe(`Family of the printer, one of: ${PROFILES.map(({ id }) => id).join(', ')}`)
const stationsField = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.string()))
  .transform((list) => list.filter((one) => one !== ''))
  .pipe(printerStations)
  .describe('Stations with commas between, such as grill,fry; none takes what no other printer serves')
const printerNameField = printerName.describe('Name for people, unique at its gateway')
const cloudPrinterField = proposedPrinterId.describe('Id of a proposed printer, cp_...: `printers list` shows them')
const byField = changedBy.default('operator').describe('Who changes it, for people on both sides')

export const cloudPrinterCommands: readonly Command[] = [
  defineCommand({
    name: 'printers list',
    summary: 'Printers that the cloud proposes to a gateway, and what became of them there',
    options: { gateway: gatewayField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { gateway }) => {
      const { account, merchantId } = await requireOwnGateway(context, gateway)
      const raw = { merchantId, gatewayId: gateway }
      const { version, answered, printers } = await perform(context, consoleAct(account), {
        name: 'printers.list',
        raw,
      })
      const rows = printers.map(({ state, reason, printerId, conflicts, ...printer }) => ({
        ...shown(printer),
        state,
        reason,
        printerId,
        conflicts,
      }))
      const versions = { gateway, version, answered }
      const flat = rows.map(({ conflicts, ...row }) => ({ ...row, conflicts: conflicts.length }))
      const told = rows.flatMap(({ name, conflicts }) => conflicts.map((one) => `${name}: ${wordsOf(one)}`))
      const text = [facts(versions), '', table(flat, 'No printers are proposed: `printers add` proposes one.'), ...told]
      return { data: { ...versions, printers: rows }, text: text.join('\n') }
    },
  }),

  defineCommand({
    name: 'printers add',
    summary: 'Propose a printer to a gateway by its address; the gateway checks the address by its own rules',
    options: {
      gateway: gatewayField,
      name: printerNameField,
      address: addressField,
      profile: profileField.default('generic-80'),
      stations: stationsField.default([]),
      by: byField,
    },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6 --name Grill --address 192.168.1.50 --stations grill',
    run: (context, { gateway, ...values }) => changed(context, gateway, { name: 'printers.add', raw: values }),
  }),

  defineCommand({
    name: 'printers set',
    summary: 'Change a proposed printer; what is not named stays',
    options: {
      gateway: gatewayField,
      printer: cloudPrinterField,
      name: printerNameField.optional(),
      address: addressField.optional(),
      profile: profileField.optional(),
      stations: stationsField.optional(),
      by: byField,
    },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6 --printer cp_01jd3k5v8wz9x0y1a2b3c4d5e6 --address 192.168.1.51',
    run: (context, { gateway, printer, ...values }) =>
      changed(context, gateway, { name: 'printers.set', raw: { printerId: printer, ...values } }),
  }),

  defineCommand({
    name: 'printers remove',
    summary: 'Take a proposed printer away; the gateway does so once no ticket waits for it',
    options: { gateway: gatewayField, printer: cloudPrinterField, by: byField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6 --printer cp_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: (context, { gateway, printer, by }) =>
      changed(context, gateway, { name: 'printers.remove', raw: { printerId: printer, by } }),
  }),
]

interface Changing {
  name: 'printers.add' | 'printers.set' | 'printers.remove'
  raw: object
}

async function changed(context: AdminContext, gateway: GatewayId, { name, raw }: Changing) {
  const { account, merchantId } = await requireOwnGateway(context, gateway)
  const answer: PrinterChanged = await perform(context, consoleAct(account), {
    name,
    raw: { ...raw, merchantId, gatewayId: gateway },
  })
  const data = { gatewayId: gateway, version: answer.version, ...shown(answer) }
  const next = 'The gateway gets it within seconds when it is online. `printers list` shows what it says.'
  return { data, text: `${facts(data)}\n\n${next}` }
}

/** In the order of its columns. */
function shown({ id, name, address, profile, stations, removed }: ProposedPrinter) {
  return { id, name, address, profile, stations, removed }
}

function wordsOf({ field, stands, value, by, at, lost, lostBy, lostAt }: ConfigConflict): string {
  const where = stands === 'gateway' ? 'of the box' : 'of the cloud'
  // Text from a gateway may contain anything: no control character of it reaches the terminal.
  const text = `${field} ${where} stands: "${value}" (${by}, ${toIso(at)}), not "${lost}" (${lostBy}, ${toIso(lostAt)})`
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}
