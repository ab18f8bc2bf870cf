// Messages from a gateway to the relay, as JSON text.
import { randomBytes } from 'node:crypto'
import type { UpMessage } from '#shared/wire/gateway-link.ts'

type Body<M> = M extends UpMessage ? Omit<M, 'v' | 'id' | 'ts' | 'e'> : never
export type UpBody = Body<UpMessage>

export function upText(body: UpBody, { epoch, nowMs }: { epoch: number; nowMs: number }): string {
  return JSON.stringify({ v: 1, id: randomBytes(9).toString('base64url'), ts: nowMs, e: epoch, ...body })
}
