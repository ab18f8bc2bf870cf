// Events: recorded with the caller's transaction or not at all, with one delivery for each endpoint that wants them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { recordEvent } from './record-event.ts'

const clock = new ManualClock()
let site: WebhookSite
beforeEach(async () => {
  site = await WebhookSite.open({ clock })
})
afterEach(() => site.close())

describe('recordEvent', () => {
  it('fixes the bytes of the envelope', async () => {
    const { eventId } = await site.record({
      type: 'order.printed',
      subjectId: 'ord_1',
      sequence: 2,
      atMs: Date.UTC(2026, 10, 20, 17, 59, 59, 7),
      data: { order: { note: 'crème' } },
    })
    const row = await site.db.read.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ id: eventId, subject_id: 'ord_1', sequence: 2, created_at: clock.now() })
    expect(row.payload).toBe(
      `{"id":"${eventId}","type":"order.printed","timestamp":"2026-11-20T17:59:59.007Z","apiVersion":"v1",` +
        `"environment":"sandbox","merchantId":"M-TEST-0001","sequence":2,"data":{"order":{"note":"crème"}}}`,
    )
  })

  it('makes one delivery per endpoint that asked for the type, and for `*`', async () => {
    const all = await site.listen('http://127.0.0.1:9/all')
    const printed = await site.listen('http://127.0.0.1:9/printed', ['order.printed', 'order.voided'])
    expect(await site.record({ type: 'order.accepted' })).toMatchObject({ deliveries: 1 })
    expect(await site.record({ type: 'order.printed' })).toMatchObject({ deliveries: 2 })
    const rows = await site.rows()
    expect(rows.filter((row) => row.endpoint_id === all.webhookId)).toHaveLength(2)
    expect(rows.filter((row) => row.endpoint_id === printed.webhookId)).toHaveLength(1)
    expect(rows.every((row) => row.state === 'pending' && row.attempts === 0)).toBe(true)
  })

  it('passes over endpoints of other merchants and environments', async () => {
    await site.listen('http://127.0.0.1:9/')
    expect(await site.record({ merchantKey: asId('mer_other') })).toMatchObject({ deliveries: 0 })
    expect(await site.record({ environment: 'live' })).toMatchObject({ deliveries: 0 })
  })

  it('keeps a failed delivery for a disabled endpoint instead of dropping the event', async () => {
    await site.listen('http://127.0.0.1:9/')
    await site.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).execute())
    expect(await site.record()).toMatchObject({ deliveries: 0 })
    expect(await site.rows()).toMatchObject([
      { state: 'failed', last_error: 'endpoint_disabled', attempts: 0, settled_at: clock.now() },
    ])
  })

  it('leaves nothing behind when the unit fails', async () => {
    await site.listen('http://127.0.0.1:9/')
    const unit = site.db.unit(async (tx) => {
      await recordEvent(tx, site, site.newEvent())
      throw new Error('the order was refused')
    })
    await expect(unit).rejects.toThrow('refused')
    expect(await site.rows()).toEqual([])
    expect(await site.db.read.selectFrom('events').selectAll().execute()).toEqual([])
  })

  it('refuses the same event of a subject twice', async () => {
    await site.record({ subjectId: 'ord_1', sequence: 1 })
    await expect(site.record({ subjectId: 'ord_1', sequence: 1 })).rejects.toThrow('UNIQUE')
  })
})
