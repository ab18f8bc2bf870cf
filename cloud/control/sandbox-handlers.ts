// The sandbox: its merchants as they are, the paper of the simulated kitchen, its orders' time, and putting a test merchant back.
import { columnsOfItem } from '#cloud/catalog/menu-item.ts'
import { restoreSku, setStock } from '#cloud/catalog/silence-sku.ts'
import { bringForward } from '#cloud/orders/bring-forward.ts'
import {
  FAULT_MERCHANTS,
  FIXTURE_MERCHANTS,
  type FixtureMerchant,
  simulatedProfileId,
} from '#cloud/sandbox/fixture-merchants.ts'
import { addFixtures } from '#cloud/sandbox/fixtures.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { isoOrNull } from '#shared/clock.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { drawnTicket } from './order-drawing.ts'
import type { SANDBOX_OPERATIONS, SandboxMerchantAnswer } from './sandbox-list.ts'

const PAGE = 8
const MINUTE_MS = 60_000
/** Of a week; what is older than that is thrown away anyway. */
const MOST_TICKETS = 5_000

export const SANDBOX_HANDLERS: Pick<Handlers, keyof typeof SANDBOX_OPERATIONS> = {
  'sandbox.merchants': async (context, doing) => {
    const accountId = accountOf(doing)
    const found = await Promise.all(
      FIXTURE_MERCHANTS.map(async (fixture) => {
        const merchant = await context.merchants.find(accountId, fixture.merchantId)
        return merchant === null ? [] : [await merchantAnswer(context, merchant, fixture)]
      }),
    )
    return found.flat()
  },

  'sandbox.paper': async ({ sandboxTickets }, doing, { cursor }) => {
    const merchant = merchantOf(doing)
    const of = [merchant.accountId, merchant.key]
    const cursors = new ListCursors({ list: 'paper of the sandbox', of, filters: {} })
    const found = await sandboxTickets.newest(merchant, { after: cursors.decode(cursor), limit: PAGE + 1 })
    const { rows, nextCursor } = cursors.page(found, PAGE, ({ printed_at: at, ticket_id: id }) => ({ at, id }))
    return { tickets: rows.map((row) => ({ ...drawnTicket(row), serviceOrderId: row.order_id })), nextCursor }
  },

  'sandbox.clock': async (context, doing, { minutes }) => {
    const merchant = merchantOf(doing)
    const { secretBox } = context
    if (secretBox === null)
      throw new ControlRefusal('refused', 'Set CLOUD_MASTER_KEY: the kitchen jobs of these orders are sealed with it.')
    const { answer, wake } = await bringForward(
      doing.tx,
      { ...context, secretBox },
      { merchant, byMs: minutes * MINUTE_MS },
    )
    const { nextFireMs, ...counts } = answer
    return {
      answer: { ...counts, nextFireAt: isoOrNull(nextFireMs) },
      ...(wake && { wake }),
      audit: {
        ...{ accountId: merchant.accountId, action: 'sandbox.clock', subject: merchant.publicId },
        after: { minutes, moved: counts.moved },
      },
    }
  },

  'sandbox.reset': async (context, doing) => {
    const merchant = merchantOf(doing)
    const fixture = FIXTURE_MERCHANTS.find(({ merchantId }) => merchantId === merchant.publicId)
    if (fixture === undefined)
      throw new ControlRefusal('refused', `${merchant.publicId} is no test merchant of the sandbox.`)
    await addFixtures(doing.tx, context, merchant.accountId)
    const { items, wakes } = await resetMenu(doing.tx, context, { merchant, fixture })
    const tickets = await context.sandboxTickets.clear(doing.tx, merchant, MOST_TICKETS)
    return {
      answer: { items, tickets },
      wake: () => {
        for (const wake of wakes) wake()
      },
      audit: {
        ...{ accountId: merchant.accountId, action: 'sandbox.reset', subject: merchant.publicId },
        after: { items, tickets },
      },
    }
  },
}

async function merchantAnswer(
  { printJobs, locations, channels }: ControlContext,
  merchant: MerchantRecord,
  { merchantId }: FixtureMerchant,
): Promise<SandboxMerchantAnswer> {
  const kitchens = await printJobs.kitchens(merchant.key)
  const places = await locations.ofMerchant(merchant.key)
  return {
    merchantId,
    name: merchant.name,
    timeZone: merchant.timeZone,
    prepMinutes: merchant.prepMinutes,
    channels: (await channels.list(merchant.key)).length,
    fault: faultOf(merchantId),
    locations: places.map(({ id, name, kitchen }) => {
      const here = kitchens.filter(({ locationId }) => locationId === id)
      const main = here.find(({ presence }) => presence === 'online') ?? here[0]
      return {
        locationId: id,
        name,
        kitchen,
        presence: main?.presence ?? 'unknown',
        printers: (main?.printers ?? []).map(({ printerId, name: printer, stations }) => ({
          name: printer,
          stations: [...stations],
          columns: profileById(simulatedProfileId(printerId)).columns,
        })),
      }
    }),
  }
}

function faultOf(merchantId: string): SandboxMerchantAnswer['fault'] {
  switch (merchantId) {
    case FAULT_MERCHANTS.slow:
      return 'slow'
    case FAULT_MERCHANTS.flaky:
      return 'flaky'
    case FAULT_MERCHANTS.printerOffline:
      return 'printer-offline'
    default:
      return null
  }
}

/** @returns how many items were not as they are sold at first */
async function resetMenu(
  tx: Tx,
  context: ControlContext,
  { merchant, fixture }: { merchant: MerchantRecord; fixture: FixtureMerchant },
): Promise<{ items: number; wakes: (() => void)[] }> {
  const wakes: (() => void)[] = []
  let items = 0
  for (const item of fixture.menu) {
    const { umsId } = item
    const before = await context.catalog.item(tx, merchant.key, umsId)
    const first = columnsOfItem(item)
    const isOther = (Object.keys(first) as (keyof typeof first)[]).some((column) => before?.[column] !== first[column])
    if (isOther) await context.catalog.update(tx, { merchant_id: merchant.key, ums_id: umsId }, first)
    const effects = [
      ...(before?.stock === null ? [] : [await setStock(tx, context, { merchant, umsId, quantity: null })]),
      await restoreSku(tx, context, { merchant, umsId }),
    ]
    for (const { wake } of effects) if (wake) wakes.push(wake)
    const after = await context.catalog.item(tx, merchant.key, umsId)
    if (JSON.stringify(after) !== JSON.stringify(before)) items += 1
  }
  return { items, wakes }
}
