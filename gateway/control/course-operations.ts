// Held courses, for firing without a display.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { BoardOrder, FireOutcome, FireRefusal, HeldCourse } from '#shared/wire/kitchen.ts'
import { heldCourses } from '#shared/wire/kitchen-acts.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

export function courseOperations({ kitchen }: ControlContext): Pick<ControlHandlers, 'courses.list' | 'courses.fire'> {
  return {
    'courses.list': async () => held(await kitchen.orders()),

    'courses.fire': async ({ order, course }) => {
      const orders = await kitchen.orders()
      const found = orders.filter(({ orderId, number, clientOrderId }) =>
        [orderId, number, clientOrderId].includes(order),
      )
      const [one] = found
      if (one === undefined || found.length > 1) throw refused(one === undefined ? 'unknown-order' : 'several-orders')
      const outcome = fired(kitchen, one.orderId, course)
      if (outcome !== 'done' && outcome !== 'already') throw refused(outcome)
      return { order: one.number, course, outcome }
    },
  }
}

function held(orders: readonly BoardOrder[]): HeldCourse[] {
  return orders.flatMap((order) =>
    order.voidedAtMs !== null || order.isScheduled
      ? []
      : heldCourses(order).map(({ course }) => ({
          orderId: order.orderId,
          number: order.number,
          course,
          items: order.lines.filter((line) => line.course === course).map(({ qty, name }) => `${qty} ${name}`),
        })),
  )
}

function fired(kitchen: ControlContext['kitchen'], orderId: string, course: number): FireOutcome {
  try {
    return kitchen.fire(orderId, course)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new ControlRefusal('refused', 'The disk of the box is full: repairs say what to do. Then try again.', {
      said: { key: 'box.disk-full' },
    })
  }
}

type Refusal = FireRefusal | 'several-orders'

const WORDS: Readonly<Record<Refusal, string>> = {
  'unknown-order': 'The kitchen has no such open order.',
  'several-orders': 'More than one open order has this number: name it by its whole id.',
  'unknown-course': 'The order has no such later course: its first course is made at once.',
  voided: 'The order was called off.',
  scheduled: 'The order waits for its own time.',
}

function refused(reason: Refusal): ControlRefusal {
  const isUnknown = reason === 'unknown-order'
  return new ControlRefusal(isUnknown ? 'not-found' : 'refused', WORDS[reason], { said: { key: `course.${reason}` } })
}
