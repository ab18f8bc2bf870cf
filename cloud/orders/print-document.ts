// The document of a print job of the API: the client's text or content for a note, a receipt or a label, or an order's tickets again.
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { EpochMs } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { KitchenOrder } from '#shared/order.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import type { SubmitPrintJob } from '#shared/wire/api/printing.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { type ContentLine, PRINT_CONTENT_LIMITS, type PrintTarget } from '#shared/wire/print-doc.ts'
import { addOnNumber } from './add-on.ts'
import { kitchenOrder } from './kitchen-order.ts'
import { idsOf } from './modifiers.ts'

/** A line of text in the link's document holds this much. */
const LINE_CHARACTERS = 500
const KINDS = { kitchen: 'note', receipt: 'receipt', label: 'label' } as const

/** What the client laid out, for that location. @throws ServiceError request.invalid (422): more lines than a print job may have */
export function clientDocument(
  merchant: MerchantRecord,
  body: SubmitPrintJob,
  at: { locationId: LocationId; target: PrintTarget; nowMs: EpochMs },
): JobDoc {
  return {
    kind: KINDS[body.type],
    print: {
      merchantId: merchant.publicId,
      locationId: at.locationId,
      title: body.title ?? null,
      content: [...headOf(body), ...(body.content ?? linesOf(body.text ?? ''))],
      target: at.target,
      queuedAtMs: at.nowMs,
      timeZone: merchant.timeZone,
    },
  }
}

/** The order as its own job carries it; one that was injected without print is put together from the catalog of today. */
export async function orderAgain(
  tx: Tx,
  deps: { printJobs: PrintJobStore; catalog: CatalogStore; orders: OrderStore },
  { merchant, order }: { merchant: MerchantRecord; order: OrdersTable },
): Promise<KitchenOrder> {
  const own = order.print_job_id === null ? null : await deps.printJobs.find(merchant, order.print_job_id, tx)
  const doc = own === null ? null : (JSON.parse(own.doc) as JobDoc)
  if (doc?.kind === 'order') return { ...doc.order, posOrderId: order.pos_order_id }
  const body = JSON.parse(order.body) as InjectOrder
  const plan = {
    locationId: order.location_id,
    catalog: await deps.catalog.find(merchant.key, idsOf(body.items)),
    totalCents: cents(order.total_cents),
    addOnTo: await addOnNumber(deps.orders, merchant, { addOnTo: body.addOnTo, on: tx }),
    queuedAtMs: order.queued_at,
    fireAtMs: order.fire_at,
    estimatedReadyAtMs: order.estimated_ready_at,
  }
  return kitchenOrder({ serviceOrderId: order.id, posOrderId: order.pos_order_id }, merchant, { body, plan })
}

/** As lines of the content: a gateway of any age prints them. */
function headOf({ orderType, table, server, allergens = [] }: SubmitPrintJob): ContentLine[] {
  const place = [orderType?.toUpperCase(), table && `TABLE ${table}`, server && `SERVER ${server}`].filter(Boolean)
  const large = { type: 'text', size: 'large', bold: true } as const
  return [
    ...(place.length === 0 ? [] : [{ ...large, text: place.join('  ') }]),
    ...allergens.map((text) => ({ ...large, text: `!! ALLERGY: ${text} !!` })),
  ]
}

function linesOf(text: string): ContentLine[] {
  const lines = text.split('\n').flatMap((line) => pieces(line))
  if (lines.length <= PRINT_CONTENT_LIMITS.lines) return lines.map((line) => ({ type: 'text', text: line }))
  throw new ServiceError('request.invalid', {
    errors: [{ field: 'text', message: `must not have more than ${PRINT_CONTENT_LIMITS.lines} lines` }],
  })
}

/** A longer line in pieces that break between words, as paper breaks it. */
function pieces(line: string): string[] {
  const out: string[] = []
  let rest = line
  while (rest.length > LINE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', LINE_CHARACTERS)
    const end = space > 0 ? space : LINE_CHARACTERS - (isHalf(rest, LINE_CHARACTERS) ? 1 : 0)
    out.push(rest.slice(0, end))
    rest = rest.slice(space > 0 ? end + 1 : end)
  }
  return [...out, rest]
}

/** Whether a cut at `at` would part the two halves of a character. */
function isHalf(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}
