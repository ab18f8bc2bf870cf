// Gateways on their way into the list of passwords of a Mosquitto that several relays share: one of them writes the list for all.
import type { RelayDatabase } from './database.ts'

export interface BrokerAdmission {
  gatewayId: string
  /** The line of the password list. */
  line: string
}

export class BrokerAdmissionStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The newest password of a gateway counts. */
  async add({ gatewayId, line }: BrokerAdmission): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .insertInto('broker_admissions')
        .values({ gateway_id: gatewayId, line })
        .onConflict((conflict) => conflict.column('gateway_id').doUpdateSet({ line }))
        .execute(),
    )
  }

  async isWaiting(gatewayId: string): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('broker_admissions')
      .select('gateway_id')
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirst()
    return row !== undefined
  }

  async waiting(): Promise<BrokerAdmission[]> {
    const rows = await this.#db.read.selectFrom('broker_admissions').selectAll().orderBy('gateway_id').execute()
    return rows.map(({ gateway_id: gatewayId, line }) => ({ gatewayId, line }))
  }

  /** These are in the list now. */
  async done(admissions: readonly BrokerAdmission[]): Promise<void> {
    await this.#db.unit(async (tx) => {
      for (const { gatewayId, line } of admissions)
        await tx
          .deleteFrom('broker_admissions')
          .where('gateway_id', '=', gatewayId)
          // Another password may have come meanwhile.
          .where('line', '=', line)
          .execute()
    })
  }
}
