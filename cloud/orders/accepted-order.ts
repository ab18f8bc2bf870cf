// The row of an order that was just accepted.
import type { OrdersTable } from '#cloud/storage/schema.ts'

/** @param printJobId null: nothing is printed. `isDue`: the kitchen gets it now, and not at its `fireAt` */
export function acceptedState(printJobId: OrdersTable['print_job_id'], isDue: boolean) {
  return {
    status: 'accepted',
    sequence: 1,
    refunded_cents: 0,
    print: printJobId === null ? 0 : 1,
    print_job_id: printJobId,
    print_state: printJobId === null ? 'none' : isDue ? 'pending' : 'scheduled',
    print_facts: null,
    shown_on: null,
    came_by: null,
    fired_courses: null,
    printed_at: null,
    ready_at: null,
    completed_at: null,
    voided_at: null,
    void_reason: null,
  } satisfies Partial<OrdersTable>
}
