// Printers: what the cloud proposes to a gateway, and test tickets.
import { randomInt } from 'node:crypto'
import { findPrintJob } from '#cloud/orders/print-jobs.ts'
import { submitPrintJob } from '#cloud/orders/submit-print-job.ts'
import { addPrinter, type ConfigChange, removePrinter, updatePrinter } from '#cloud/pairing/printer-config.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import type { GatewayConfig } from '#cloud/storage/gateway-config-store.ts'
import type { GatewayId } from '#shared/ids.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import type { CloudPrinter, ConfigValues } from '#shared/wire/gateway-config.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { requireGateway } from './find-gateway.ts'
import { type Changed, type Changing, type Doing, type Handlers, merchantOf } from './handler.ts'
import type { PRINTER_OPERATIONS, PrinterChanged, ProposalAnswer, ProposedPrinter } from './printer-list.ts'
import { refuseStale } from './stale.ts'

const WORDS = {
  'unknown-printer': ['not-found', null, 'No proposed printer of this gateway has that id.'],
  'name-taken': ['refused', 'name', 'Another proposed printer of this gateway has that name.'],
  'too-many': ['refused', null, 'This gateway has the largest number of proposed printers.'],
  'too-large': [
    'refused',
    'stations',
    'The configuration would be larger than 12 kB: fewer printers, or fewer stations.',
  ],
} as const

export const PRINTER_HANDLERS: Pick<Handlers, keyof typeof PRINTER_OPERATIONS> = {
  'printers.list': async (context, doing, { gatewayId }) => {
    await requireGateway(context.db.read, context, { merchant: merchantOf(doing), id: gatewayId })
    const config = await context.configs.find(gatewayId)
    return {
      gatewayId,
      version: config?.ver ?? 0,
      answered: config?.answer?.ver ?? null,
      printers: proposalsOf(config),
    }
  },

  'printers.profiles': async () => PROFILES.map(({ id, vendor, models }) => ({ id, vendor, models })),

  'printers.add': async (context, doing, { gatewayId, name, address, profile, stations, by }) => {
    await mayChange(context, doing, gatewayId)
    requireProfile(profile)
    const writer = { gatewayId, by: writerOf(doing, by) }
    return changed(doing, gatewayId, {
      action: 'printer.propose',
      change: await addPrinter(doing.tx, context, { writer, values: { name, address, profileId: profile, stations } }),
    })
  },

  'printers.set': async (context, doing, { gatewayId, printerId, by, seen, name, address, profile, stations }) => {
    await mayChange(context, doing, gatewayId)
    if (profile !== undefined) requireProfile(profile)
    const before = (await context.configs.find(gatewayId, doing.tx))?.doc.printers.find(({ id }) => id === printerId)
    if (before !== undefined) {
      const { id: _, removed: __, ...present } = proposed(before)
      refuseStale(present, seen)
    }
    const fields = given({ name, address, profileId: profile, stations })
    return changed(doing, gatewayId, {
      action: 'printer.propose',
      change: await updatePrinter(doing.tx, context, {
        writer: { gatewayId, id: printerId, by: writerOf(doing, by) },
        values: fields,
      }),
    })
  },

  'printers.remove': async (context, doing, { gatewayId, printerId, by }) => {
    await mayChange(context, doing, gatewayId)
    return changed(doing, gatewayId, {
      action: 'printer.withdraw',
      change: await removePrinter(doing.tx, context, { gatewayId, id: printerId, by: writerOf(doing, by) }),
    })
  },

  'printers.test': async (context, doing, { printerId }) => {
    const merchant = merchantOf(doing)
    const number = String(randomInt(1_000, 10_000))
    const asker = doing.by === 'person' ? doing.name : 'operator'
    const { answer, wake, refusal } = await submitPrintJob(doing.tx, context, {
      merchant,
      body: {
        merchantId: merchant.publicId,
        type: 'kitchen',
        title: `TEST ${number}`,
        text: `${merchant.name}\n${asker}`,
        printerId,
        copies: 1,
      },
    })
    const printerName = answer.printers[0]?.name ?? printerId
    return {
      answer: { printJobId: answer.printJobId, number, printerName, waits: refusal !== undefined },
      audit: {
        accountId: merchant.ownerAccountId,
        action: 'printer.test',
        subject: printerId,
        after: { printJobId: answer.printJobId, number },
      },
      ...(wake === undefined ? {} : { wake }),
    }
  },

  'printers.tested': (context, doing, { printJobId }) => findPrintJob(context, merchantOf(doing), printJobId),
}

/** The cloud's proposals, each with the gateway's answer. */
export function proposalsOf(config: GatewayConfig | null): ProposalAnswer[] {
  return (config?.doc.printers ?? []).map((printer) => {
    const report = config?.answer?.printers.find(({ id }) => id === printer.id)
    return {
      ...proposed(printer),
      state: report?.state ?? 'waiting',
      reason: report?.reason ?? null,
      printerId: report?.printerId ?? null,
      conflicts: report?.conflicts ?? [],
    }
  })
}

function proposed({ id, name, address, profileId, stations, removed }: CloudPrinter): ProposedPrinter {
  return {
    id,
    name: name.value,
    address: `${address.value.host}:${address.value.port}`,
    profile: profileId.value,
    stations: stations.value.join(','),
    removed: removed !== null,
  }
}

/** @throws ControlRefusal not-found, and refused for a revoked gateway: it would never get the change */
async function mayChange(context: ControlContext, doing: Changing, gatewayId: GatewayId): Promise<void> {
  await requireGateway(doing.tx, context, { merchant: merchantOf(doing), id: gatewayId })
}

function requireProfile(profile: string): void {
  if (PROFILES.some(({ id }) => id === profile)) return
  const message = 'must be the id of a profile'
  throw new ControlRefusal('invalid', `profile: ${message}`, { errors: [{ field: 'profile', message }] })
}

/** For people on both sides. */
function writerOf(doing: Doing, by: string | undefined): string {
  if (doing.by === 'console') return by ?? 'operator'
  return doing.name.trim().slice(0, 40) || doing.email.slice(0, 40)
}

function changed(
  doing: Doing,
  gatewayId: GatewayId,
  { action, change }: { action: AuditAction; change: ConfigChange },
): Changed<PrinterChanged> {
  if (!change.ok) {
    const [kind, field, message] = WORDS[change.reason]
    throw new ControlRefusal(kind, message, {
      said: { key: `printer.${change.reason}` },
      ...(field === null ? {} : { errors: [{ field, message }] }),
    })
  }
  const after = proposed(change.printer)
  return {
    answer: { gatewayId, version: change.ver, ...after },
    audit: { accountId: merchantOf(doing).ownerAccountId, action, subject: gatewayId, after },
  }
}

/** Without what was not named. */
function given(values: { [K in keyof ConfigValues]?: ConfigValues[K] | undefined }): Partial<ConfigValues> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
