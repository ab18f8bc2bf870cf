// Tenth schema of the relay: orders end, and what is looked for is found without reading what is done. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

const STATEMENTS: readonly string[] = [
  `create table spent_order_ids (account_id text not null, merchant_id text not null, client_order_id text not null, order_id text not null,
    primary key (account_id, merchant_id, client_order_id)) without rowid`,
  `create table order_exports (month text primary key, part integer not null, bytes bigint not null) without rowid`,
  // Without it the foreign key of each order that goes would read all dispatches. It also serves what the two that go were for.
  `create index dispatches_order on dispatches (order_id) where order_id is not null`,
  `drop index dispatches_reprints`,
  `drop index dispatches_fires`,
  // A job that waits for its day is not read by those that look for one that may go now.
  `drop index dispatches_queue`,
  `create index dispatches_queue on dispatches (location_id, available_at) where state = 'queued'`,
  // Only what is still to do: an order leaves it when its customer is blanked.
  `create index orders_customer on orders (id) where instr(body, '"customer":') > 0`,
  // Only what is in flight: a start gives these back, and reads none of those that wait.
  `create index deliveries_leased on deliveries (ordinal) where lease_until is not null`,
  `create index pos_outbox_leased on pos_outbox (ordinal) where lease_until is not null`,
]

export const up = runs(STATEMENTS)
