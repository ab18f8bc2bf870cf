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
