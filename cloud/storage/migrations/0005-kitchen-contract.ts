// Fifth schema of the relay: which courses of an order were fired, and the currency of each merchant. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

const STATEMENTS: readonly string[] = [
  `alter table orders add column fired_courses text`,
  `alter table merchants add column currency text not null default 'USD'`,
  `create index dispatches_fires on dispatches (order_id) where kind = 'fire'`,
]

export const up = runs(STATEMENTS)
