// The configuration that each gateway should have, and what it answered.
import type { GatewayId } from '#shared/ids.ts'
import { type ConfigResult, type GatewayConfigDoc, gatewayConfigDoc } from '#shared/wire/gateway-config.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import type { GatewayConfigsTable } from './schema-pairing.ts'

export interface GatewayConfig {
  gatewayId: GatewayId
  ver: number
  /** Its very text: the hash is of it. */
  text: string
  doc: GatewayConfigDoc
  sha256: string
  updatedAtMs: number
  updatedBy: string
  /** Null before the gateway has answered any version. */
  answer: ConfigResult | null
  answeredAtMs: number | null
}

export class GatewayConfigStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async find(gatewayId: GatewayId, on: Db | Tx = this.#db.read): Promise<GatewayConfig | null> {
    const row = await on
      .selectFrom('gateway_configs')
      .selectAll()
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirst()
    return row ? configOf(row) : null
  }

  /** Gateways that were proposed nothing are not in it. */
  async ofMany(gatewayIds: readonly GatewayId[]): Promise<ReadonlyMap<GatewayId, GatewayConfig>> {
    if (gatewayIds.length === 0) return new Map()
    const rows = await this.#db.read
      .selectFrom('gateway_configs')
      .selectAll()
      .where('gateway_id', 'in', [...gatewayIds])
      .execute()
    return new Map(rows.map((row) => [row.gateway_id, configOf(row)]))
  }

  async put(
    tx: Tx,
    config: { gatewayId: GatewayId; ver: number; text: string; sha256: string; nowMs: number; by: string },
  ): Promise<void> {
    const values = {
      ver: config.ver,
      doc: config.text,
      sha256: config.sha256,
      updated_at: config.nowMs,
      updated_by: config.by,
    }
    await tx
      .insertInto('gateway_configs')
      .values({ gateway_id: config.gatewayId, ...values })
      .onConflict((conflict) => conflict.column('gateway_id').doUpdateSet(values))
      .execute()
  }

  async recordAnswer(gatewayId: GatewayId, answer: ConfigResult, nowMs: number): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('gateway_configs')
        .set({ answered_ver: answer.ver, answer: JSON.stringify(answer), answered_at: nowMs })
        .where('gateway_id', '=', gatewayId)
        // The answer to an older version may come late.
        .where('ver', '>=', answer.ver)
        .execute(),
    )
  }

  /** Gateways that have not answered their present configuration. */
  async unanswered(): Promise<GatewayId[]> {
    const rows = await this.#db.read
      .selectFrom('gateway_configs')
      .select('gateway_id')
      .where((e) => e.or([e('answered_ver', 'is', null), e('answered_ver', '<>', e.ref('ver'))]))
      .execute()
    return rows.map((row) => row.gateway_id)
  }
}

function configOf(row: GatewayConfigsTable): GatewayConfig {
  return {
    gatewayId: row.gateway_id,
    ver: row.ver,
    text: row.doc,
    doc: gatewayConfigDoc.parse(JSON.parse(row.doc)),
    sha256: row.sha256,
    updatedAtMs: row.updated_at,
    updatedBy: row.updated_by,
    // Parsed with its schema when the gateway sent it.
    answer: row.answer === null ? null : (JSON.parse(row.answer) as ConfigResult),
    answeredAtMs: row.answered_at,
  }
}
