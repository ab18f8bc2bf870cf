// The pages of those who run the relay, on one without a mail server: what is kept is read after a password alone; all are read by everybody, in each language, light and dark, on a phone.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { fillAccount } from './dashboard-account-data.ts'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new DashboardSite()
let operator: Visitor

beforeAll(async () => {
  await site.start({
    env: { CLOUD_MAIL_URL: '', CLOUD_MAIL_FROM: '' },
    fill: async (db) => void (await fillAccount(db, site.accountId, site.otherAccountId)),
  })
  operator = await site.visitor('operator')
})
afterAll(() => site.stop())

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${path}`)
  await page.locator('.dashboard h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.grey-rows') === null)
}

it('shows a kept code only after the operator’s identity is confirmed', async () => {
  const { page } = operator
  // The owner asks for a code to sign in, which nobody mails here.
  const stranger = await site.stranger()
  await stranger.page.goto('/dashboard/')
  await stranger.post('session/code', { email: site.person('owner').email, language: 'en' })
  await stranger.context.close()

  const answers: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('op.outbox')) answers.push(await response.text())
  })
  await open(page, 'operator/outbox')
  await page.getByText('No mail server is set up').waitFor()
  await page.getByRole('button', { name: 'Read: Code to owner@casanina.example' }).click()
  const asked = page.getByRole('dialog', { name: 'Show that it is you' })
  await asked.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const mail = page.getByRole('dialog', { name: 'A mail that is kept here' })
  const text = (await mail.locator('pre').textContent()) ?? ''
  const [code] = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(text) ?? []
  expect(code).toBeDefined()
  expect(answers.length).toBeGreaterThan(0)
  expect(answers.filter((answer) => answer.includes(code ?? '') || /[A-Z0-9]{4}-[A-Z0-9]{4}/.test(answer))).toEqual([])
  expect(await keepFaces(page, 'dashboard-outbox-mail', accessibilityFaults)).toEqual([])
  await page.keyboard.press('Escape')
})

it('sends a test mail, which is kept too, and narrows the list to one state', async () => {
  const { page } = operator
  await open(page, 'operator/outbox')
  await page.getByRole('button', { name: 'Send a test mail' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send a test mail' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Read: Test mail to operator@casanina.example' }).waitFor()
  await page.getByLabel('State').selectOption('sent')
  await page.getByText('No mail in this state.').waitFor()
})

it('is not for members of an account', async () => {
  const { page, context } = await site.visitor('owner')
  await open(page, 'operator/outbox')
  await page.getByText('Only those who run this relay').first().waitFor()
  await context.close()
})

it.each(['en', 'es', 'zh-Hans'])(
  'every page of the operator in %s is read by everybody and fits a phone',
  async (language) => {
    const { page } = operator
    await page.evaluate((chosen) => localStorage.setItem('ticketrail.language', chosen), language)
    const faults: string[] = []
    for (const path of ['operator', 'operator/fleet', 'operator/outbox']) {
      await open(page, path)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
      const name = `dashboard-${path.replace('/', '-')}-${language}`
      faults.push(...(await keepFaces(page, name, accessibilityFaults, { widths: [390, 1_280] })))
    }
    expect(faults).toEqual([])
  },
)

it('caused no browser warning except for the requested confirmation', () => {
  expect(operator.complaints.filter((words) => !words.includes('status of 403'))).toEqual([])
})
