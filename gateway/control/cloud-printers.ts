// Printers that the cloud proposes: each field is applied when it was changed later than the value here, and when the box's own rules allow it.
//
// Applying twice changes nothing, so a configuration may come again after a crash. What cannot be applied is reported, here and in the cloud.
import { createHash } from 'node:crypto'
import type { PrintQueue } from '#gateway/queue/print-queue.ts'
import type { CloudConfigStore, CloudPrinterRow } from '#gateway/storage/cloud-config-store.ts'
import type { PrinterRecord, PrinterStore, PrinterUpdate } from '#gateway/storage/printer-store.ts'
import { type PrinterWriter, WRITTEN_HERE } from '#gateway/storage/printer-writes.ts'
import type { Logger } from '#shared/log.ts'
import { parseJson } from '#shared/parse-json.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import {
  type CloudPrinter,
  CONFIG_FIELDS,
  type ConfigConflict,
  type ConfigField,
  type ConfigMessage,
  type ConfigPrinterReport,
  type ConfigRefusal,
  type ConfigResult,
  gatewayConfigDoc,
} from '#shared/wire/gateway-config.ts'
import { type AllowedRange, addressRefusal, type Interfaces } from './cloud-address-policy.ts'
import { conflictWords, localText, textOf } from './cloud-printer-words.ts'
import { standsAt } from './printer-places.ts'

export interface CloudPrintersOptions {
  queue: PrintQueue
  printers: PrinterStore
  store: CloudConfigStore
  /** This machine's own addresses, as they are now. */
  interfaces: () => Interfaces
  allowed: readonly AllowedRange[]
  log: Logger
}

/** Before the name of the author in the cloud. */
const CLOUD = 'cloud: '

export class CloudPrinters {
  readonly #options: CloudPrintersOptions

  constructor(options: CloudPrintersOptions) {
    this.#options = options
  }

  /** Of the last configuration that was applied; 0 before the first. */
  version(): number {
    return this.#options.store.applied()?.ver ?? 0
  }

  /** What the last configuration came to. */
  result(): ConfigResult | null {
    return this.#options.store.applied()?.result ?? null
  }

