// Two relays on one database and an outside point of sale: the relay that took an order is killed between telling it and hearing the answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPos } from '#cloud/orders/pos-config.ts'
import { MerchantStore } from '#cloud/storage/merchant-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { postgresPrograms } from '#test/harness/postgres-server.ts'
import { FireSite } from './fire-site.ts'

describe.runIf(postgresPrograms() !== null)(
  'an order whose relay is killed during the call of its point of sale',
  () => {
    let site: FireSite
    const pos = new WebhookReceiver()
    beforeAll(async () => {
      await pos.start()
      site = await FireSite.open({ relays: 2, gateways: 1 })
      const db = await site.db
      const merchants = new MerchantStore(db)
      const secretBox = new SecretBox(Buffer.from(site.masterKey, 'base64'))
      const { id } = await db.read
        .selectFrom('merchants')
        .select('id')
        .where('public_id', '=', site.fleetOf.merchantId)
        .executeTakeFirstOrThrow()
      const { secret } = await db.unit((tx) =>
        connectPos(tx, { merchants, secretBox }, { merchantKey: id, url: pos.url, chosenBy: 'operator' }),
      )
      pos.secret = secret
      await db.close()
    })
    afterAll(async () => {
      await pos.stop()
      await site?.close()
    })

    const { stringify } = JSON
    const headers = () => ({ authorization: `Bearer ${site.fleetOf.apiKey}`, 'content-type': 'application/json' })
    /** By this relay, on a connection of its own. @returns the answer's bytes */
    async function inject(relay: number): Promise<{ status: number; text: string }> {
      site.http.direct(relay)
      const { merchantId, umsId, members } = site.fleetOf
      const items = [{ umsId, qty: 1, price: 1 }]
      const locationId = members[0]?.locationId
      const body = stringify({ merchantId, orderId: 'killed-1', source: 'fire', total: 1, locationId, items })
      const answer = await fetch(`http://127.0.0.1:${site.http.port}/v1/order/inject`, {
        method: 'POST',
        headers: { ...headers(), connection: 'close' },
        body,
      })
      return { status: answer.status, text: await answer.text() }
    }
    async function posOrderIdOf(serviceOrderId: string): Promise<unknown> {
      const url = `http://127.0.0.1:${site.http.port}/v1/order/${serviceOrderId}?merchantId=${site.fleetOf.merchantId}`
      const answer = await fetch(url, { headers: { ...headers(), connection: 'close' } })
      return ((await answer.json()) as Record<string, unknown>)['posOrderId']
    }

    it('is sent again by the other relay in the same bytes under the same id, and each repetition is answered alike', async () => {
      pos.answerWith({ kind: 'hang' })
      const atFirst = inject(0).catch((error: Error) => error)
      await pos.waitFor(1)
      await site.relays[0]?.kill()
      pos.answerWith({ kind: 'status', status: 200, body: stringify({ posOrderId: 'P-17' }) })
      const answer = await inject(1)
      expect(answer.status).toBe(200)
      const { serviceOrderId, posOrderId } = JSON.parse(answer.text)
      expect(posOrderId).toBeNull()
      // It may have been answered before it was killed: then in the same bytes.
      const first = await atFirst
      if (!(first instanceof Error)) expect(first).toEqual(answer)

      const [before, after] = await pos.waitFor(2)
      expect(after?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true)
      expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id'])
      expect([before?.signatureValid, after?.signatureValid]).toEqual([true, true])
      await expect.poll(() => posOrderIdOf(serviceOrderId)).toBe('P-17')

      expect(await inject(1)).toEqual(answer)
      await site.relays[0]?.start()
      expect(await inject(0)).toEqual(answer)
      expect(pos.received).toHaveLength(2)
    })
  },
)
