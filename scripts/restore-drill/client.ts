// A client of the drill's relay: it sends orders and asks what became of them.
import type { Demo } from '#cloud/sandbox/provision-demo.ts'
import { systemClock } from '#shared/clock.ts'
import { must } from './must.ts'

const RETRY_MS = 50

export class Client {
  readonly #url: string
  readonly #demo: Pick<Demo, 'apiKey' | 'merchantId' | 'umsIds'>

  constructor(url: string, demo: Pick<Demo, 'apiKey' | 'merchantId' | 'umsIds'>) {
    this.#url = url
    this.#demo = demo
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer
  async #call(path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${this.#demo.apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(
      this.#url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return answer.json()
  }

  /** @returns its serviceOrderId */
  async order(orderId: string): Promise<string> {
    const { merchantId, umsIds } = this.#demo
    const items = [{ umsId: umsIds[0], qty: 1, price: 9.5 }]
    const answer = await this.#call('/v1/order/inject', { merchantId, orderId, source: 'drill', items, total: 9.5 })
    const { serviceOrderId } = answer.order ?? answer
    must(typeof serviceOrderId === 'string', `the relay takes an order, but says ${JSON.stringify(answer)}`)
    return serviceOrderId
  }

  /** As a client does: an order without an answer is sent again as it is. @returns its serviceOrderId */
  async orderSurely(orderId: string): Promise<string> {
    for (;;) {
      try {
        return await this.order(orderId)
      } catch {
        await systemClock.sleep(RETRY_MS)
      }
    }
  }

  async isPrinted(serviceOrderId: string): Promise<boolean> {
    const { merchantId } = this.#demo
    return (await this.#call(`/v1/order/${serviceOrderId}?merchantId=${merchantId}`)).status === 'printed'
  }
}
