// Into the dashboard and out again, on a real relay: by link, password, code, passkey; what a wrong one is told; whoever is signed out meanwhile loses nothing.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'

const site = new DashboardSite()

beforeAll(() => site.start())
afterAll(() => site.stop())

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const home = (page: Page) => page.getByRole('heading', { level: 1, name: 'Home' })

it('signs in by a link, once', async () => {
  const link = site.link('owner')
  const visitor = await site.stranger()
  await visitor.page.goto(link)
  await home(visitor.page).waitFor()
  expect(new URL(visitor.page.url()).hash).toBe('')
  const second = await site.stranger()
  await second.page.goto(link)
  await second.page.getByText('This link was used, or has expired').waitFor()
  await second.page.getByRole('button', { name: 'To the sign-in' }).click()
  await signIn(second.page).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.context.close()
  await second.context.close()
})

it('signs in by a password, says what is wrong with another, and signs out', async () => {
  const { email } = site.person('owner')
  const { page, context } = await site.stranger()
  await page.goto('/dashboard/orders')
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill('not this one')
  await signIn(page).click()
  await page.getByText('E-mail or password is wrong.').waitFor()
  expect(await page.getByLabel(/^E-mail/).inputValue()).toBe(email)
  expect(await page.getByLabel(/^Password/).inputValue()).toBe('')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  // Where one wanted to go.
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.getByRole('button', { name: /^You: / }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page).waitFor()
  await page.reload()
  await signIn(page).waitFor()
  await context.close()
})