  /** As the cloud calls what it proposes; null for one that it no longer does. */
  nameOf(cloudId: string): string | null {
    const parsed = gatewayConfigDoc.safeParse(parseJson(this.#options.store.applied()?.doc ?? ''))
    return parsed.data?.printers.find(({ id }) => id === cloudId)?.name.value ?? null
  }

  /** Another restaurant than that of the last configuration: what was proposed there counts no more. */
  belongTo(gatewayId: string): void {
    const { store } = this.#options
    const applied = store.applied()
    if (applied?.gatewayId === gatewayId) return
    if (applied !== null) store.clear()
    store.save({
      gatewayId,
      ver: 0,
      sha256: '',
      doc: '',
      result: { ver: 0, outcome: 'applied', detail: null, printers: [] },
    })
  }

  /** On disk and in force when it resolves. */
  async apply({ ver, sha256, doc }: ConfigMessage): Promise<ConfigResult> {
    const { store, log } = this.#options
    const refuse = (detail: string): ConfigResult => {
      log.error({ ver, detail }, 'the configuration from the cloud cannot be used')
      return { ver, outcome: 'refused', detail, printers: [] }
    }
    if (createHash('sha256').update(doc).digest('hex') !== sha256) return refuse('the hash does not fit the document')
    const parsed = gatewayConfigDoc.safeParse(parseJson(doc))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return refuse(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not a configuration'}`.slice(0, 300))
    }
    const before = store.applied()
    const rows = new Map(store.printers().map((row) => [row.cloudId, row]))
    const printers = parsed.data.printers.map((proposed) => {
      const earlier = before?.result.printers.find(({ id }) => id === proposed.id)?.conflicts ?? []
      return this.#applyOne(proposed, rows.get(proposed.id) ?? null, earlier)
    })
    const known = new Set(parsed.data.printers.map(({ id }) => id))
    for (const { cloudId } of rows.values()) if (!known.has(cloudId)) store.forget(cloudId)
    const result: ConfigResult = { ver, outcome: 'applied', detail: null, printers }
    store.save({ gatewayId: before?.gatewayId ?? '', ver, sha256, doc, result })
    const refused = printers.filter(({ reason }) => reason !== null).map(({ id, reason }) => `${id}: ${reason}`)
    log.info({ ver, printers: printers.length, refused }, 'configuration from the cloud applied')
    return result
  }

  /** A message about this printer for people on the box. */
  notesOf({ printerId }: PrinterRecord): string[] {
    const report = this.result()?.printers.find((one) => one.printerId === printerId)
    return (report?.conflicts ?? []).map(conflictWords)
  }

  #applyOne(
    proposed: CloudPrinter,
    row: CloudPrinterRow | null,
    earlier: readonly ConfigConflict[],
  ): ConfigPrinterReport {
    const { printers } = this.#options
    const here = row?.printerId === null || row === null ? null : printers.find(row.printerId)
    if (proposed.removed) return this.#remove(proposed, here, proposed.removed)
    if (here) return this.#merge(proposed, here, earlier)
    const latest = latestOf(proposed)
    if (row?.removed && row.removed.atMs >= latest.atMs) {
      const conflict: ConfigConflict = {
        field: 'removed',
        stands: 'gateway',
        ...{ value: 'taken away', by: row.removed.who, at: row.removed.atMs },
        ...{ lost: proposed.name.value, lostBy: latest.who, lostAt: latest.atMs },
      }
      return { id: proposed.id, printerId: null, state: 'removed', reason: 'changed-on-the-box', conflicts: [conflict] }
    }
    return this.#add(proposed, latest)
  }

  #add(proposed: CloudPrinter, latest: PrinterWriter): ConfigPrinterReport {
    const { queue, printers, store } = this.#options
    const refuse = (reason: ConfigRefusal): ConfigPrinterReport => ({
      ...{ id: proposed.id, printerId: null, state: 'refused', reason, conflicts: [] },
    })
    const reason = this.#refusalOf('address', proposed) ?? this.#refusalOf('profileId', proposed)
    if (reason) return refuse(reason)
    const { host, port } = proposed.address.value
    // Set up here before, or added just before a power cut: it is the same printer.
    const there = queue.printers().find((one) => one.port === port && standsAt(one, host))
    const same = printers
      .all()
      .find((one) => one.printerId === there?.printerId || (one.host === host && one.port === port))
    if (same) {
      store.bind(proposed.id, same.printerId)
      return this.#merge(proposed, same, [])
    }
    const added = queue.addPrinter(
      {
        ...{ name: proposed.name.value, host, port, profileId: proposed.profileId.value },
        ...{ stations: proposed.stations.value, settings: DEFAULT_PRINTER_SETTINGS },
      },
      latest,
    )
    if (!added.ok) return refuse(added.reason === 'name-taken' ? 'name-taken' : 'too-many')
    const { printerId } = added.printer
    store.bind(proposed.id, printerId)
    for (const field of CONFIG_FIELDS) printers.writes.noteField(printerId, field, writerOf(proposed[field]))
    return { id: proposed.id, printerId, state: 'applied', reason: null, conflicts: [] }
  }

