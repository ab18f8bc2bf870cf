// Printers that the cloud proposes to a gateway: add, change, remove. Each change makes a new version of the gateway's document.
//
// Each field has its author and time. The gateway takes it unless the same field was changed there later.

import type { Tx } from '#cloud/storage/database.ts'
import type { GatewayConfig, GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { Clock } from '#shared/clock.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import { type CloudPrinterId, type GatewayId, newId } from '#shared/ids.ts'
import {
  type CloudPrinter,
  CONFIG_MAX_BYTES,
  CONFIG_MAX_PRINTERS,
  type ConfigValues,
} from '#shared/wire/gateway-config.ts'

export interface ConfigDeps {
  configs: GatewayConfigStore
  clock: Clock
}

/** The author of the change, for people: `operator`, or a name. */
export interface ConfigWriter {
  gatewayId: GatewayId
  by: string
}

export type ConfigChange =
  | { ok: true; ver: number; printer: CloudPrinter }
  | { ok: false; reason: 'unknown-printer' | 'name-taken' | 'too-many' | 'too-large' }

/** Proposes a printer. */
export function addPrinter(
  tx: Tx,
  deps: ConfigDeps,
  { writer, values }: { writer: ConfigWriter; values: ConfigValues },
): Promise<ConfigChange> {
  return change(tx, deps, {
    writer,
    edit: (printers, written) => {
      if (printers.some(({ name, removed }) => removed === null && name.value === values.name)) return 'name-taken'
      if (printers.length >= CONFIG_MAX_PRINTERS) return 'too-many'
      const id: CloudPrinterId = newId('cp', deps.clock.now())
      return {
        id,
        name: written(values.name),
        address: written(values.address),
        profileId: written(values.profileId),
        stations: written(values.stations),
        removed: null,
      }
    },
  })
}

/** Writes the fields that are given; what is absent stays, also as it was written. */
export function updatePrinter(
  tx: Tx,
  deps: ConfigDeps,
  { writer, values }: { writer: ConfigWriter & { id: string }; values: Partial<ConfigValues> },
): Promise<ConfigChange> {
  return change(tx, deps, {
    writer,
    edit: (printers, written) => {
      const old = printers.find(({ id, removed }) => id === writer.id && removed === null)
      if (!old) return 'unknown-printer'
      if (printers.some(({ id, name, removed }) => id !== old.id && removed === null && name.value === values.name))
        return 'name-taken'
      return {
        ...old,
        ...(values.name === undefined ? {} : { name: written(values.name) }),
        ...(values.address === undefined ? {} : { address: written(values.address) }),
        ...(values.profileId === undefined ? {} : { profileId: written(values.profileId) }),
        ...(values.stations === undefined ? {} : { stations: written(values.stations) }),
      }
    },
  })
}

/** Takes it away. The gateway does so once no ticket waits for it. */
export function removePrinter(tx: Tx, deps: ConfigDeps, writer: ConfigWriter & { id: string }): Promise<ConfigChange> {
  return change(tx, deps, {
    writer,
    edit: (printers) => {
      const old = printers.find(({ id, removed }) => id === writer.id && removed === null)
      return old ? { ...old, removed: { at: deps.clock.now(), by: writer.by } } : 'unknown-printer'
    },
  })
}

type Written = <T>(value: T) => { value: T; at: number; by: string }

async function change(
  tx: Tx,
  { configs, clock }: ConfigDeps,
  {
    writer: { gatewayId, by },
    edit,
  }: {
    writer: ConfigWriter
    edit: (
      printers: readonly CloudPrinter[],
      written: Written,
    ) => CloudPrinter | (ConfigChange & { ok: false })['reason']
  },
): Promise<ConfigChange> {
  await holdRow(tx, 'gateways', gatewayId)
  const before = await configs.find(gatewayId, tx)
  const nowMs = clock.now()
  const printers = withoutGone(before)
  const edited = edit(printers, (value) => ({ value, at: nowMs, by }))
  if (typeof edited === 'string') return { ok: false, reason: edited }
  const next = [...printers.filter(({ id }) => id !== edited.id), edited]
  const text = JSON.stringify({ printers: next })
  if (Buffer.byteLength(text) > CONFIG_MAX_BYTES) return { ok: false, reason: 'too-large' }
  const ver = (before?.ver ?? 0) + 1
  await configs.put(tx, { gatewayId, ver, text, sha256: sha256Hex(text), nowMs, by })
  return { ok: true, ver, printer: edited }
}

/** Removed ones stay until the gateway has confirmed the removal. */
function withoutGone(config: GatewayConfig | null): CloudPrinter[] {
  const gone = new Set(config?.answer?.printers.filter(({ state }) => state === 'removed').map(({ id }) => id))
  return (config?.doc.printers ?? []).filter(({ id, removed }) => removed === null || !gone.has(id))
}
