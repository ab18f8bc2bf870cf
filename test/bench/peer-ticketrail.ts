// Ourselves in the comparison: relay and gateway as real programs; a ticket is submitted by the /v1 call, so the way over MQTT counts against us.
import { request } from 'node:http'
import { join } from 'node:path'
import type { TimelineAnswer } from '#gateway/control/answers.ts'
import { Site } from '#test/harness/site.ts'
import type { PrintSystem, Said } from './peer-system.ts'

export class Ticketrail implements PrintSystem {
  readonly name = 'Ticketrail, from the API call'
  #site: Site | null = null

  get #running(): Site {
    if (!this.#site) throw new Error('start it first')
    return this.#site
  }

  async start(printerPort: number): Promise<void> {
    this.#site = new Site({ printers: `kitchen=127.0.0.1:${printerPort}/epson-thermal-203` })
    await this.#site.start()
    // A box that is just being switched on has no orders yet.
    while ((await this.#site.gatewayStatus()).link.state !== 'connected') {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** The ticket is our own, of the same order. 503 is an acceptance: the printer is known to be off, and the order waits. */
  async submit(token: string): Promise<string> {
    const site = this.#running
    // A plain call: the harness would check the answer against the OpenAPI document while the first byte is on its way.
    const answer = await fetch(`${site.cloudUrl}/v1/order/inject`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(site.orderBody({ orderId: token, note: token })),
    })
    const body = (await answer.json()) as { serviceOrderId?: string; order?: { serviceOrderId: string } }
    const serviceOrderId = body.serviceOrderId ?? body.order?.serviceOrderId
    if (serviceOrderId === undefined) throw new Error(`refused: ${JSON.stringify(body)}`)
    return serviceOrderId
  }

  async says(serviceOrderId: string): Promise<Said> {
    const { body } = await this.#running.getOrder(serviceOrderId)
    const { printState } = body
    if (printState === 'printed') return 'printed'
    return printState === 'failed' || printState === 'uncertain' ? 'failed' : 'waiting'
  }

  /** By the gateway's own timelines: the job's arrival at the box to the first byte, milliseconds. */
  boxWaits(count: number): Promise<number[]> {
    return this.#betweenSteps(count, 'received', 'first-byte')
  }

  proofWaits(count: number): Promise<number[]> {
    return this.#betweenSteps(count, 'last-byte', 'confirmed')
  }

  /** Of the newest tickets, in whole milliseconds. */
  async #betweenSteps(count: number, from: string, to: string): Promise<number[]> {
    const { tickets } = (await this.#ask('jobs.list', { limit: count })) as { tickets: { ticketId: string }[] }
    const waits: number[] = []
    for (const { ticketId } of tickets) {
      const { timeline } = (await this.#ask('jobs.show', { ticketId })) as { timeline: TimelineAnswer[] }
      const at = (wanted: string): number => timeline.find(({ step }) => step === wanted)?.afterMs ?? Number.NaN
      waits.push(at(to) - at(from))
    }
    return waits
  }

  #ask(operation: string, input: unknown): Promise<unknown> {
    const socketPath = join(this.#running.dir, 'gateway/control.sock')
    return new Promise((resolve, reject) => {
      const options = { socketPath, method: 'POST', path: `/v1/control/${operation}` }
      const call = request({ ...options, headers: { 'content-type': 'application/json' } }, async (answer) => {
        const body = JSON.parse(Buffer.concat(await answer.toArray()).toString('utf8'))
        resolve(body.result)
      })
      call.on('error', reject)
      call.end(JSON.stringify(input))
    })
  }

  /** Both programs at once, as by a power cut. */
  async killAndRestart(): Promise<void> {
    const site = this.#running
    await Promise.all([site.cloud.kill('SIGKILL'), site.gateway.kill('SIGKILL')])
    await site.startCloud()
    await site.startGateway()
  }

  async stop(): Promise<void> {
    await this.#site?.stop()
  }
}
