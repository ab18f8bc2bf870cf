// What a client's webhook receiver got of each order, in the order of arrival: the bodies themselves are not kept.
import type { ReceivedWebhook } from '#test/doubles/webhook-receiver.ts'

export class FireWebhooks {
  /** Sequences of the events of an order as they came first, by `serviceOrderId`. */
  readonly firstOf = new Map<string, number[]>()
  /** Of all, and those that came again. */
  count = 0
  again = 0
  readonly faults: string[] = []

  take({ event, signatureValid }: ReceivedWebhook): void {
    this.count += 1
    const { serviceOrderId } = (event.data as { order: { serviceOrderId: string } }).order
    if (!signatureValid) this.faults.push(`the signature of ${event.type} of ${serviceOrderId} is wrong`)
    const first = this.firstOf.get(serviceOrderId) ?? []
    this.firstOf.set(serviceOrderId, first)
    if (first.includes(event.sequence)) this.again += 1
    else first.push(event.sequence)
  }
}
