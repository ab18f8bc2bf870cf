// Restores items when the time that they were silenced until has come.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { handedToStock, type Place, restored } from './item-state.ts'
import { loadItem, NOTHING_TOLD, saveItem, type Told, wakeTold } from './save-item.ts'
import type { SkuDeps } from './silence-sku.ts'

const SWEEP_MS = 500
/** Items restored in one pass, each in its own unit: a menu that comes back at once must not hold up orders. */
const PIECE = 50

export type RestoreDueDeps = SkuDeps & { db: RelayDatabase; merchants: MerchantStore; log: Logger }

export class RestoreDue extends Sweeps<RestoreDueDeps> {
  constructor(deps: RestoreDueDeps) {
    super(deps, { everyMs: SWEEP_MS, failed: 'items could not be restored; tried again' })
  }

  /** One pass: a piece of what is due. */
  override async sweep(): Promise<void> {
    const { catalog, clock } = this.deps
    for (const item of await catalog.due(clock.now(), PIECE)) {
      const told = await restoreItem(this.deps, item)
      wakeTold(this.deps, told)
    }
  }
}

/** One event for all channels of the item that are due together. An item that is out of stock stays silenced: now by its stock. */
async function restoreItem(
  deps: RestoreDueDeps,
  { merchant_id, ums_id }: Pick<CatalogItemsTable, 'merchant_id' | 'ums_id'>,
): Promise<Told> {
  const merchant = await deps.merchants.byKey(merchant_id)
  const nowMs = deps.clock.now()
  const isDue = (place: Place): boolean => place.until !== null && place.until <= nowMs
  return deps.db.unit(async (tx: Tx) => {
    const state = await loadItem(tx, deps, { merchant, umsId: ums_id })
    if (state === null) return NOTHING_TOLD
    if (state.row.stock === 0 && merchant.autoSilence) {
      const change = handedToStock(state, isDue)
      return (await saveItem(tx, deps, { merchant, change, events: [] })).told
    }
    const change = restored(state, isDue)
    if (change.channels.length === 0) return NOTHING_TOLD
    const data = { channels: change.channels, cause: 'schedule' as const }
    return (await saveItem(tx, deps, { merchant, change, events: [{ type: 'sku.restored', data }] })).told
  })
}
