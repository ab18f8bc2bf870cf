// Webhooks at the dashboard, on a real relay: an endpoint that fails, is disabled, enabled and recovered; the inspector; events fired by hand; the log of requests.
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStores } from '#cloud/storage/stores.ts'
import { createEndpoint } from '#cloud/webhooks/endpoints.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { systemClock } from '#shared/clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite } from './dashboard-site.ts'
import { keepFaces, keepWidths } from './screens.ts'
import type { Visitor } from './visitor.ts'

const merchantId = 'M-TEST-001'
const DAY_MS = 86_400_000
const masterKey = randomBytes(32)
const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'&lt;b&gt;{{7*7}}`
const site = new DashboardSite()
/** Of the endpoint that a person adds, and of one that has not taken anything for six days. */
const receiver = new WebhookReceiver()
const sick = new WebhookReceiver()
let owner: Visitor
let page: Page
let orders = 0

beforeAll(async () => {
  await Promise.all([receiver.start(), sick.start()])
  sick.answerWith({ kind: 'status', status: 503, body: HOSTILE })
  await site.start({
    env: {
      CLOUD_MASTER_KEY: masterKey.toString('base64'),
      // A retry that one can wait for.
      CLOUD_WEBHOOK_RETRY_SECONDS: '3,3,3,3,3',
    },
    fill: async (db) => {
      const stores = openStores(db)
      const [merchant] = await stores.merchants.named(merchantId)
      const deps = { ...stores, clock: systemClock, secretBox: new SecretBox(masterKey) }
      const owned = await stores.merchants.byKey(merchant!.id)
      const mine = { ...owned, accountId: site.accountId }
      await db.unit(async (tx) => {
        const wanted = { url: sick.url, events: ['*' as const], description: HOSTILE }
        const { answer } = await createEndpoint(tx, deps, { merchant: mine, ...wanted })
        // One failure more is one too many.
        const change = { failing_since: systemClock.now() - 6 * DAY_MS, failures: 50 }
        await stores.endpoints.change(tx, answer.webhookId, change)
      })
    },
  })
  owner = await site.visitor('owner')
  page = owner.page
})
afterAll(async () => {
  await site.stop()
  await Promise.all([receiver.stop(), sick.stop()])
})

async function go(path: string, heading: string, on = page): Promise<void> {
  await on.goto(`/dashboard${path}?merchant=${merchantId}&environment=sandbox`)
  await on.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** As an integrator does. */
async function inject(more: Record<string, unknown> = {}): Promise<Response> {
  orders += 1
  const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: HOSTILE }]
  return fetch(`${site.url}/v1/order/inject`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchantId, orderId: `page-${orders}`, source: 'kiosk', items, total: 12.5, ...more }),
  })
}

/** It is there already, or opened now. */
async function openInspector(): Promise<void> {
  await go('/webhooks/inspector', 'Inspector')
  const open = page.getByRole('button', { name: 'Open the inspector' })
  const form = page.getByRole('heading', { name: 'It answers' })
  await open.or(form).waitFor()
  if (await open.isVisible()) await open.click()
  await form.waitFor()
}

const card = (words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })

it('adds an endpoint by the keyboard alone: a private address is refused at its field, the secret is shown once', async () => {
  await go('/webhooks', 'Webhooks')
  await owner.pressOn(/^New endpoint$/)
  await page.getByRole('dialog').waitFor()
  await owner.typeInto(/^URL/, 'https://10.0.0.8/in')
  await page.keyboard.press('Enter')
  await page
    .getByText(/Is a private address, which this relay does not call/)
    .first()
    .waitFor()
  expect(await page.getByLabel(/^URL/).inputValue()).toBe('https://10.0.0.8/in')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  receiver.secret =
    (await dialog
      .getByText(/^whsec_/)
      .first()
      .textContent()) ?? ''
  await owner.pressOn(/^I have kept it$/)
  await page.getByRole('link', { name: receiver.url }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: receiver.url }).waitFor()
  expect(await page.content()).not.toContain('whsec_')
})

it('shows the listen secret on request, and hides it again', async () => {
  await go('/webhooks', 'Webhooks')
  expect(await page.content()).not.toContain('whsec_')
  await page.getByRole('button', { name: 'Show the listen secret' }).click()
  await page
    .getByRole('region', { name: 'Listen secret' })
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('button', { name: 'Hide it' }).click()
  await page.getByRole('button', { name: 'Show the listen secret' }).waitFor()
  expect(await page.content()).not.toContain('whsec_')
})