  /** The later write of each field wins. A field that may not be taken leaves the others. */
  #merge(proposed: CloudPrinter, here: PrinterRecord, earlier: readonly ConfigConflict[]): ConfigPrinterReport {
    const { queue, printers } = this.#options
    const { printerId } = here
    const writers = printers.writes.of(printerId)
    const conflicts: ConfigConflict[] = []
    let reason: ConfigRefusal | null = null
    for (const field of CONFIG_FIELDS) {
      const cloud = writerOf(proposed[field])
      const own = writers.get(field) ?? { who: WRITTEN_HERE, atMs: 0 }
      if (textOf(proposed, field) === localText(here, field)) {
        if (cloud.atMs > own.atMs) printers.writes.noteField(printerId, field, cloud)
        // It had won earlier: shown until the field is changed again.
        conflicts.push(...earlier.filter((one) => one.field === field && one.stands === 'cloud' && one.at === own.atMs))
        continue
      }
      if (own.atMs >= cloud.atMs) {
        conflicts.push(conflictOf(field, 'gateway', { proposed, here, cloud, own }))
        continue
      }
      const refusal = this.#refusalOf(field, proposed)
      const changed = refusal ? null : queue.updatePrinter(printerId, changeOf(field, proposed), cloud)
      if (changed?.ok) {
        if (!own.who.startsWith(CLOUD) && own.atMs > 0)
          conflicts.push(conflictOf(field, 'cloud', { proposed, here, cloud, own }))
      } else reason ??= refusal ?? 'name-taken'
    }
    return { id: proposed.id, printerId, state: reason === null ? 'applied' : 'refused', reason, conflicts }
  }

  #remove(
    { id, name }: CloudPrinter,
    here: PrinterRecord | null,
    removed: { at: number; by: string },
  ): ConfigPrinterReport {
    const { queue, printers } = this.#options
    const gone: ConfigPrinterReport = { id, printerId: null, state: 'removed', reason: null, conflicts: [] }
    if (!here) return gone
    const { printerId } = here
    const own = [...printers.writes.of(printerId).values()].filter(({ who }) => !who.startsWith(CLOUD))
    const later = own.find(({ atMs }) => atMs > removed.at)
    if (later) {
      const conflict: ConfigConflict = {
        ...{ field: 'removed', stands: 'gateway', value: here.name, by: later.who, at: later.atMs },
        ...{ lost: `take ${name.value} away`, lostBy: CLOUD + removed.by, lostAt: removed.at },
      }
      return { id, printerId, state: 'refused', reason: 'changed-on-the-box', conflicts: [conflict] }
    }
    const change = queue.removePrinter(printerId, { who: CLOUD + removed.by, atMs: removed.at })
    if (change.ok) return gone
    const reason = change.reason === 'printing' ? 'printing' : 'tickets-wait'
    return { id, printerId, state: 'refused', reason, conflicts: [] }
  }

  /** The result of the box's own rules. */
  #refusalOf(field: ConfigField, proposed: CloudPrinter): ConfigRefusal | null {
    if (field === 'profileId' && !PROFILES.some(({ id }) => id === proposed.profileId.value)) return 'unknown-profile'
    if (field !== 'address') return null
    const { interfaces, allowed } = this.#options
    return addressRefusal(proposed.address.value, { interfaces: interfaces(), allowed })
  }
}

interface Sides {
  proposed: CloudPrinter
  here: PrinterRecord
  cloud: PrinterWriter
  own: PrinterWriter
}

function conflictOf(
  field: ConfigField,
  stands: 'gateway' | 'cloud',
  { proposed, here, cloud, own }: Sides,
): ConfigConflict {
  const theirs = { text: textOf(proposed, field), ...cloud }
  const ours = { text: localText(here, field), ...own }
  const [won, lost] = stands === 'cloud' ? [theirs, ours] : [ours, theirs]
  return {
    ...{ field, stands, value: won.text, by: won.who, at: won.atMs },
    ...{ lost: lost.text, lostBy: lost.who, lostAt: lost.atMs },
  }
}

function writerOf({ by, at }: { by: string; at: number }): PrinterWriter {
  return { who: `${CLOUD}${by}`.slice(0, 64), atMs: at }
}

function latestOf(proposed: CloudPrinter): PrinterWriter {
  const writers = CONFIG_FIELDS.map((field) => writerOf(proposed[field]))
  return writers.reduce((latest, writer) => (writer.atMs > latest.atMs ? writer : latest))
}

function changeOf(field: ConfigField, proposed: CloudPrinter): PrinterUpdate {
  switch (field) {
    case 'name':
      return { name: proposed.name.value }
    case 'address':
      // Another device, until its hardware address is seen; what was tested was the old one.
      return { ...proposed.address.value, settings: { mac: null, testedAtMs: null } }
    case 'profileId':
      return { profileId: proposed.profileId.value }
    case 'stations':
      return { stations: proposed.stations.value }
  }
}
