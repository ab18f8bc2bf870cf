// What is wrong now, for alerts: each of these is one read by a partial index, which holds only what is wrong, of all accounts together.
import { type RawBuilder, sql } from 'kysely'
import type { AccountId, GatewayId, LocationId, MerchantKey, WebhookId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { AccountsTable } from './schema-accounts.ts'

/** At most this many of one kind are read. Those beyond it do not end: `found.length === MOST_FACTS` means that there may be more. */
export const MOST_FACTS = 5_000
/** Ids in one query. */
const PIECE = 500
/** Tickets of a printer that are counted. */
const MOST_WAITING = 100

/** The restaurant of a fact. */
export interface PlaceOfFact {
  accountId: AccountId
  merchantKey: MerchantKey
  environment: 'sandbox' | 'live'
  merchantName: string
  locationId: LocationId
  locationName: string
}
export type BoxFact = PlaceOfFact & { gatewayId: GatewayId; gatewayName: string; lastSeenMs: number }
export type PrinterFact = PlaceOfFact & {
  gatewayId: GatewayId
  printerId: string
  printerName: string
  waiting: number
}
export type ClockFact = PlaceOfFact & { gatewayId: GatewayId; offsetMs: number }
export type TicketFact = PlaceOfFact & { tickets: number; sinceMs: number }
export interface EndpointFact {
  endpointId: WebhookId
  accountId: AccountId
  merchantKey: MerchantKey
  environment: 'sandbox' | 'live'
  url: string
  failingSinceMs: number | null
  isDisabled: boolean
}
export type UsageFact = Pick<AccountsTable, 'id' | 'plan' | 'plan_overrides'> & { calls: number }

const PLACE = sql`m.account_id as "accountId", m.id as "merchantKey", m.environment as "environment", m.name as "merchantName",
  l.id as "locationId", l.name as "locationName"`
const OF_GATEWAY = sql`join locations l on l.id = g.location_id join merchants m on m.id = l.merchant_id`
const LIMIT = sql`limit ${sql.lit(MOST_FACTS)}`

export class AlertFactStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Boxes that were here and are not. */
  silentBoxes(): Promise<BoxFact[]> {
    return this.#rows(sql`select ${PLACE}, g.id as "gatewayId", g.name as "gatewayName", g.last_seen_at as "lastSeenMs"
      from gateways g ${OF_GATEWAY}
      where g.presence = 'offline' and g.simulated = 0 and g.revoked_at is null and g.last_seen_at is not null ${LIMIT}`)
  }

  /** Of connected boxes, printers that do not print while tickets wait and no backup prints. */
  awayPrinters(): Promise<PrinterFact[]> {
    const waiting = sql`(select count(*) from (select 1 as one from dispatches d
      where d.gateway_id = g.id and d.state in ('sent', 'accepted') limit ${sql.lit(MOST_WAITING)}) as few)`
    return this.#rows(sql`select * from (
      select ${PLACE}, g.id as "gatewayId", p.printer_id as "printerId", p.name as "printerName", ${waiting} as "waiting"
      from printers p join gateways g on g.id = p.gateway_id ${OF_GATEWAY}
      where p.state = 'offline' and p.stand_in is null
        and g.presence = 'online' and g.simulated = 0 and g.revoked_at is null) as away
      where "waiting" > 0 ${LIMIT}`)
  }

  /** Connected boxes whose clock is more than 30 s off. */
  wrongClocks(): Promise<ClockFact[]> {
    return this.#rows(sql`select ${PLACE}, g.id as "gatewayId", g.clock_offset_ms as "offsetMs"
      from gateways g ${OF_GATEWAY}
      where (g.clock_offset_ms > 30000 or g.clock_offset_ms < -30000)
        and g.presence = 'online' and g.simulated = 0 and g.revoked_at is null ${LIMIT}`)
  }

  /** Places of real kitchens where tickets were due at `dueMs` or before and are not on paper. */
  lateTickets({ dueMs, nowMs }: { dueMs: number; nowMs: number }): Promise<TicketFact[]> {
    const due = this.#db.words.larger(sql`created_at`, sql`coalesce(not_before, 0)`)
    const some = (where: RawBuilder<unknown>) =>
      sql`select location_id, due from (select location_id, ${due} as due from dispatches where ${where} and kind <> 'board' ${LIMIT}) as part`
    return this.#tickets(sql`select location_id, count(*) as tickets, min(due) as since from (
        ${some(sql`state = 'queued' and available_at <= ${nowMs}`)}
        union all ${some(sql`state in ('sent', 'accepted')`)}) as jobs
      where due <= ${dueMs} group by location_id`)
  }

  /** Locations of real kitchens with uncertain tickets that are still wanted. */
  uncertainTickets(fromMs: number): Promise<TicketFact[]> {
    return this.#tickets(sql`select d.location_id, count(*) as tickets, min(d.settled_at) as since
      from dispatches d join orders o on o.id = d.order_id
      where d.state = 'uncertain' and d.settled_at >= ${fromMs}
        and o.print_state = 'uncertain' and o.completed_at is null and o.voided_at is null
      group by d.location_id`)
  }

  /** Endpoints that fail, and those that were disabled because they did. */
  async badEndpoints(): Promise<EndpointFact[]> {
    const columns = sql`id as "endpointId", account_id as "accountId", merchant_id as "merchantKey", environment, url,
      failing_since as "failingSinceMs"`
    const failing = await this.#rows<Omit<EndpointFact, 'isDisabled'>>(sql`select ${columns} from webhook_endpoints
      where failing_since is not null and status = 'enabled' and kind = 'url' ${LIMIT}`)
    const disabled = await this.#rows<Omit<EndpointFact, 'isDisabled'>>(sql`select ${columns} from webhook_endpoints
      where disabled_reason = 'failing' and status = 'disabled' and kind = 'url' ${LIMIT}`)
    return [
      ...failing.map((row) => ({ ...row, isDisabled: false })),
      ...disabled.map((row) => ({ ...row, isDisabled: true })),
    ]
  }

  /** Live calls of the month of each account with live keys: the days of one month each, by their index. @param month `2026-11` */
  usage(month: string): Promise<UsageFact[]> {
    return this.#rows(sql`select a.id as "id", a.plan as "plan", a.plan_overrides as "plan_overrides",
        coalesce((select sum(u.calls) from usage_days u
          where u.account_id = a.id and u.environment = 'live'
            and u.day >= ${`${month}-01`} and u.day <= ${`${month}-31`}), 0) as "calls"
      from accounts a where a.live_approved_at is not null`)
  }

  /** Mail and changes of channels that were due before then and are still here. */
  async overdue(beforeMs: number): Promise<{ mail: Overdue; channels: Overdue }> {
    const of = async (what: RawBuilder<unknown>, since: RawBuilder<unknown>): Promise<Overdue> => {
      const [row] = await this.#rows<{ waiting: number; since: number | null }>(
        sql`select count(*) as waiting, min(since) as since from (select ${since} as since from ${what} ${LIMIT}) as part`,
      )
      return { waiting: row?.waiting ?? 0, sinceMs: row?.since ?? null }
    }
    const created = this.#db.words.unindexed('created_at')
    return {
      // By the index of what waits: by age all mail of a month would be read.
      mail: await of(sql`notices where next_at is not null and ${created} < ${beforeMs}`, sql`created_at`),
      channels: await of(sql`channel_items where next_at is not null and next_at < ${beforeMs}`, sql`next_at`),
    }
  }

  /** Of these gateways, those whose state cannot be determined now: offline, or the relay has just started. */
  async unheard(gatewayIds: readonly GatewayId[]): Promise<Map<GatewayId, 'offline' | 'unknown'>> {
    const found = new Map<GatewayId, 'offline' | 'unknown'>()
    for (let from = 0; from < gatewayIds.length; from += PIECE) {
      const rows = await this.#db.read
        .selectFrom('gateways')
        .select(['id', 'presence'])
        .where('id', 'in', gatewayIds.slice(from, from + PIECE))
        .where('revoked_at', 'is', null)
        .execute()
      for (const { id, presence } of rows) if (presence !== 'online') found.set(id, presence)
    }
    return found
  }

  #tickets(counted: RawBuilder<unknown>): Promise<TicketFact[]> {
    return this.#rows(sql`select ${PLACE}, t.tickets as "tickets", t.since as "sinceMs"
      from (${counted}) as t join locations l on l.id = t.location_id join merchants m on m.id = l.merchant_id
      where l.kitchen = 'gateway' ${LIMIT}`)
  }

  async #rows<T>(query: RawBuilder<unknown>): Promise<T[]> {
    return (await query.execute(this.#db.read)).rows as T[]
  }
}

export interface Overdue {
  waiting: number
  /** Null: none is. */
  sinceMs: number | null
}
