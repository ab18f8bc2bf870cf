// Messages from a gateway to the relay, as sealed JSON text. The id is a UUID because Node keeps a stock of them.
import { randomUUID } from 'node:crypto'
import { sealText } from '#shared/link-seal.ts'
import type { UpMessage } from '#shared/wire/gateway-link.ts'

type Body<M> = M extends UpMessage ? Omit<M, 'v' | 'id' | 'ts' | 'e'> : never
export type UpBody = Body<UpMessage>

export function upText(body: UpBody, { epoch, nowMs }: { epoch: number; nowMs: number }): string {
  return sealText(JSON.stringify({ v: 1, id: randomUUID(), ts: nowMs, e: epoch, ...body }))
}
