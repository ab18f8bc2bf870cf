// Who builds on the API, and with whom: from a key to paper and webhook by the very lines of the page, keys that are rotated and revoked, people who come and go.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'
import { pasted } from './pasted.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new DashboardSite()
let owner: Visitor

beforeAll(async () => {
  await site.start()
  owner = await site.visitor('owner')
})
afterAll(() => site.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function looked(page: Page, name: string): Promise<void> {
  expect(await keepFaces(page, `dashboard-${name}`, accessibilityFaults)).toEqual([])
}

async function statusOf(apiKey: string, path: string): Promise<number> {
  return (await fetch(`${site.url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).status
}

it('leads from a key to a ticket and a webhook by the lines of Quick start, run in a shell', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Quick start' }).click()
  await button(page, 'Make a key').click()
  await page
    .getByRole('region', { name: 'The order' })
    .getByText(/Bearer sk_sandbox_\w+/)
    .waitFor()
  // It is open before the order leaves: the first webhook is not lost.
  await page.getByText('The inspector listens for the webhooks of this order.').waitFor()
  expect(await pasted(page, 'The order')).toMatchObject({ status: 'accepted' })
  await page.getByRole('img', { name: /quick-start/ }).waitFor()
  await page.getByText('Received: order.accepted').waitFor()
  await page.getByText('Received: order.printed').waitFor()
  await page.getByText('Its signature is right.').first().waitFor()
  await looked(page, 'quick-start-done')
  // The same from the page itself, and by JavaScript.
  await button(page, 'JavaScript').click()
  await page.getByRole('region', { name: 'The order' }).getByText('await fetch').waitFor()
  await button(page, 'Run it here').click()
  await page.getByText('Taken.').waitFor()
  await page.getByRole('link', { name: 'See the order' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  // With the key both times, so both calls stand under Requests.
  const calls = async () =>
    (await site.ask(owner, 'requests.list', { environment: 'sandbox' })).data.filter(({ method }) => method === 'POST')
  await expect.poll(async () => (await calls()).map(({ path }) => path)).toEqual(Array(2).fill('/v1/order/inject'))
})

it('makes a key that is shown once and works at once', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await button(page, 'Create key').click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByRole('checkbox', { name: /^Read the menu/ }).uncheck()
  await dialog.getByLabel('Ends').selectOption('30')
  await looked(page, 'key-form')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  expect(await pasted(page, 'A first call')).toMatchObject({ data: expect.any(Array) })
  await page.getByText('ends in 30 days').waitFor()
  await looked(page, 'key-shown')
  await page.reload()
  await page.getByText('ends in 30 days').waitFor()
  expect(await page.getByText('Your new key').count()).toBe(0)
})

it('takes a right from a key, rotates it and revokes it, each from the next request on', async () => {
  const { page } = owner
  await button(page, 'Create key').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const apiKey = (await page.getByRole('region', { name: 'Key', exact: true }).locator('pre').textContent()) ?? ''
  const last = apiKey.slice(-4)
  const skus = '/v1/skus?merchantId=M-TEST-001'
  expect(await statusOf(apiKey, skus)).toBe(200)
  await button(page, `Change what key …${last} may do`).click()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Read the menu/ })
    .uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await statusOf(apiKey, skus)).toBe(403)
  await button(page, `Rotate key …${last}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  const row = page.getByRole('row', { name: new RegExp(`…${last}`) })
  await row.getByText(/Rotated · ends in (23|24) hr/).waitFor()
  const rotated = (await page.getByRole('region', { name: 'Key', exact: true }).locator('pre').textContent()) ?? ''
  expect([await statusOf(rotated, '/v1/merchants'), await statusOf(apiKey, '/v1/merchants')]).toEqual([200, 200])
  await button(page, `Revoke key …${last}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('The key has ended.').waitFor()
  expect([await statusOf(rotated, '/v1/merchants'), await statusOf(apiKey, '/v1/merchants')]).toEqual([200, 401])
})

it('makes one key although the answer to the first try was lost', async () => {
  const { page } = owner
  const before = (await site.ask(owner, 'keys.list', {})).length
  await page.route(
    '**/keys.create',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await button(page, 'Create key').click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('No answer came.').waitFor()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await site.ask(owner, 'keys.list', {})).length).toBe(before + 1)
})

it('finds an order by the id that its client gave it, and goes to its page', async () => {
  const { page } = owner
  const { rows } = await site.ask(owner, 'orders.list', { merchantId: 'M-TEST-001' })
  const order = rows[0]
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(order?.orderId ?? '')
  await page.getByRole('option', { name: `Open ${order?.orderId}` }).waitFor()
  await looked(page, 'search')
  await page.getByRole('combobox').press('Enter')
  await page.waitForURL(({ pathname }) => pathname === `/dashboard/orders/${order?.serviceOrderId}`)
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
})

it('asks for live access, and shows that it is pending', async () => {
  const { page } = owner
  await button(page, 'Live').click()
  await page.getByLabel(/^What will you connect/).fill('Two restaurants in Madrid')
  await button(page, 'Ask').click()
  await page.getByText(/^Asked .* You get a mail with the answer\.$/).waitFor()
  await looked(page, 'live-asked')
  await button(page, 'Sandbox').click()
})

it('changes another person’s rights after the identity is confirmed, and does not ask a second time', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'People' }).click()
  await button(page, 'Change role of Staff Person').click()
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /^Manager/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  const who = page.getByRole('dialog', { name: 'Show that it is you' })
  await who.getByLabel(/^Your password/).fill(PASSWORD)
  await looked(page, 'step-up')
  await who.getByRole('button', { name: 'Go on' }).click()
  await page
    .getByRole('row', { name: /Staff Person/ })
    .getByText('Manager')
    .waitFor()
  await button(page, 'Invite somebody').click()
  await page
    .getByRole('dialog')
    .getByLabel(/^E-mail/)
    .fill('not an address')
  await page.getByRole('dialog').getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('Must be an e-mail address').waitFor()
  await page
    .getByRole('dialog')
    .getByLabel(/^E-mail/)
    .fill('cook@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('An invitation is on its way to cook@example.com.').waitFor()
  await site.mailed('cook@example.com', /(http\S+\/dashboard\/invite#\S+)/)
  await looked(page, 'people')
  await button(page, 'Take back the invitation of cook@example.com').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => page.getByText('cook@example.com', { exact: true }).count()).toBe(0)
  await button(page, 'Remove Developer Person').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Developer Person is no longer in the account.').waitFor()
})

it('does not remove the last owner, and gives the reason', async () => {
  const { page } = owner
  await button(page, 'Remove Owner Person').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('An account needs an owner').waitFor()
})

it('made the browser complain of nothing but what was refused', () => {
  expect(owner.complaints.filter((words) => !/status of 4(03|09|22)|net::ERR_FAILED/.test(words))).toEqual([])
})