it('sends alerts where they are ticked by name, beside all nine', async () => {
  await go('/webhooks', 'Webhooks')
  await page.getByRole('link', { name: receiver.url }).click()
  const alerts = page.getByRole('checkbox', { name: 'alert.started' })
  expect(await alerts.isChecked()).toBe(false)
  await page.getByRole('checkbox', { name: 'All nine events' }).waitFor()
  await alerts.check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('all (*), alert.started').waitFor()
  await page.getByRole('checkbox', { name: 'All nine events' }).uncheck()
  expect(await page.getByRole('checkbox', { name: 'sku.low_stock' }).isChecked()).toBe(true)
  expect(await alerts.isChecked()).toBe(true)
  expect(await accessibilityFaults(page)).toEqual([])
})

it('shows why an endpoint fails, that another one was disabled and why; one button enables it, and it is recovered', async () => {
  await go('/webhooks', 'Webhooks')
  receiver.answerWith({ kind: 'status', status: 500, body: HOSTILE })
  expect((await inject()).status).toBe(200)
  await card(receiver.url).getByText('it answered 500').waitFor()
  await card(receiver.url).getByText('Failing').waitFor()
  await card(sick.url)
    .getByText(/Nothing was taken for 5 days/)
    .waitFor()
  expect(await keepFaces(page, 'dashboard-webhooks', accessibilityFaults)).toEqual([])
  sick.answerWith({ kind: 'status', status: 200 })
  await card(sick.url).getByRole('button', { name: 'Enable' }).click()
  await card(sick.url)
    .getByText(/Nothing was taken for 5 days/)
    .waitFor({ state: 'detached' })
  await page.getByRole('link', { name: sick.url }).click()
  await page.getByRole('heading', { level: 1, name: sick.url }).waitFor()
  const before = sick.received.length
  await page.getByRole('button', { name: 'Recover', exact: true }).click()
  await sick.waitFor(before + 1)
  await page.getByRole('cell', { name: 'Taken' }).first().waitFor()
  expect(await keepFaces(page, 'dashboard-endpoint', accessibilityFaults)).toEqual([])
})

