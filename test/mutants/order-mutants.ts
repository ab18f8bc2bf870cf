// Planted faults of orders as people look for them, and of the manager's report.
import { type Mutant, unit } from './mutant.ts'

export const ORDER_MUTANTS: readonly Mutant[] = [
  {
    name: 'orders-search-finds-a-whole-name',
    file: 'gateway/storage/order-words.ts',
    original: "maskedGuest(customer?.name ?? '')]",
    replacement: "customer?.name ?? '']",
    harm: 'Whoever looks for a family name learns which guest ordered what.',
    tests: unit('gateway/storage/order-words.test.ts'),
  },
  {
    name: 'orders-search-stops-at-a-full-page',
    file: 'gateway/control/order-search.ts',
    original: 'if (found.length === wanted) return { orders: found, next: row.position }',
    replacement: 'if (found.length === wanted) return { orders: found, next: null }',
    harm: 'Of a long list only the first page is ever shown.',
    tests: unit('gateway/control/order-operations.test.ts'),
  },
  {
    name: 'orders-a-late-copy-is-lost',
    file: 'gateway/control/order-search.ts',
    original: 'return last !== undefined && last.receivedAtMs <= untilMs',
    replacement: 'return last !== undefined && last.receivedAtMs > untilMs',
    harm: 'On a busy day nobody learns that an order was printed once more, and it is made twice.',
    tests: unit('gateway/control/order-operations.test.ts'),
  },
  {
    name: 'orders-printed-with-a-ticket-in-trouble',
    file: 'gateway/control/order-search.ts',
    original: 'tickets.printed > 0 && tickets.waiting + tickets.trouble === 0',
    replacement: 'tickets.printed > 0 && tickets.waiting === 0',
    harm: 'An order of which the fryer never got its ticket stands among those that are printed.',
    tests: unit('gateway/control/order-operations.test.ts'),
  },
  {
    name: 'report-counts-twice',
    file: 'gateway/orders/report-keeper.ts',
    original: 'const next: Counted = { ...counted, ...orders.last, ...prints.last }',
    replacement: 'const next: Counted = { ...counted, ...orders.last }',
    harm: 'A printer seems to have printed several times what it has.',
    tests: unit('gateway/orders/report-keeper.test.ts'),
  },
  {
    name: 'report-formula-in-a-spreadsheet',
    file: 'gateway/control/report-csv.ts',
    original: 'const text = FORMULA.test(cell) ?',
    replacement: 'const text = FORMULA.test(cell) && cell.length > 500 ?',
    harm: "A station's name runs as a formula on the manager's computer.",
    tests: unit('gateway/control/report-csv.test.ts'),
  },
]
