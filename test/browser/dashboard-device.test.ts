// The page where a person approves a command line: reached signed out by the address that a terminal shows, by keyboard, on a phone, in three languages, for sandbox and live.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import type { DeviceCodeAnswer, DeviceTokenAnswer } from '#shared/wire/device-sign-in.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'
import { keepFaces, keepScreen } from './screens.ts'

const site = new DashboardSite()
beforeAll(() =>
  site.start({
    fill: async (db) => {
      const live = { live_approved_at: systemClock.now(), plan: 'starter' as const }
      await db.unit((tx) => openStores(db).accounts.change(tx, site.accountId, live))
    },
  }),
)
afterAll(() => site.stop())

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${site.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

/** As the command line does it. */
async function begin(more: Record<string, unknown> = {}): Promise<DeviceCodeAnswer> {
  const asked = { host: 'ninas-laptop', app: 'ticketrail/1.4.0 (linux x64)', ...more }
  return (await post('/device/code', asked)).body as DeviceCodeAnswer
}

const fetchKey = async ({ deviceCode }: DeviceCodeAnswer) => post('/device/token', { deviceCode })

const code = (page: Page, { userCode }: DeviceCodeAnswer) => page.locator('output', { hasText: userCode })

it('somebody who is signed out follows the address of the terminal, signs in, and is back at the code', async () => {
  const codes = await begin()
  const { page, context, complaints } = await site.stranger()
  await page.goto(codes.verificationUriComplete)
  await page.getByRole('button', { name: 'Password forgotten?' }).click()
  await page.getByRole('button', { name: 'Have an account already? Sign in' }).click()
  await page.getByLabel('E-mail').fill(site.person('owner').email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await code(page, codes).waitFor()
  await page.getByText('Approve this only if you started it yourself').waitFor()
  await page.getByText('CLI on ninas-laptop').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Your terminal continues by itself').waitFor()
  const { status, body } = await fetchKey(codes)
  expect([status, (body as DeviceTokenAnswer).account.accountId]).toEqual([200, site.accountId])
  await page.getByRole('link', { name: 'Keys' }).last().click()
  await page.getByRole('row', { name: /CLI on ninas-laptop.*ends in/ }).waitFor()
  // Nobody had signed in when the page was opened.
  expect(complaints.filter((words) => !words.includes('401'))).toEqual([])
  await context.close()
})

it('by keyboard alone: the code is typed, and the program denied', async () => {
  const codes = await begin()
  const visitor = await site.visitor()
  await visitor.page.goto('/dashboard/device')
  await visitor.typeInto(/^Code/, codes.userCode.toLowerCase().replace('-', ''))
  await visitor.page.keyboard.press('Enter')
  await code(visitor.page, codes).waitFor()
  await visitor.pressOn(/^Deny$/)
  await visitor.page.getByText('The program gets no key').waitFor()
  expect(await visitor.page.locator('h1').evaluate((heading) => heading === document.activeElement)).toBe(true)
  expect((await fetchKey(codes)).body).toMatchObject({ error: 'access_denied' })
  expect(visitor.complaints).toEqual([])
  await visitor.context.close()
})

it('an address whose code is unreadable counts as one without a code: it can be typed', async () => {
  const codes = await begin()
  const { page, context, complaints } = await site.visitor()
  await page.goto('/dashboard/device#%')
  await page.getByLabel('Code').fill(codes.userCode)
  await page.keyboard.press('Enter')
  await code(page, codes).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

it('a wrong code is reported at its field, and the next one can be typed', async () => {
  const codes = await begin()
  const { page, context } = await site.visitor()
  await page.goto('/dashboard/device')
  const field = page.getByLabel('Code')
  await field.fill('nonsense')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid="true"]').waitFor()
  await field.fill('BBBB-0000')
  await page.keyboard.press('Enter')
  await page.getByText('No program waits under this code').waitFor()
  await field.fill(codes.userCode)
  await page.keyboard.press('Enter')
  await code(page, codes).waitFor()
  await context.close()
})

it('a live key requires a confirmed identity, and is marked as for real restaurants', async () => {
  const codes = await begin({ environment: 'live', scopes: ['menu:read'] })
  const { page, context } = await site.visitor()
  await page.goto(codes.verificationUriComplete)
  await page.getByText('Live: real restaurants').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Show that it is you' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Your terminal continues by itself').waitFor()
  expect((await fetchKey(codes)).body).toMatchObject({ environment: 'live', scopes: ['menu:read'] })
  await context.close()
})

it.each([
  [1280, 900],
  [390, 844],
])('on a screen of %i by %i both answers and the age of the request are in view without scrolling', async (...size) => {
  const [width, height] = size
  const codes = await begin({ host: 'a-machine-with-a-long-name.branch-office-42' })
  const { page, context } = await site.visitor('owner', { width })
  await page.setViewportSize({ width, height })
  await page.goto(codes.verificationUriComplete)
  await code(page, codes).waitFor()
  for (const name of ['Approve', 'Deny']) {
    const button = page.getByRole('button', { name })
    const box = await button.boundingBox()
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
    // Nothing lies over it.
    await button.click({ trial: true, noWaitAfter: true })
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }
  await keepScreen(page, `dashboard-device-${width}-by-${height}`, false)
  expect(await page.locator('dt', { hasText: 'Asked' }).locator('+ dd').textContent()).toMatch(/now|ago/)
  await context.close()
})

it('a manager sees the requesting program, and that an owner or developer has to answer', async () => {
  const codes = await begin()
  const { page, context } = await site.visitor('manager')
  await page.goto(codes.verificationUriComplete)
  await page.getByText('Your role in this account may not make keys').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await context.close()
})

it.each(['en', 'es', 'zh-Hans'])(
  'in %s the page has no fault, light and dark, from a phone to a desk',
  async (locale) => {
    const codes = await begin({ host: 'a-machine-with-a-long-name.branch-office-42' })
    const { page, context, complaints } = await site.visitor('owner', { locale, width: 390 })
    await page.goto('/dashboard/device')
    await page.locator('input[name="userCode"]').waitFor()
    expect(await keepFaces(page, `dashboard-device-type-${locale}`, accessibilityFaults)).toEqual([])
    await page.goto('about:blank')
    await page.goto(codes.verificationUriComplete)
    await code(page, codes).waitFor()
    expect(await keepFaces(page, `dashboard-device-${locale}`, accessibilityFaults)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
)