it('shows a delivery with each attempt as it was sent, and sends it again', async () => {
  await go('/webhooks', 'Webhooks')
  await page.getByRole('link', { name: sick.url }).click()
  await page.getByRole('heading', { level: 1, name: sick.url }).waitFor()
  await page
    .getByRole('link', { name: /^order\./ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^Delivery: order/ }).waitFor()
  await page.getByText('Attempt 1').waitFor()
  await page.getByText('Headers as sent').first().click()
  await page.getByText('X-Service-Signature', { exact: true }).first().waitFor()
  const before = sick.received.length
  await page.getByRole('button', { name: 'Send again' }).click()
  await sick.waitFor(before + 1)
  await page.getByText(/by hand/).waitFor()
  expect(await keepFaces(page, 'dashboard-delivery', accessibilityFaults)).toEqual([])
  await page.getByRole('button', { name: 'Open in the inspector' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inspector' }).waitFor()
  await page.getByText('answered 200').first().waitFor()
})

it('shows in the inspector what an order makes of it, answers 500 as picked, and the retry is seen', async () => {
  await openInspector()
  await page.getByLabel('Status').selectOption('500')
  await page.getByRole('button', { name: 'Answer so from now on' }).click()
  await page.getByText('From now on it answers so.').waitFor()
  await inject()
  const received = page.getByRole('list', { name: 'Received' })
  await received
    .getByRole('button', { name: /order\.accepted/ })
    .filter({ hasText: 'answered 500' })
    .first()
    .click()
  await page.getByText(/The relay tries again/).waitFor()
  // Each step of the check of its signature.
  expect(await page.getByRole('article').locator('.check-steps .mark.ok').count()).toBe(5)
  await page.getByText('Attempt 2').or(received.getByText('answered 500').nth(1)).first().waitFor()
  await page.getByLabel('Status').selectOption('204')
  await page.getByRole('button', { name: 'Answer so from now on' }).click()
  await received.getByText('answered 204').first().waitFor()
  expect(await keepFaces(page, 'dashboard-inspector', accessibilityFaults)).toEqual([])
})

it('fires an event with edited data: wrong data name each field and keep the text, right ones arrive as they were typed', async () => {
  await openInspector()
  await page.getByLabel('Event', { exact: true }).selectOption('order.ready')
  const data = page.getByLabel('Data (JSON)')
  const sample = await data.inputValue()
  await data.fill(`${sample}x`)
  await page.getByRole('button', { name: 'Fire', exact: true }).click()
  await page.getByText(/^This is not JSON/).waitFor()
  const wrong = sample.replace('"total": 32.95', '"total": "much"')
  expect(wrong).not.toBe(sample)
  await data.fill(wrong)
  await page.getByRole('button', { name: 'Fire', exact: true }).click()
  await page.getByRole('alert').getByText('order.total').waitFor()
  expect(await data.inputValue()).toBe(wrong)
  expect(await keepWidths(page, 'dashboard-fire-wrong')).toEqual([])
  await data.fill(sample.replace('"note": null', `"note": ${JSON.stringify(HOSTILE)}`))
  await page.getByRole('button', { name: 'Fire', exact: true }).click()
  await page.getByRole('link', { name: 'See the delivery' }).click()
  await page.getByRole('heading', { level: 1, name: 'Delivery: order.ready' }).waitFor()
  await page.locator('pre', { hasText: '"test": true' }).first().waitFor()
  await page.locator('pre', { hasText: '{{7*7}}' }).first().waitFor()
})

it('lists the events of an order, and sends one to another endpoint', async () => {
  await go('/events', 'Events')
  expect(await keepFaces(page, 'dashboard-events', accessibilityFaults)).toEqual([])
  await page.getByRole('link', { name: 'order.accepted' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Event: order.accepted' }).waitFor()
  receiver.answerWith({ kind: 'status', status: 200 })
  const before = receiver.received.length
  await page.getByLabel('Send to').selectOption({ label: receiver.url })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await receiver.waitFor(before + 1)
  expect(receiver.received.at(-1)?.signatureValid).toBe(true)
  expect(await keepFaces(page, 'dashboard-event', accessibilityFaults)).toEqual([])
})

it('puts equal errors together with what to do, and makes a call again in the sandbox', async () => {
  for (let i = 0; i < 3; i++) expect((await inject({ total: 99 })).status).toBe(422)
  await go('/requests', 'Requests')
  await page.getByText('3 times').waitFor()
  await page.getByText(/is the sum of/).waitFor()
  expect(await keepFaces(page, 'dashboard-requests', accessibilityFaults)).toEqual([])
  await page.getByRole('button', { name: 'Show these' }).first().click()
  await page.getByRole('link', { name: 'POST /v1/order/inject' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor()
  const body = page.getByLabel('Body (JSON)')
  await body.fill((await body.inputValue()).replace('"total": 99', '"total": 12.5'))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('pre', { hasText: '"status": "accepted"' }).waitFor()
  expect(await keepFaces(page, 'dashboard-request', accessibilityFaults)).toEqual([])
  // A note is never kept.
  expect(await page.content()).not.toContain('{{7*7}}')
})

it('is read in Spanish and Chinese too, without a word of English between', async () => {
  for (const [locale, heading, success] of [
    ['es', 'Webhooks', 'Aceptado en 24 horas'],
    ['zh-CN', 'Webhook', '24 小时内已接收'],
  ] as const) {
    const other = await site.visitor('developer', { locale, width: 390 })
    await other.page.goto(`/dashboard/webhooks?merchant=${merchantId}&environment=sandbox`)
    await other.page.getByText(success).first().waitFor()
    expect(await other.page.getByRole('heading', { level: 1 }).textContent()).toContain(heading)
    expect(await other.page.getByText('Last failure').count()).toBe(0)
    expect(await accessibilityFaults(other.page)).toEqual([])
    await other.context.close()
  }
})

it('executes nothing in a note, a description or an answer, and staff see none of it', async () => {
  expect(await page.title()).not.toContain('owned')
  // What was refused on purpose.
  expect(owner.complaints.filter((one) => !one.includes('422'))).toEqual([])
  const staff = await site.visitor('staff')
  await staff.page.goto(`/dashboard/webhooks?merchant=${merchantId}&environment=sandbox`)
  await staff.page.getByText('Your role does not see this').waitFor()
  await staff.context.close()
})
