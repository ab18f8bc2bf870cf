// What the drill's gateway was sent: its jobs in their order, and whether each order came exactly once.
import { type JobMessage, jobDoc } from '#shared/wire/gateway-link.ts'

export class ReceivedJobs {
  readonly #jobs: JobMessage[] = []
  /** Under a number that another job has, or that is not the next. */
  readonly #astray: JobMessage[] = []

  /** The last number without a gap. */
  get last(): number {
    return this.#jobs.length
  }

  /** In the order of their numbers. */
  get all(): readonly JobMessage[] {
    return this.#jobs
  }

  /** The same job under the same number may come again: its acknowledgement may have been lost. */
  take(job: JobMessage): void {
    if (job.seq === this.last + 1) this.#jobs.push(job)
    else if (this.#jobs[job.seq - 1]?.jobId !== job.jobId) this.#astray.push(job)
  }

  /** True when these orders were sent, one after the other, and nothing else: no order, and no job, under a second number. */
  areJust(serviceOrderIds: readonly string[]): boolean {
    const sent = [...this.#jobs, ...this.#astray]
    return (
      sent.length === serviceOrderIds.length &&
      new Set(sent.map(({ jobId }) => jobId)).size === sent.length &&
      serviceOrderIds.every((id, i) => sent[i] !== undefined && orderOf(sent[i]) === id)
    )
  }
}

/** Null for what is not an order. */
function orderOf({ doc }: JobMessage): string | null {
  const job = jobDoc.safeParse(doc).data
  return job?.kind === 'order' ? job.order.serviceOrderId : null
}
