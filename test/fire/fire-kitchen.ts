// What the gateways of a fire test got: which job by which number, how often, and whether it was marked when it came again.
import { Signal } from '#shared/signal.ts'
import type { DownMessage, MessageOf } from '#shared/wire/gateway-link.ts'
import type { KnownBefore } from '#test/harness/simulated-gateway.ts'

type Job = MessageOf<DownMessage, 'job'>

/** What one gateway has of a job. */
interface Had {
  gatewayId: string
  /** Numbers of the stream by which it came: the same number again is the same job sent again. */
  numbers: Set<number>
  /** Of these, how many came without the mark of a possible duplicate. */
  unmarked: number
}

export class FireKitchen {
  /** By job id. */
  readonly jobs = new Map<string, Had>()
  /** When the job of each order came first, ms of the monotonic clock, by the client's order id. */
  readonly cameAtMs = new Map<string, number>()
  /** A job came for the first time. */
  readonly came = new Signal()
  /** What no gateway should see: a number that it has for another job, which is thereby lost, and a job at two gateways. */
  readonly faults: string[] = []
  /** Jobs that came again by a number that the gateway had. */
  again = 0

  take(gatewayId: string, job: Job, known: KnownBefore): void {
    const had = this.jobs.get(job.jobId)
    if (known.number) {
      this.again += 1
      if (had?.numbers.has(job.seq) !== true)
        this.faults.push(`${gatewayId} got job ${job.jobId} by number ${job.seq}, which it has for another job`)
      return
    }
    const unmarked = job.possibleDuplicate === true ? 0 : 1
    if (had === undefined) {
      this.jobs.set(job.jobId, { gatewayId, numbers: new Set([job.seq]), unmarked })
      this.cameAtMs.set((job.doc as { order: { orderId: string } }).order.orderId, performance.now())
      this.came.notify()
      return
    }
    if (had.gatewayId !== gatewayId) this.faults.push(`job ${job.jobId} came to ${had.gatewayId} and to ${gatewayId}`)
    had.numbers.add(job.seq)
    had.unmarked += unmarked
    if (unmarked === 1) this.faults.push(`job ${job.jobId} came again, by number ${job.seq}, without the mark`)
  }
}
