// How much each account stores, whichever engine keeps it: what is counted, and how it is added up.

/** An account in one environment. Bytes are those of texts and tickets; indexes and what pages leave free come on top. */
export interface StoredByAccount {
  accountId: string
  /** Null: the account is gone. */
  name: string | null
  environment: 'sandbox' | 'live'
  orders: number
  bytes: number
  /** Of the last 24 hours. */
  ordersOfDay: number
  bytesOfDay: number
}

export interface Source {
  table: 'orders' | 'dispatches' | 'events' | 'sandbox_tickets'
  /** Columns that hold text of the client or what is made of it. */
  texts: readonly string[]
  atMs: string
  /** For rows without their own account: the tables that have it, and how. */
  joins?: string
  account?: string
  merchant?: string
}

/** Sizes are in the heads of the rows: their texts are not read. */
export const SOURCES: readonly Source[] = [
  { table: 'orders', texts: ['body', 'result', 'item_names', 'print_facts'], atMs: 'queued_at' },
  {
    table: 'dispatches',
    texts: ['doc', 'evidence'],
    atMs: 'created_at',
    joins: `join locations l on l.id = t.location_id join merchants m on m.id = l.merchant_id
      left join orders o on o.id = t.order_id`,
    account: 'coalesce(o.account_id, m.account_id)',
    merchant: 'm.id',
  },
  { table: 'events', texts: ['payload'], atMs: 'created_at' },
  { table: 'sandbox_tickets', texts: ['bytes', 'text'], atMs: 'printed_at' },
]

export const DAY_MS = 86_400_000

/** The rows of one table by account and merchant; the same pair may come several times. */
export interface Sums {
  account: string
  merchant: string
  rows: number
  bytes: number
  rowsOfDay: number
  bytesOfDay: number
}

export class StorageReport {
  readonly #accounts = new Map<string, StoredByAccount>()
  readonly #names: ReadonlyMap<string, string>
  readonly #environments: ReadonlyMap<string, 'sandbox' | 'live'>

  /** @param known names of accounts and environments of merchants, by their ids */
  constructor(known: { names: [string, string][]; environments: [string, 'sandbox' | 'live'][] }) {
    this.#names = new Map(known.names)
    this.#environments = new Map(known.environments)
  }

  add({ table }: Source, { account: accountId, merchant, ...sums }: Sums): void {
    const environment = this.#environments.get(merchant) ?? 'sandbox'
    const key = `${accountId}/${environment}`
    const nothing = { orders: 0, bytes: 0, ordersOfDay: 0, bytesOfDay: 0 }
    const name = this.#names.get(accountId) ?? null
    const stored = this.#accounts.get(key) ?? { accountId, name, environment, ...nothing }
    this.#accounts.set(key, stored)
    stored.bytes += sums.bytes
    stored.bytesOfDay += sums.bytesOfDay
    if (table !== 'orders') return
    stored.orders += sums.rows
    stored.ordersOfDay += sums.rowsOfDay
  }

  /** Most bytes first. */
  get rows(): StoredByAccount[] {
    return [...this.#accounts.values()].sort((a, b) => b.bytes - a.bytes)
  }
}
