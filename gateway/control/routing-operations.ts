// Routing rules, and where an order would go.
import type { z } from 'zod'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { toIso } from '#shared/clock.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import { fieldMessage } from '#shared/field-message.ts'
import { fieldRule } from '#shared/field-rule.ts'
import { kitchenOrder } from '#shared/order.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { type Readiness, whatIf } from '#shared/tickets/what-if.ts'
import { type JobDoc, jobDoc } from '#shared/wire/gateway-link.ts'
import type { PreviewAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { RecentOrder } from './station-answers.ts'

type Operations = Pick<
  ControlHandlers,
  'routing.get' | 'routing.put' | 'routing.what-if' | 'routing.recent' | 'routing.preview'
>

const MOST_RECENT = 40

export function routingOperations(context: ControlContext): Operations {
  const { routing, printers, queue, history, time } = context
  return {
    'routing.get': () => ({ rules: routing.rules() }),

    'routing.put': ({ rules }) => {
      refuseUnknownPrinters(context, rules)
      routing.save(rules)
      return { rules }
    },

    'routing.what-if': ({ order, ticketId, rules }) => {
      const doc = ticketId === undefined ? pastedDoc(order, time.now()) : storedDoc(context, ticketId)
      const { byPrinter } = history.counts()
      const readiness = new Map<string, Readiness>(
        queue.printers().map(({ printerId, state, reasons, ticketsGoTo }) => [
          printerId,
          {
            state,
            reasons,
            isPaused: printers.all().find((printer) => printer.printerId === printerId)?.settings.paused ?? false,
            waiting: byPrinter.get(printerId) ?? 0,
            ticketsGoTo,
          },
        ]),
      )
      return whatIf(doc, { routes: printers.all(), rules: rules ?? routing.rules(), readiness, nowMs: time.now() })
    },

    'routing.recent': () => recentOrders(context),

    'routing.preview': async ({ ticketId, rules, index }) => {
      const doc = storedDoc(context, ticketId)
      const part = routeJob(doc, printers.all(), { rules: rules ?? routing.rules() })[index]
      const printer = part && printers.find(part.printerId)
      if (!part || !printer) throw new ControlRefusal('not-found', `There is no ticket ${index} of this order.`)
      return await drawn(context, { doc, part, printer })
    },
  }
}

/** One of the tickets of each order, the newest order first. */
function recentOrders({ history }: ControlContext): RecentOrder[] {
  const byJob = new Map<string, RecentOrder>()
  for (const { jobId, ticketId, kind, orderNumber, receivedAtMs } of history.recent(200)) {
    if (kind !== 'order' || byJob.has(jobId) || byJob.size >= MOST_RECENT) continue
    byJob.set(jobId, { ticketId, number: orderNumber, receivedAt: toIso(receivedAtMs) })
  }
  return [...byJob.values()]
}

/** A ticket that was never made, as its printer would put it on paper now. */
async function drawn(
  { receiptLogo, raster, time }: ControlContext,
  { doc, part, printer }: { doc: JobDoc; part: TicketPart; printer: PrinterRecord },
): Promise<PreviewAnswer> {
  const profile = profileFor(printer.profileId, printer.settings)
  const logo = part.paper === 'receipt' ? await receiptLogo.bitmap(profile) : null
  const marks = { possibleDuplicate: false, lateSinceMs: null }
  const facts = { kind: doc.kind, printerName: printer.name, marks, ticketLabel: 'TRY', attempt: 1, nowMs: time.now() }
  const { bytes, unprintable } = await renderJobTicket({ doc, part, ...facts, ...(logo && { logo }) }, profile, raster)
  const { text, svg, operations, warnings } = previewOf(bytes, paperOptionsFor(profile))
  return { profileId: profile.id, text, svg, operations: [...operations], warnings: [...warnings], unprintable }
}

/** An order as the relay sends it, or a whole job document. Fields that routing does not need may be left out. */
function pastedDoc(pasted: unknown, nowMs: number): JobDoc {
  if (pasted === undefined) throw new ControlRefusal('invalid', 'order: must be an order, or give a ticketId instead')
  if (typeof pasted === 'object' && pasted !== null && 'kind' in pasted) return checked(jobDoc, pasted)
  const given = typeof pasted === 'object' && pasted !== null ? pasted : {}
  const order = {
    serviceOrderId: 'what-if',
    orderId: 'what-if',
    merchantId: '',
    locationId: '',
    source: '',
    queuedAtMs: nowMs,
    timeZone: 'UTC',
    ...given,
  }
  return { kind: 'order', order: checked(kitchenOrder, order) }
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: fieldMessage })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.slice(0, 20).map((issue) => {
    const rule = fieldRule(issue)
    return { field: `order.${issue.path.join('.')}`, message: issue.message, ...(rule && { rule }) }
  })
  throw new ControlRefusal('invalid', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors })
}

function storedDoc({ contents }: ControlContext, ticketId: string): JobDoc {
  const stored = contents.find(ticketId)
  const parsed = stored && jobDoc.safeParse(stored.content.doc)
  if (parsed?.success) return parsed.data
  throw new ControlRefusal('not-found', `There is no order behind ticket ${ticketId} any more.`, {
    said: { key: 'routing.order-gone' },
  })
}

/** A rule without a printer would be skipped silently. */
function refuseUnknownPrinters({ printers }: ControlContext, rules: readonly RoutingRule[]): void {
  const ids = new Set(printers.all().map(({ printerId }) => printerId))
  const errors = rules.flatMap(({ print }, rule) =>
    print.printerIds.flatMap((id, at) =>
      ids.has(id) ? [] : [{ field: `rules.${rule}.print.printerIds.${at}`, message: `${id} is no printer's id` }],
    ),
  )
  if (errors.length === 0) return
  const words = errors.map(({ field, message }) => `${field}: ${message}`)
  throw new ControlRefusal('invalid', `${words.join('; ')}. There are: ${[...ids].join(', ') || 'none'}.`, {
    errors,
    said: { key: 'routing.unknown-printer' },
  })
}
