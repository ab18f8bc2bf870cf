// Messages from the relay to a gateway, as sealed JSON text. A job's document is put in as the text that the database holds.
// Ids are UUIDs because Node keeps a stock of them: random bytes for each message cost a quarter of a millisecond before the kitchen has it.
import { randomUUID } from 'node:crypto'
import type { OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import { sealText } from '#shared/link-seal.ts'
import type { DownMessage } from '#shared/wire/gateway-link.ts'

export interface Envelope {
  /** Epoch of the gateway's connection. */
  epoch: number
  nowMs: number
}

type Body<M> = M extends DownMessage ? Omit<M, 'v' | 'id' | 'ts' | 'e'> : never

/** Any message but a job. */
export function downText(body: Body<Exclude<DownMessage, { t: 'job' }>>, { epoch, nowMs }: Envelope): string {
  return sealText(JSON.stringify({ v: 1, id: randomUUID(), ts: nowMs, e: epoch, ...body }))
}

export function jobText(job: OutgoingJob, stream: string, { epoch, nowMs }: Envelope): string {
  const head = JSON.stringify({
    v: 1,
    id: randomUUID(),
    ts: nowMs,
    e: epoch,
    t: 'job',
    jobId: job.jobId,
    stream,
    seq: job.seq,
    notBefore: job.notBeforeMs,
    expiresAt: job.expiresAtMs,
    possibleDuplicate: job.possibleDuplicate,
  })
  return sealText(`${head.slice(0, -1)},"doc":${job.doc}}`)
}
