// The test order: made by a click, and then how far it has come, on paper and on the screens.
import { isDiskFull } from '#gateway/storage/database.ts'
import { toIso } from '#shared/clock.ts'
import type { TestOrderAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { iso, ticketOf } from './job-operations.ts'

export function testOrderOperations(context: ControlContext): Pick<ControlHandlers, 'orders.test' | 'orders.progress'> {
  return {
    'orders.test': () => progressOf(context, placed(context)),
    'orders.progress': ({ printJobId }) => progressOf(context, printJobId),
  }
}

function placed({ testOrders }: ControlContext): string {
  try {
    return testOrders.place()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new ControlRefusal('refused', 'The disk of the box is full: repairs say what to do. Then try again.')
  }
}

async function progressOf({ history, kitchen }: ControlContext, printJobId: string): Promise<TestOrderAnswer> {
  const order = history.testOrder(printJobId)
  if (!order)
    throw new ControlRefusal('not-found', `There is no test order ${printJobId}, or it is too old: send another one.`)
  const { number, receivedAtMs, serviceOrderId, tickets } = order
  // The screens let it go after a while.
  const standing = await kitchen.standingOf(serviceOrderId)
  return {
    printJobId,
    number,
    receivedAt: toIso(receivedAtMs),
    tickets: tickets.map((ticket) => {
      const isPrinted = ticket.state === 'printed' && ticket.settledAtMs !== null
      return { ...ticketOf(ticket), printedAfterMs: isPrinted ? (ticket.settledAtMs ?? 0) - receivedAtMs : null }
    }),
    displays: standing?.displays ?? [],
    readyAt: iso(standing?.readyAtMs ?? null),
    pickedUpAt: iso(standing?.pickedUpAtMs ?? null),
  }
}
