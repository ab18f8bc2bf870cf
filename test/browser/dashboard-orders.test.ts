// The dashboard's pages of orders before a real relay: an order of the API comes live, is opened, drawn and followed to each try of its webhook; it is voided after a question; what clients call things can do nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const ATTACKS = [
  '<img src=x onerror=window.attacked=1>',
  '"><script>window.attacked=1</script>',
  "'-window.attacked=1-'",
  '{{constructor.constructor("window.attacked=1")()}}',
  'javascript:window.attacked=1',
] as const

const site = new DashboardSite()
const receiver = new WebhookReceiver()
beforeAll(async () => {
  await site.start()
  await receiver.start()
  await api('/v1/webhooks', { url: receiver.url, events: ['*'] })
})
afterAll(async () => {
  await receiver.stop()
  await site.stop()
})

/** As a client of the API does. @throws where the answer is no success */
async function api(path: string, body: object): Promise<{ serviceOrderId: string }> {
  const answer = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchantId: 'M-TEST-001', ...body }),
  })
  const said = (await answer.json()) as { serviceOrderId: string }
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(said)}`)
  return said
}

let sent = 0
async function inject(change: object = {}): Promise<string> {
  sent += 1
  const items = [
    { umsId: 'UMS-BURGER-01', qty: 2, price: 12.5, note: 'no onion', modifiers: ['UMS-MOD-CHEESE'] },
    { umsId: 'UMS-BRULEE-01', qty: 1, price: 7.95 },
  ]
  const order = { orderId: `web-${sent}`, source: 'kiosk-7', items, total: 32.95, ...change }
  return (await api('/v1/order/inject', order)).serviceOrderId
}

/** At the orders of the first test restaurant. */
async function atOrders(
  who: 'owner' | 'staff' | 'developer' = 'owner',
  path = '/dashboard/orders',
  width = 1_280,
): Promise<Visitor> {
  const visitor = await site.visitor(who, { width })
  // What the first page said, before a restaurant was chosen, is not of these pages.
  visitor.complaints.length = 0
  await visitor.page.goto(`${path}?merchant=M-TEST-001&environment=sandbox`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

describe('an order of the API', () => {
  test('appears on the page without a reload, and what is shown does not move', async () => {
    const first = await inject()
    const { page, complaints } = await atOrders()
    await page.locator(`a[href*="${first}"]`).waitFor()
    const second = await inject()
    await page.getByRole('button', { name: /^1 new/ }).click()
    await page.locator(`a[href*="${second}"]`).waitFor()
    expect(complaints).toEqual([])
  })

  test('appears on a page that was refused its live feed, too: it polls slowly', async () => {
    const { page, context } = await atOrders()
    const busy = { code: 'busy', message: 'Too many people try the sandbox.' }
    await page.route('**/dashboard/api/live?*', (route) => route.fulfill({ status: 503, json: busy }))
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('a[href*="ord_"]').first().waitFor()
    const order = await inject()
    await page.getByRole('button', { name: /^1 new/ }).click()
    await page.locator(`a[href*="${order}"]`).waitFor()
    await page.getByText('The page asks again every 15 seconds.').waitFor()
    await context.close()
  })

  test('is opened: time line with milliseconds, drawn paper, webhooks', async () => {
    const id = await inject({ customer: { name: 'Ana Lopez', phone: '+1 555 0134' }, table: '12', tip: 3 })
    await receiver.nextEvent(({ type, data }) => type === 'order.printed' && JSON.stringify(data).includes(id))
    const { page, complaints } = await atOrders('owner', `/dashboard/orders/${id}`)
    const steps = page.locator('.timeline li')
    await steps.filter({ hasText: 'Taken by the API' }).waitFor()
    await steps.filter({ hasText: 'Handed to the kitchen' }).waitFor()
    await steps.filter({ hasText: 'Proof from the printer' }).first().waitFor()
    await steps.filter({ hasText: 'order.printed → 200' }).waitFor()
    expect(await steps.first().textContent()).toMatch(/\+0 ms/)
    const paper = page.locator('.drawing img').first()
    expect(await paper.getAttribute('alt')).toContain('Smash Burger')
    expect(await paper.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400)
    expect(await page.locator('.order-lines').textContent()).toMatch(
      /\$25\.00[\s\S]*\$7\.95[\s\S]*\$32\.95[\s\S]*\$3\.00/,
    )
    expect(await page.locator('.facts').textContent()).toContain('Ana Lopez')
    await page.getByRole('button', { name: 'Send again order.printed' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('has its event sent again from its page', async () => {
    const id = await inject()
    const first = await receiver.nextEvent(
      ({ type, data }) => type === 'order.accepted' && JSON.stringify(data).includes(id),
    )
    const { page } = await atOrders('owner', `/dashboard/orders/${id}`)
    const again = receiver.arrived.next(({ event }) => event.id === first.event.id)
    await page.getByRole('button', { name: 'Send again order.accepted' }).click()
    await again
    await page.locator('.timeline li').filter({ hasText: 'sent by hand' }).waitFor()
  })
})

describe('acts', () => {
  test('ready can be undone, and is sent when it was not undone', async () => {
    const id = await inject()
    const { page } = await atOrders('staff', `/dashboard/orders/${id}`)
    await page.getByRole('button', { name: 'Ready', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('stays as it was').waitFor()
    await page.getByRole('button', { name: 'Ready', exact: true }).click()
    const told = await receiver.nextEvent(
      ({ type, data }) => type === 'order.ready' && JSON.stringify(data).includes(id),
    )
    expect(told.event.type).toBe('order.ready')
    await page.getByRole('button', { name: 'Picked up' }).waitFor()
  })

  test('void asks for confirmation, prints the reason on the slip, and cannot be done twice', async () => {
    const id = await inject()
    const { page } = await atOrders('owner', `/dashboard/orders/${id}`)
    await page.getByRole('button', { name: 'Void', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Void', exact: true }).click()
    await dialog.getByLabel(/Reason/).fill('guest left')
    await dialog.getByRole('button', { name: 'Void', exact: true }).click()
    const { event } = await receiver.nextEvent(
      ({ type, data }) => type === 'order.voided' && JSON.stringify(data).includes(id),
    )
    expect(JSON.stringify(event.data)).toContain('guest left')
    await page.locator('.standing').getByText('Voided').waitFor()
    expect(await page.getByRole('button', { name: 'Void', exact: true }).count()).toBe(0)
  })

  test('of money are not offered to staff', async () => {
    const id = await inject()
    const { page } = await atOrders('staff', `/dashboard/orders/${id}`)
    await page.getByRole('button', { name: 'Print again' }).waitFor()
    expect(await page.getByRole('button', { name: 'Void', exact: true }).count()).toBe(0)
  })

  test('are reached and done by keyboard alone', async () => {
    const id = await inject()
    const visitor = await atOrders('owner')
    await visitor.page.locator(`a[href*="${id}"]`).waitFor()
    await visitor.pressOn(new RegExp(`^${await visitor.page.locator(`a[href*="${id}"]`).textContent()}$`))
    await visitor.page.locator('.timeline').waitFor()
    await visitor.pressOn(/^Void$/)
    await visitor.typeInto(/Reason/, 'by keyboard')
    await visitor.page.keyboard.press('Enter')
    await receiver.nextEvent(
      ({ type, data }) => type === 'order.voided' && JSON.stringify(data).includes('by keyboard'),
    )
  })
})

test('what clients and guests write is text, on every page of orders', async () => {
  const [attack = ''] = ATTACKS
  const id = await inject({
    source: ATTACKS[1].slice(0, 64),
    customer: { name: attack, phone: ATTACKS[2] },
    note: ATTACKS.join(' '),
    table: '<b>7</b>',
    items: ATTACKS.map((note) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note })),
    total: 62.5,
  })
  await receiver.nextEvent(({ type, data }) => type === 'order.printed' && JSON.stringify(data).includes(id))
  for (const path of ['/dashboard/orders', `/dashboard/orders/${id}`, '/dashboard/sandbox']) {
    const { page, complaints } = await atOrders('owner', path)
    await page.locator('table, .drawing img').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => (window as unknown as { attacked?: number }).attacked)).toBeUndefined()
    expect(await page.locator('main script, main img[src="x"]').count()).toBe(0)
    expect(complaints).toEqual([])
  }
})

describe('the sandbox', () => {
  test('explains its restaurants, shows the paper and puts time forward', async () => {
    const fireAt = new Date(Date.now() + 3_600_000 * 2).toISOString()
    const id = await inject({ fireAt })
    const { page } = await atOrders('developer', '/dashboard/sandbox')
    await page.getByText('Fails 30 %').waitFor()
    await page.getByLabel('Put forward by').selectOption('day')
    await page.getByRole('button', { name: 'Put forward' }).click()
    await page.getByText(/1 order moved, 1 of them starts now/).waitFor()
    await receiver.nextEvent(({ type, data }) => type === 'order.printed' && JSON.stringify(data).includes(id))
    await page.locator(`.paper-wall a[href*="${id}"]`).first().waitFor()
  })
})

test('the pages are accessible, light and dark, on a phone and on a desktop', async () => {
  const id = await inject({
    customer: { name: 'Ana Lopez', phone: '+1 555 0134' },
    table: '12',
    tip: 3,
    note: 'birthday',
  })
  await receiver.nextEvent(({ type, data }) => type === 'order.printed' && JSON.stringify(data).includes(id))
  const { page } = await atOrders('owner')
  const faults: string[] = []
  for (const [name, path, ready] of [
    ['orders', '/dashboard/orders', '.data-list'],
    ['order', `/dashboard/orders/${id}`, '.drawing img'],
    ['sandbox', '/dashboard/sandbox', '.paper-wall img'],
  ] as const) {
    await page.goto(`${path}?merchant=M-TEST-001&environment=sandbox`)
    await page.locator(ready).first().waitFor()
    faults.push(
      ...(await keepFaces(page, `dashboard-${name}`, () => accessibilityFaults(page), { widths: [390, 1_280] })),
    )
  }
  expect(faults).toEqual([])
})
