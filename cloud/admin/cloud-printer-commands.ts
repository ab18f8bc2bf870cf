// printers: those that the cloud proposes to a gateway by their addresses, and what became of them there.
import { z } from 'zod'
import {
  addPrinter,
  type ConfigChange,
  type ConfigDeps,
  removePrinter,
  updatePrinter,
} from '#cloud/pairing/printer-config.ts'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { toIso } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { type CloudPrinter, type ConfigConflict, configValues } from '#shared/wire/gateway-config.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import { gatewayField } from './fields.ts'
import { ownerOf } from './pairing-commands.ts'
import { facts, table } from './print.ts'

const addressField = z
  .string()
  .transform((text, context) => {
    const [host = '', port = '9100', ...rest] = text.split(':')
    const parsed = configValues.shape.address.safeParse({ host, port: /^\d{1,5}$/.test(port) ? Number(port) : 0 })
    if (parsed.success && rest.length === 0) return parsed.data
    context.addIssue({
      code: 'custom',
      message: 'must be an IPv4 address with or without a port, such as 192.168.1.50',
    })
    return z.NEVER
  })
  .describe('IPv4 address in the network of the restaurant, with or without a port: 192.168.1.50 or 192.168.1.50:9101')
const profileField = configValues.shape.profileId
  .refine((id) => PROFILES.some((profile) => profile.id === id), { error: 'must be the id of a profile' })
  .describe(`Family of the printer, one of: ${PROFILES.map(({ id }) => id).join(', ')}`)
const stationsField = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.string()))
  .transform((list) => list.filter((one) => one !== ''))
  .pipe(configValues.shape.stations)
  .describe('Stations with commas between, such as grill,fry; none takes what no other printer serves')
/** A box of an older version refuses the whole document when a name has one of these signs. */
const printerNameField = configValues.shape.name
  .regex(/^[^=@/,]+$/u, { error: 'must be a name without = @ / , because boxes of older versions take no others' })
  .describe('Name for people, unique at its gateway')
const cloudPrinterField = z
  .string()
  .regex(/^cp_[0-9a-z]{26}$/, { error: 'must be the id of a proposed printer: `printers list` shows them' })
  .describe('Id of a proposed printer, cp_...')
const byField = z.string().min(1).max(40).default('operator').describe('Who changes it, for people on both sides')

const WORDS = {
  'unknown-printer': 'No proposed printer of this gateway has that id. `printers list` shows them.',
  'name-taken': 'Another proposed printer of this gateway has that name.',
  'too-many': 'This gateway has the largest number of proposed printers.',
  'too-large': 'The configuration would be larger than 12 kB: fewer printers, or fewer stations.',
}

export const cloudPrinterCommands: readonly Command[] = [
  defineCommand({
    name: 'printers list',
    summary: 'Printers that the cloud proposes to a gateway, and what became of them there',
    options: { gateway: gatewayField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { gateway }) => {
      await ownerOf(context, gateway)
      const config = await new GatewayConfigStore(context.db).find(gateway)
      const rows = (config?.doc.printers ?? []).map((printer) => {
        const report = config?.answer?.printers.find(({ id }) => id === printer.id)
        return {
          ...shown(printer),
          state: report?.state ?? 'waiting',
          reason: report?.reason ?? null,
          printerId: report?.printerId ?? null,
          conflicts: report?.conflicts ?? [],
        }
      })
      const versions = { gateway, version: config?.ver ?? 0, answered: config?.answer?.ver ?? null }
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
    run: (context, { gateway, name, address, profile, stations, by }) =>
      changed(context, gateway, 'printer.propose', (tx, deps) =>
        addPrinter(tx, deps, { gatewayId: gateway, by }, { name, address, profileId: profile, stations }),
      ),
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
    run: (context, { gateway, printer, name, address, profile, stations, by }) =>
      changed(context, gateway, 'printer.propose', (tx, deps) =>
        updatePrinter(
          tx,
          deps,
          { gatewayId: gateway, id: printer, by },
          given({ name, address, profileId: profile, stations }),
        ),
      ),
  }),

  defineCommand({
    name: 'printers remove',
    summary: 'Take a proposed printer away; the gateway does so once no ticket waits for it',
    options: { gateway: gatewayField, printer: cloudPrinterField, by: byField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6 --printer cp_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: (context, { gateway, printer, by }) =>
      changed(context, gateway, 'printer.withdraw', (tx, deps) =>
        removePrinter(tx, deps, { gatewayId: gateway, id: printer, by }),
      ),
  }),
]

type Tx = Parameters<typeof addPrinter>[0]

async function changed(
  context: AdminContext,
  gateway: GatewayId,
  action: string,
  edit: (tx: Tx, deps: ConfigDeps) => Promise<ConfigChange>,
) {
  const accountId = await ownerOf(context, gateway)
  const deps = { configs: new GatewayConfigStore(context.db), clock: context.clock }
  const change = await context.db.unit(async (tx) => {
    const done = await edit(tx, deps)
    if (done.ok) await audited(tx, context, { accountId, action, subject: gateway, after: shown(done.printer) })
    return done
  })
  if (!change.ok) throw new AdminError(WORDS[change.reason])
  const data = { gatewayId: gateway, version: change.ver, ...shown(change.printer) }
  const next = 'The gateway gets it within seconds when it is online. `printers list` shows what it says.'
  return { data, text: `${facts(data)}\n\n${next}` }
}

/** Without what was not named. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function shown({ id, name, address, profileId, stations, removed }: CloudPrinter) {
  return {
    id,
    name: name.value,
    address: `${address.value.host}:${address.value.port}`,
    profile: profileId.value,
    stations: stations.value.join(','),
    removed: removed !== null,
  }
}

function wordsOf({ field, stands, value, by, at, lost, lostBy, lostAt }: ConfigConflict): string {
  const where = stands === 'gateway' ? 'of the box' : 'of the cloud'
  // A gateway may say anything: no control character of it reaches the terminal.
  const text = `${field} ${where} stands: "${value}" (${by}, ${toIso(at)}), not "${lost}" (${lostBy}, ${toIso(lostAt)})`
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}
