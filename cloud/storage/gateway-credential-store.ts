// Gateways' passwords in addition to the current one: the next one that was sent, requested rotations.
import type { GatewayId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'

export class GatewayCredentialStore {
  readonly #db: RelayDatabase
  readonly #next: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#next = compile(db)
  }

  /** Hash of the password that was sent and not used yet; null when there is none, or the gateway is unknown or revoked. */
  async nextTokenHash(userName: string): Promise<string | null> {
    return (await this.#next(this.#db.read, { id: userName }))[0]?.next_token_hash ?? null
  }

  /** The next password was used: it is the only one from now on. False when another one was offered meanwhile. */
  async promote(userName: string, tokenHash: string, nowMs: number): Promise<boolean> {
    const promoted = await this.#db.unit((tx) =>
      tx
        .updateTable('gateways')
        .set({
          token_hash: tokenHash,
          next_token_hash: null,
          next_token_at: null,
          rotation_asked_at: null,
          rotated_at: nowMs,
        })
        .where('id', '=', userName as GatewayId)
        .where('next_token_hash', '=', tokenHash)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute(),
    )
    return promoted.length > 0
  }

  /** The operator wants another password for it. False when there is no such gateway. */
  async askRotation(tx: Tx, gatewayId: GatewayId, nowMs: number): Promise<boolean> {
    const asked = await tx
      .updateTable('gateways')
      .set({ rotation_asked_at: nowMs })
      .where('id', '=', gatewayId)
      .where('revoked_at', 'is', null)
      .where('simulated', '=', 0)
      .returning('id')
      .execute()
    return asked.length > 0
  }

  /** Gateways with a requested rotation that were not sent a password since `offeredBeforeMs`. */
  async rotationsDue(offeredBeforeMs: number): Promise<GatewayId[]> {
    const rows = await this.#db.read
      .selectFrom('gateways')
      .select('id')
      .where('rotation_asked_at', 'is not', null)
      .where('revoked_at', 'is', null)
      .where((e) => e.or([e('next_token_at', 'is', null), e('next_token_at', '<=', offeredBeforeMs)]))
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Valid from now on in addition to the current one; one that was offered before and never used becomes invalid. */
  async offer(gatewayId: GatewayId, tokenHash: string, nowMs: number): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('gateways')
        .set({ next_token_hash: tokenHash, next_token_at: nowMs })
        .where('id', '=', gatewayId)
        .where('rotation_asked_at', 'is not', null)
        .execute(),
    )
  }

  /** Replaces the password at once: the box that made the claim repeats it. */
  async replace(tx: Tx, gatewayId: GatewayId, tokenHash: string): Promise<void> {
    await tx
      .updateTable('gateways')
      .set({ token_hash: tokenHash, next_token_hash: null, next_token_at: null })
      .where('id', '=', gatewayId)
      .execute()
  }
}

function compile({ read }: RelayDatabase) {
  return prepared((p) =>
    read
      .selectFrom('gateways')
      .select('next_token_hash')
      .where('id', '=', p('id'))
      .where('revoked_at', 'is', null)
      .where('next_token_hash', 'is not', null),
  )
}
