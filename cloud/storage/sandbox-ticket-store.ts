// The paper of simulated kitchens. Every read is narrowed by the account that ordered it and by its merchant.
import { sql } from 'kysely'
import type { AccountId, MerchantKey, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import type { Cursor } from './cursor.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { SandboxTicketsTable } from './schema.ts'

/** The owner of the requested paper. */
export interface TicketOwner {
  accountId: AccountId
  key: MerchantKey
}

export class SandboxTicketStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Keeps tickets; one that is known stays as it is. */
  async insert(tx: Tx, rows: readonly SandboxTicketsTable[]): Promise<void> {
    if (rows.length === 0) return
    await tx
      .insertInto('sandbox_tickets')
      .values(rows)
      .onConflict((conflict) => conflict.column('ticket_id').doNothing())
      .execute()
  }

  /** Tickets of a print job in the order in which they were printed; empty also for a job of others. */
  async ofJob(owner: TicketOwner, printJobId: PrintJobId): Promise<SandboxTicketsTable[]> {
    return this.#of(owner, printJobId).orderBy('printed_at').orderBy('ticket_id').execute()
  }

  /** Printers that have a VOID slip of this order. */
  async voidedAt(orderId: ServiceOrderId): Promise<string[]> {
    const rows = await this.#db.read
      .selectFrom('sandbox_tickets')
      .select('printer_id')
      .where('kind', '=', 'void')
      .where('print_job_id', 'in', (e) =>
        e
          .selectFrom('orders')
          .select((of) => of.ref('print_job_id').$notNull().as('id'))
          .where('id', '=', orderId)
          .where('print_job_id', 'is not', null)
          .union(
            e
              .selectFrom('dispatches')
              .select('id')
              .where('order_id', '=', orderId)
              .where('kind', '=', sql.lit('reprint' as const)),
          ),
      )
      .execute()
    return rows.map((row) => row.printer_id)
  }

  async find(owner: TicketOwner, printJobId: PrintJobId, ticketId: string): Promise<SandboxTicketsTable | null> {
    return (await this.#of(owner, printJobId).where('ticket_id', '=', ticketId).executeTakeFirst()) ?? null
  }

  /** The newest of a merchant with the order that each belongs to. @param limit one more than a page shows */
  async newest(owner: TicketOwner, { after, limit }: { after: Cursor | null; limit: number }) {
    let query = this.#db.read
      .selectFrom('sandbox_tickets as t')
      .leftJoin('dispatches as d', 'd.id', 't.print_job_id')
      .selectAll('t')
      .select('d.order_id')
      .where('t.account_id', '=', owner.accountId)
      .where('t.merchant_id', '=', owner.key)
    if (after !== null) query = query.where(sql<boolean>`(t.printed_at, t.ticket_id) < (${after.at}, ${after.id})`)
    return query.orderBy('t.printed_at', 'desc').orderBy('t.ticket_id', 'desc').limit(limit).execute()
  }

  /** Throws away up to `limit` of a merchant's tickets. @returns how many */
  async clear(tx: Tx, owner: TicketOwner, limit: number): Promise<number> {
    const result = await tx
      .deleteFrom('sandbox_tickets')
      .where('ticket_id', 'in', (e) =>
        e
          .selectFrom('sandbox_tickets')
          .select('ticket_id')
          .where('merchant_id', '=', owner.key)
          .where('account_id', '=', owner.accountId)
          .limit(limit),
      )
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  /** Whether the account has this print job at this merchant. */
  async hasJob({ accountId, key }: TicketOwner, printJobId: PrintJobId): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('dispatches as d')
      .leftJoin('orders as o', 'o.id', 'd.order_id')
      .select('d.id')
      .where('d.id', '=', printJobId)
      .where((e) => e(e.fn.coalesce('d.account_id', 'o.account_id'), '=', accountId))
      .where((e) => e(e.fn.coalesce('d.merchant_id', 'o.merchant_id'), '=', key))
      .executeTakeFirst()
    return row !== undefined
  }

  /** Throws away up to `limit` tickets that were printed before `beforeMs`. @returns how many */
  async prune(tx: Tx, beforeMs: number, limit: number): Promise<number> {
    const result = await tx
      .deleteFrom('sandbox_tickets')
      .where('ticket_id', 'in', (e) =>
        e.selectFrom('sandbox_tickets').select('ticket_id').where('printed_at', '<', beforeMs).limit(limit),
      )
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  async hasOlder(beforeMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('sandbox_tickets')
      .select('ticket_id')
      .where('printed_at', '<', beforeMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  #of({ accountId, key }: TicketOwner, printJobId: PrintJobId) {
    return this.#db.read
      .selectFrom('sandbox_tickets')
      .selectAll()
      .where('print_job_id', '=', printJobId)
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', key)
  }
}
