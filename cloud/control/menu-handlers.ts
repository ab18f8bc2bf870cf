// The menu: what is sold, and where; a whole menu from a file, with what it would change first.
import { listSkus } from '#cloud/catalog/list-skus.ts'
import { columnsOfItem, type MenuItem, menuItemOf } from '#cloud/catalog/menu-item.ts'
import { restoreSku, setStock, silenceSku } from '#cloud/catalog/silence-sku.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { toIso } from '#shared/clock.ts'
import { nextTimeOfDay } from '#shared/time-zones.ts'
import type { SkuResource } from '#shared/wire/api/catalog.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type Changed, type Handlers, merchantOf } from './handler.ts'
import { slicesOf } from './list-slices.ts'
import { basisOf, menuDiff } from './menu-diff.ts'
import type { MENU_OPERATIONS } from './menu-list.ts'
import { menuWarnings } from './menu-warnings.ts'
import { parseItems } from './parse-items.ts'
import { refuseStale } from './stale.ts'

const ROWS_AT_ONCE = 200
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** When the day of a restaurant ends, by its own clock: many still serve at midnight. */
const DAY_ENDS = '04:00'

export const MENU_HANDLERS: Pick<Handlers, keyof typeof MENU_OPERATIONS> = {
  'menu.list': (context, doing, { merchantId: _, ...query }) =>
    listSkus(context, merchantOf(doing), { ...query, order: 'menu' }),

  'sku.silence': async (context, doing, { umsId, lasts, ...body }) => {
    const merchant = merchantOf(doing)
    const until = lasts === undefined ? body.until : untilOf(merchant, { lasts, given: body.until }, context)
    const { channels, reason } = body
    const wanted = {
      ...(channels === undefined ? {} : { channels }),
      ...(until === undefined ? {} : { until }),
      ...(reason === undefined ? {} : { reason }),
    }
    const effect = await silenceSku(doing.tx, context, { merchant, umsId, ...wanted })
    return told(effect, merchant, { action: 'sku.silence', after: { umsId, ...wanted } })
  },

  'sku.restore': async (context, doing, { umsId, channels }) => {
    const merchant = merchantOf(doing)
    const wanted = channels === undefined ? {} : { channels }
    const effect = await restoreSku(doing.tx, context, { merchant, umsId, ...wanted })
    return told(effect, merchant, { action: 'sku.restore', after: { umsId, ...wanted } })
  },

  'sku.stock': async (context, doing, { umsId, quantity, lowThreshold }) => {
    const merchant = merchantOf(doing)
    const wanted = lowThreshold === undefined ? { quantity } : { quantity, lowThreshold }
    const effect = await setStock(doing.tx, context, { merchant, umsId, ...wanted })
    return told(effect, merchant, { action: 'sku.stock', after: { umsId, ...wanted } })
  },

  'menu.import': {
    // In pieces, each a unit of its own: a running relay waits for each, with everything that it does.
    alone: async (context, doing, { content, dryRun, seen }) => {
      const merchant = merchantOf(doing)
      const items = await parseItems(content)
      const present = await presentOf(context, merchant, items)
      const basis = await basisOf(items, present)
      refuseStale({ basis }, seen)
      const diff = await menuDiff(items, present)
      if (!dryRun) await putAll(context, merchant, items)
      if (!dryRun)
        await context.db.unit((tx) =>
          audited(tx, context, {
            act: doing,
            accountId: merchant.ownerAccountId,
            action: 'items.import',
            subject: merchant.key,
            after: { items: items.length, added: diff.added, changed: diff.changed },
          }),
        )
      return { done: !dryRun, items: items.length, diff, basis, warnings: await menuWarnings(items) }
    },
  },
}

function untilOf(
  merchant: MerchantRecord,
  { lasts, given }: { lasts: 'today' | number; given: string | undefined },
  { clock }: ControlContext,
): string {
  if (given !== undefined) {
    const message = 'must be absent beside until'
    throw new ControlRefusal('invalid', `lasts: ${message}`, { errors: [{ field: 'lasts', message }] })
  }
  const nowMs = clock.now()
  return toIso(lasts === 'today' ? endOfDay(nowMs, merchant.timeZone) : nowMs + lasts * MINUTE_MS)
}

/** The next one after this instant, epoch ms; in a night in which the clock jumps over it, a day later. @param timeZone IANA */
export function endOfDay(nowMs: number, timeZone: string): number {
  return nextTimeOfDay(nowMs, DAY_ENDS, timeZone) ?? nowMs + DAY_MS
}

function told(
  { answer, wake }: Effect<SkuResource>,
  merchant: MerchantRecord,
  { action, after }: { action: AuditAction; after: unknown },
): Changed<SkuResource> {
  return {
    answer,
    audit: { accountId: merchant.ownerAccountId, action, subject: merchant.key, after },
    ...(wake === undefined ? {} : { wake }),
  }
}

async function presentOf(
  { catalog }: ControlContext,
  merchant: MerchantRecord,
  items: readonly MenuItem[],
): Promise<Map<string, MenuItem>> {
  const present = new Map<string, MenuItem>()
  for await (const slice of slicesOf(items, ROWS_AT_ONCE)) {
    const ids = new Set(slice.map(({ umsId }) => umsId))
    for (const row of (await catalog.find(merchant.key, ids)).values()) present.set(row.ums_id, menuItemOf(row))
  }
  return present
}

async function putAll(
  { db, catalog }: ControlContext,
  merchant: MerchantRecord,
  items: readonly MenuItem[],
): Promise<void> {
  for await (const slice of slicesOf(items, ROWS_AT_ONCE)) {
    const rows = slice.map((item) => ({ merchant_id: merchant.key, ums_id: item.umsId, ...columnsOfItem(item) }))
    await db.unit((tx) => catalog.put(tx, rows))
  }
}
