// Routing rules, and where an order would go.
import type { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { kitchenOrder } from '#shared/order.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { type Readiness, whatIf } from '#shared/tickets/what-if.ts'
import { type JobDoc, jobDoc } from '#shared/wire/gateway-link.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

type Operations = Pick<ControlHandlers, 'routing.get' | 'routing.put' | 'routing.what-if'>

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
        queue.printers().map(({ printerId, state, reasons }) => [
          printerId,
          {
            state,
            reasons,
            isPaused: printers.all().find((printer) => printer.printerId === printerId)?.settings.paused ?? false,
            waiting: byPrinter.get(printerId) ?? 0,
          },
        ]),
      )
      return whatIf(doc, printers.all(), rules ?? routing.rules(), readiness, time.now())
    },
  }
}

/** An order as the relay sends it, or a whole job document. What tells no routing may be left out. */
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
  const errors = parsed.error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ field: `order.${path.join('.')}`, message }))
  throw new ControlRefusal('invalid', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), errors)
}

function storedDoc({ contents }: ControlContext, ticketId: string): JobDoc {
  const stored = contents.find(ticketId)
  const parsed = stored && jobDoc.safeParse(stored.content.doc)
  if (parsed?.success) return parsed.data
  throw new ControlRefusal('not-found', `There is no order behind ticket ${ticketId} any more.`)
}

/** A rule that names nobody would be passed over in silence. */
function refuseUnknownPrinters({ printers }: ControlContext, rules: readonly RoutingRule[]): void {
  const ids = new Set(printers.all().map(({ printerId }) => printerId))
  const errors = rules.flatMap(({ print }, rule) =>
    print.printerIds.flatMap((id, at) =>
      ids.has(id) ? [] : [{ field: `rules.${rule}.print.printerIds.${at}`, message: `${id} is no printer's id` }],
    ),
  )
  if (errors.length === 0) return
  const words = errors.map(({ field, message }) => `${field}: ${message}`)
  throw new ControlRefusal('invalid', `${words.join('; ')}. There are: ${[...ids].join(', ') || 'none'}.`, errors)
}
