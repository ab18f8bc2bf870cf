// Resolves an id of the audit log: the name of the subject, and the restaurant and environment of its page.
import type { Selectable } from 'kysely'
import type { AccountId, MerchantKey, ServiceOrderId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { MerchantsTable } from './schema-accounts.ts'
import type { EmailCodesTable } from './schema-people.ts'

export interface AuditSubject {
  /** As clients use it: of a merchant `M-...`. */
  publicId: string
  name: string | null
  /** Null: it belongs to no restaurant. */
  merchantId: string | null
  environment: 'sandbox' | 'live' | null
  /** Of the restaurant. */
  ownerId: AccountId | null
  about: SubjectFacts | null
}

/** Details of a subject that has no name of its own. */
export type SubjectFacts =
  /** `orderId` null: it is of no order, as a note is. */
  | { kind: 'job'; orderId: ServiceOrderId | null; clientOrderId: string | null; posOrderId: string | null }
  | { kind: 'invitation'; code: Selectable<EmailCodesTable> }
  | { kind: 'mail'; notice: string }

export interface SubjectOfLine {
  subject: string
  accountId: AccountId | null
}

/** Ids of one query. */
const IDS_AT_ONCE = 500

const COLUMNS = ['id', 'account_id', 'name', 'public_id', 'environment'] as const
type OfMerchant = Pick<Selectable<MerchantsTable>, (typeof COLUMNS)[number]>

interface Found {
  id: string
  name: string | null
  merchant_id?: MerchantKey
  /** Where it belongs to no restaurant. */
  environment?: 'sandbox' | 'live'
  /** The owner, if only the owner's lines may show it. */
  account_id?: AccountId | null
  about?: SubjectFacts
}

/** By the prefix of the ids: prefixes without an entry have no name and no page. */
const FINDERS: Readonly<Record<string, (read: RelayDatabase['read'], ids: never) => Promise<Found[]>>> = {
  usr: (read, ids) => read.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute(),
  acc: (read, ids) => read.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute(),
  inv: (read, ids) => read.selectFrom('invoices').select(['id', 'month as name']).where('id', 'in', ids).execute(),
  psk: (read, ids) => read.selectFrom('passkeys').select(['id', 'name']).where('id', 'in', ids).execute(),
  key: async (read, ids) => {
    const keys = await read
      .selectFrom('api_keys')
      .select(['id', 'name', 'hint', 'environment'])
      .where('id', 'in', ids)
      .execute()
    return keys.map(({ hint, ...key }) => ({ ...key, name: key.name ?? `…${hint}` }))
  },
  cod: async (read, ids) => {
    const codes = await read.selectFrom('email_codes').selectAll().where('id', 'in', ids).execute()
    const facts = (code: (typeof codes)[number]) => ({ about: { kind: 'invitation', code } }) as const
    return codes.map((code) => ({ id: code.id, name: null, account_id: code.account_id, ...facts(code) }))
  },
  ntc: async (read, ids) => {
    const mails = await read.selectFrom('notices').select(['id', 'account_id', 'kind']).where('id', 'in', ids).execute()
    return mails.map(({ kind, ...mail }) => ({ ...mail, name: null, about: { kind: 'mail', notice: kind } }))
  },
  mer: async (read, ids) => {
    const merchants = await read.selectFrom('merchants').select(['id', 'name']).where('id', 'in', ids).execute()
    return merchants.map((merchant) => ({ ...merchant, merchant_id: merchant.id }))
  },
  loc: (read, ids) =>
    read.selectFrom('locations').select(['id', 'name', 'merchant_id']).where('id', 'in', ids).execute(),
  gw: (read, ids) =>
    read
      .selectFrom('gateways as t')
      .innerJoin('locations as l', 'l.id', 't.location_id')
      .select(['t.id', 't.name', 'l.merchant_id'])
      .where('t.id', 'in', ids)
      .execute(),
  ord: (read, ids) =>
    read
      .selectFrom('orders')
      .select(['id', 'client_order_id as name', 'merchant_id', 'account_id'])
      .where('id', 'in', ids)
      .execute(),
  pj: async (read, ids) => {
    const jobs = await read
      .selectFrom('dispatches as t')
      .leftJoin('orders as o', 'o.id', 't.order_id')
      .select(['t.id', 't.order_id as orderId', 'o.client_order_id as clientOrderId', 'o.pos_order_id as posOrderId'])
      .select((e) => e.fn.coalesce('t.merchant_id', 'o.merchant_id').as('merchant_id'))
      .select((e) => e.fn.coalesce('t.account_id', 'o.account_id').as('account_id'))
      .where('t.id', 'in', ids)
      .execute()
    return jobs.map(({ id, merchant_id, account_id, ...order }) => ({
      ...{ id, name: null, account_id, about: { kind: 'job', ...order } },
      ...(merchant_id !== null && { merchant_id }),
    }))
  },
  evt: (read, ids) =>
    read.selectFrom('events').select(['id', 'type as name', 'merchant_id']).where('id', 'in', ids).execute(),
  dlv: (read, ids) =>
    read
      .selectFrom('deliveries as t')
      .innerJoin('webhook_endpoints as e', 'e.id', 't.endpoint_id')
      .select(['t.id', 't.type as name', 'e.merchant_id'])
      .where('t.id', 'in', ids)
      .execute(),
  we: async (read, ids) => {
    const endpoints = await read
      .selectFrom('webhook_endpoints')
      .select(['id', 'description', 'url', 'merchant_id'])
      .where('id', 'in', ids)
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

  /** @returns by the subject in the line, with its account; deleted ones, and those of other accounts, are missing */
  async ofLines(lines: readonly SubjectOfLine[]): Promise<(line: SubjectOfLine) => AuditSubject | null> {
    const byPrefix = Map.groupBy(new Set(lines.map(({ subject }) => subject)), prefixOf)
    const found: Found[] = []
    for (const [prefix, ids] of byPrefix)
      for (const some of inPieces(ids)) found.push(...((await FINDERS[prefix]?.(this.#db.read, some as never)) ?? []))
    const merchants = await this.#merchantsOf(new Set(found.flatMap(({ merchant_id }) => merchant_id ?? [])))
    const byId = new Map(found.map((row) => [row.id, row]))
    const named = await this.#named(byPrefix.get('M') ?? [])
    return ({ subject, accountId }) => {
      const row = byId.get(subject)
      if (row === undefined) return named(subject, accountId)
      if (row.account_id !== undefined && row.account_id !== accountId) return null
      return subjectOf(row, row.merchant_id === undefined ? null : (merchants.get(row.merchant_id) ?? null))
    }
  }

  /** Older lines have a merchant's public id, others the relay's own. @returns both */
  async idsOfMerchant(publicId: string, accountId: AccountId | null): Promise<string[]> {
    const rows = await this.#merchants([publicId])
    const own = rows.filter(({ account_id, environment }) => account_id === accountId || environment === 'live')
    return [publicId, ...own.map(({ id }) => id)]
  }

  /** Each account has test merchants with the same public ids; a live one belongs to one account. */
  async #named(publicIds: readonly string[]) {
    const rows = await this.#merchants(publicIds)
    return (publicId: string, accountId: AccountId | null): AuditSubject | null => {
      const named = rows.filter(({ public_id }) => public_id === publicId)
      const row =
        named.find(({ account_id }) => account_id === accountId) ??
        named.find(({ environment }) => environment === 'live')
      return row === undefined ? null : subjectOf(row, row)
    }
  }

  async #merchantsOf(keys: ReadonlySet<MerchantKey>): Promise<Map<MerchantKey, OfMerchant>> {
    const rows: OfMerchant[] = []
    for (const some of inPieces([...keys]))
      rows.push(...(await this.#db.read.selectFrom('merchants').select(COLUMNS).where('id', 'in', some).execute()))
    return new Map(rows.map((row) => [row.id, row]))
  }

  async #merchants(publicIds: readonly string[]) {
    if (publicIds.length === 0) return []
    return this.#db.read.selectFrom('merchants').select(COLUMNS).where('public_id', 'in', publicIds).execute()
  }
}

/** `M` of a merchant's public id. */
function prefixOf(id: string): string {
  return id.startsWith('M-') ? 'M' : id.slice(0, Math.max(0, id.indexOf('_')))
}

function inPieces<T>(ids: readonly T[]): T[][] {
  const pieces: T[][] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) pieces.push(ids.slice(from, from + IDS_AT_ONCE))
  return pieces
}

function subjectOf(
  row: Pick<Found, 'id' | 'name' | 'environment' | 'about'>,
  merchant: OfMerchant | null,
): AuditSubject {
  return {
    publicId: merchant !== null && row.id === merchant.id ? merchant.public_id : row.id,
    name: row.name,
    merchantId: merchant?.public_id ?? null,
    environment: merchant?.environment ?? row.environment ?? null,
    ownerId: merchant?.account_id ?? null,
    about: row.about ?? null,
  }
}
