// The points of sale that a merchant can have.
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import type { RegisterStore } from '#cloud/storage/register-store.ts'
import type { Clock } from '#shared/clock.ts'
import { HttpPos } from './http-pos.ts'
import type { PosAdapters } from './pos-adapter.ts'
import { Register } from './register.ts'

export function posAdapters(deps: { registers: RegisterStore; posOutbox: PosOutboxStore; clock: Clock }): PosAdapters {
  return { register: new Register(deps.registers), http: new HttpPos(deps.posOutbox, deps.clock) }
}
