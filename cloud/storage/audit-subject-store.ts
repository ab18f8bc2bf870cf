// What stands behind an id of the audit log: the name of the thing, and the restaurant and environment of its page.
import type { Selectable } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { MerchantsTable } from './schema-accounts.ts'

export interface AuditSubject {
  /** As clients know it: of a merchant `M-...`. */
  publicId: string
  name: string | null
  /** Null: it belongs to no restaurant. */
  merchantId: string | null
  environment: 'sandbox' | 'live' | null
}

export interface SubjectOfLine {
  subject: string
  accountId: AccountId | null
}

/** Ids of one query. */
const IDS_AT_ONCE = 500

type OfMerchant = Pick<Selectable<MerchantsTable>, 'public_id' | 'environment'>
interface Found extends Partial<OfMerchant> {
  id: string
  name: string | null
}

/** By the prefix of the ids: prefixes without an entry have no name and no page. */
const FINDERS: Readonly<Record<string, (read: RelayDatabase['read'], ids: never) => Promise<Found[]>>> = {
  usr: (read, ids) => read.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute(),
  acc: (read, ids) => read.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute(),
  inv: (read, ids) => read.selectFrom('invoices').select(['id', 'month as name']).where('id', 'in', ids).execute(),
  key: async (read, ids) => {
    const keys = await read
      .selectFrom('api_keys')
      .select(['id', 'name', 'hint', 'environment'])
      .where('id', 'in', ids)
      .execute()
    return keys.map(({ hint, ...key }) => ({ ...key, name: key.name ?? `…${hint}` }))
  },
  mer: (read, ids) =>
    read.selectFrom('merchants').select(['id', 'name', 'public_id', 'environment']).where('id', 'in', ids).execute(),
  loc: (read, ids) =>
    read
      .selectFrom('locations as t')
      .innerJoin('merchants as m', 'm.id', 't.merchant_id')
      .select(['t.id', 't.name', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute(),
  gw: (read, ids) =>
    read
      .selectFrom('gateways as t')
      .innerJoin('locations as l', 'l.id', 't.location_id')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .select(['t.id', 't.name', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute(),
  ord: (read, ids) =>
    read
      .selectFrom('orders as t')
      .innerJoin('merchants as m', 'm.id', 't.merchant_id')
      .select(['t.id', 't.client_order_id as name', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute(),
  evt: (read, ids) =>
    read
      .selectFrom('events as t')
      .innerJoin('merchants as m', 'm.id', 't.merchant_id')
      .select(['t.id', 't.type as name', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute(),
  dlv: (read, ids) =>
    read
      .selectFrom('deliveries as t')
      .innerJoin('webhook_endpoints as e', 'e.id', 't.endpoint_id')
      .innerJoin('merchants as m', 'm.id', 'e.merchant_id')
      .select(['t.id', 't.type as name', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute(),
  we: async (read, ids) => {
    const endpoints = await read
      .selectFrom('webhook_endpoints as t')
      .innerJoin('merchants as m', 'm.id', 't.merchant_id')
      .select(['t.id', 't.description', 't.url', 'm.public_id', 'm.environment'])
      .where('t.id', 'in', ids)
      .execute()
    // Of an address only the host: its path may be a secret.
    return endpoints.map(({ description, url, ...row }) => ({
      ...row,
      name: description || (URL.parse(url)?.host ?? null),
    }))
  },
}

export class AuditSubjectStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @returns by the subject as it stands in the line, with its account; what is gone is not in it */
  async ofLines(lines: readonly SubjectOfLine[]): Promise<(line: SubjectOfLine) => AuditSubject | null> {
    const found = new Map<string, AuditSubject>()
    const byPrefix = Map.groupBy(new Set(lines.map(({ subject }) => subject)), prefixOf)
    for (const [prefix, ids] of byPrefix)
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        for (const row of (await FINDERS[prefix]?.(this.#db.read, ids.slice(from, from + IDS_AT_ONCE) as never)) ?? [])
          found.set(row.id, subjectOf(row, prefix))
    const named = await this.#named(byPrefix.get('M') ?? [])
    return ({ subject, accountId }) => found.get(subject) ?? named(subject, accountId)
  }

  /** A merchant stands in older lines by its public id and in others by the relay's own. @returns both */
  async idsOfMerchant(publicId: string, accountId: AccountId | null): Promise<string[]> {
    const rows = await this.#merchants([publicId])
    const own = rows.filter(({ account_id, environment }) => account_id === accountId || environment === 'live')
    return [publicId, ...own.map(({ id }) => id)]
  }

  /** Each account has test merchants of the same public ids; live ones are nobody else's. */
  async #named(publicIds: readonly string[]) {
    const rows = await this.#merchants(publicIds)
    return (publicId: string, accountId: AccountId | null): AuditSubject | null => {
      const named = rows.filter(({ public_id }) => public_id === publicId)
      const row =
        named.find(({ account_id }) => account_id === accountId) ??
        named.find(({ environment }) => environment === 'live')
      return row === undefined ? null : subjectOf(row, 'mer')
    }
  }

  async #merchants(publicIds: readonly string[]) {
    if (publicIds.length === 0) return []
    return this.#db.read
      .selectFrom('merchants')
      .select(['id', 'account_id', 'name', 'public_id', 'environment'])
      .where('public_id', 'in', publicIds)
      .execute()
  }
}

/** `M` of a merchant's public id. */
function prefixOf(id: string): string {
  return id.startsWith('M-') ? 'M' : id.slice(0, Math.max(0, id.indexOf('_')))
}

function subjectOf(row: Found, prefix: string): AuditSubject {
  const merchantId = row.public_id ?? null
  const publicId = prefix === 'mer' ? (merchantId ?? row.id) : row.id
  return { publicId, name: row.name, merchantId, environment: row.environment ?? null }
}
