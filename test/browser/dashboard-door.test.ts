// Into the dashboard and out again, on a real relay: by link, password, code, passkey; sign-up and invitation; what a wrong one is told. Whoever is signed out meanwhile loses nothing.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeLinkCode } from '#cloud/people/link-codes.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'
import { pasted } from './pasted.ts'
import { keepFaces } from './screens.ts'

const site = new DashboardSite()
let expiredLink = ''

beforeAll(() =>
  site.start({
    fill: async (db, { accountId, people }) => {
      const stores = { ...openStores(db), clock: systemClock }
      const owner = people.get('owner')
      const { code } = await db.unit((tx) =>
        makeLinkCode(tx, stores, {
          ...{ kind: 'welcome', emailNorm: owner?.email ?? '', accountId, role: null, madeBy: 'test' },
          ...{ details: { userId: owner?.userId }, validMs: 0 },
        }),
      )
      expiredLink = `/dashboard#welcome=${code}`
    },
  }),
)
afterAll(() => site.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Light and dark at every width: axe finds nothing, and nothing scrolls sideways. */
async function looked(page: Page, name: string): Promise<void> {
  expect(await keepFaces(page, `dashboard-${name}`, accessibilityFaults)).toEqual([])
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^You: / }).click()
  await button(page, 'Sign out').click()
}

it('signs in by a link, once; one that has expired leads to the sign-in', async () => {
  const link = site.link('owner')
  const visitor = await site.stranger()
  await visitor.page.goto(link)
  await heading(visitor.page, 'Home').waitFor()
  expect(new URL(visitor.page.url()).hash).toBe('')
  expect(visitor.complaints).toEqual([])
  for (const spent of [link, expiredLink]) {
    const { page, context } = await site.stranger()
    await page.goto(spent)
    await page.getByText('This link was used, or has expired').waitFor()
    await button(page, 'To the sign-in').click()
    await button(page, 'Sign in').waitFor()
    await context.close()
  }
  await visitor.context.close()
})

it.each([
  ['en', 'Sign in'],
  ['es', 'Iniciar sesión'],
  ['zh-CN', '登录'],
])('speaks %s at the door', async (locale, name) => {
  const { page, context } = await site.stranger({ locale })
  await page.goto('/dashboard/')
  await button(page, name).waitFor()
  await looked(page, `door-${locale}`)
  await context.close()
})

it('signs in by a password, reports a wrong one, opens the requested page, and signs out', async () => {
  const { email } = site.person('manager')
  const { page, context } = await site.stranger()
  await page.goto('/dashboard/orders')
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill('not this one')
  await button(page, 'Sign in').click()
  await page.getByText('E-mail or password is wrong.').waitFor()
  expect(await page.getByLabel(/^E-mail/).inputValue()).toBe(email)
  expect(await page.getByLabel(/^Password/).inputValue()).toBe('')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await heading(page, 'Orders').waitFor()
  await signOut(page)
  await button(page, 'Sign in').waitFor()
  await page.reload()
  await button(page, 'Sign in').waitFor()
  await context.close()
})

it('signs in by a code that is sent by mail, and shows how many attempts a wrong one leaves', async () => {
  const { email } = site.person('developer')
  const { page, context } = await site.stranger()
  await page.goto('/dashboard/')
  await button(page, 'Send me a code').click()
  await page.getByText('must be').first().waitFor()
  await page.getByLabel(/^E-mail/).fill(email)
  await button(page, 'Send me a code').click()
  await page.getByLabel(/^Code/).fill('WRON-GONE')
  await button(page, 'Sign in').click()
  await page.getByText('That is not the code. Look again; tries that are left: 4.').waitFor()
  await looked(page, 'door-wrong-code')
  await page.getByLabel(/^Code/).fill((await site.mailed(email, /([0-9A-Z]{4}-[0-9A-Z]{4})/)).toLowerCase())
  await page.keyboard.press('Enter')
  await heading(page, 'Home').waitFor()
  await context.close()
})

it('sets a new password in the place of a forgotten one, by a code', async () => {
  const { email } = site.person('staff')
  const { page, context } = await site.stranger()
  await page.goto('/dashboard/')
  await button(page, 'Password forgotten?').click()
  await page.getByLabel(/^E-mail/).fill(email)
  await button(page, 'Send the code').click()
  await page.getByLabel(/^New password/).fill('12345678')
  await page.getByLabel(/^Code/).fill(await site.mailed(email, /([0-9A-Z]{4}-[0-9A-Z]{4})/))
  await button(page, 'Set the password').click()
  await page.getByText('too easy to guess').waitFor()
  await page.getByLabel(/^New password/).fill('a new door of three words')
  await button(page, 'Set the password').click()
  await heading(page, 'Home').waitFor()
  await context.close()
})

it('creates an account by a code that is sent by mail, and its first line in a shell makes a ticket and a webhook in the inspector', async () => {
  const email = 'newcomer@example.com'
  const { page, context } = await site.stranger()
  await page.goto('/dashboard/sign-up')
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Your name/).fill('New Comer')
  await page.getByLabel(/^Company/).fill('Fresh Bistro')
  await looked(page, 'sign-up')
  await button(page, 'Send the code').click()
  await page.getByLabel(/^Code/).fill(await site.mailed(email, /([0-9A-Z]{4}-[0-9A-Z]{4})/))
  await button(page, 'Make the account').click()
  await page.getByRole('link', { name: 'Start here' }).click()
  await page
    .getByRole('region', { name: 'The order' })
    .getByText(/Bearer sk_sandbox_\w+/)
    .waitFor()
  await page.getByText('Fresh Bistro').first().waitFor()
  await button(page, 'Open the inspector').click()
  await page.getByText('The inspector listens for the webhooks of this order.').waitFor()
  const { status, serviceOrderId } = await pasted(page, 'The order')
  expect(status).toBe('accepted')
  await page.getByRole('img', { name: /quick-start/ }).waitFor()
  await page.getByText('Received: order.printed').waitFor()
  await page.getByRole('link', { name: 'All that the inspector received' }).click()
  await page
    .getByRole('list', { name: 'Received' })
    .getByRole('button', { name: /^order\.printed/ })
    .click()
  const webhook = page.getByRole('article', { name: 'order.printed' })
  await webhook.getByText(String(serviceOrderId)).first().waitFor()
  const steps = (await webhook.locator('.check-steps').textContent()) ?? ''
  expect([steps.includes('fits'), steps.includes('does not fit')]).toEqual([true, false])
  await context.close()
})

it('accepts an invitation, which shows its role before it is accepted', async () => {
  const owner = await site.visitor('owner')
  await owner.post('session/elevate', { password: PASSWORD })
  await site.ask(owner, 'people.invite', { email: 'guest@example.com', role: 'staff', language: 'en' })
  const link = new URL(await site.mailed('guest@example.com', /(http\S+\/dashboard\/invite#\S+)/))
  const { page, context } = await site.stranger({ width: 390, height: 844 })
  await page.goto(`${link.pathname}${link.hash}`)
  await page.getByText('To the account Casa Nina, as Staff.').waitFor()
  await page.getByText('Owner Person invites you.').waitFor()
  await page.getByLabel(/^Your name/).fill('Guest')
  await looked(page, 'invitation')
  await button(page, 'Accept').click()
  await heading(page, 'Home').waitFor()
  // Staff have what they need at hand, and nothing else. Who called and what was said on the voicemail is part of it.
  const links = await page.getByRole('navigation').getByRole('link').allTextContents()
  expect(links).toEqual(['Home', 'Orders', 'Kitchens', 'Menu', 'Calls'])
  await page.goto(`${link.pathname}${link.hash}`)
  await context.close()
  const again = await site.stranger()
  await again.page.goto(`${link.pathname}${link.hash}`)
  await again.page.getByText('This invitation was used already.').waitFor()
  await again.context.close()
  await owner.context.close()
})

it('accepts an invitation of a person who is signed in already, and a used link leads them back', async () => {
  const owner = await site.visitor('owner')
  await owner.post('session/elevate', { password: PASSWORD })
  const { email } = site.person('operator')
  await site.ask(owner, 'people.invite', { email, role: 'staff', language: 'en' })
  const link = new URL(await site.mailed(email, /(http\S+\/dashboard\/invite#\S+)/))
  const { page, context } = await site.visitor('operator')
  await page.goto('about:blank')
  await page.goto(`${link.pathname}${link.hash}`)
  await page.getByText('To the account Casa Nina, as Staff.').waitFor()
  await button(page, 'Accept').click()
  await heading(page, 'Home').waitFor()
  await page.goto('about:blank')
  await page.goto(`${link.pathname}${link.hash}`)
  await page.getByText('This invitation was used already.').waitFor()
  await button(page, 'To the sign-in').click()
  await heading(page, 'Home').waitFor()
  await page.goto('about:blank')
  await page.goto('/dashboard/sign-in')
  await heading(page, 'Home').waitFor()
  await context.close()
  await owner.context.close()
})

it('adds a passkey after the identity is confirmed, and signs in with it', async () => {
  const visitor = await site.visitor('owner')
  const { page, context } = visitor
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto('/dashboard/me')
  await button(page, 'Add a passkey').click()
  const dialog = page.getByRole('dialog', { name: 'Show that it is you' })
  await dialog.getByLabel(/^Your password/).fill('not this one')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByText('That is not your password.').waitFor()
  await dialog.getByLabel(/^Your password/).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Added. You can sign in with it from now on.').waitFor()
  await page.getByText('Chrome on Linux').first().waitFor()
  await looked(page, 'me')
  // At the sign-in the device offers the passkey by itself, and this one is taken at once.
  await Promise.all([page.waitForEvent('load'), signOut(page)])
  await heading(page, 'Home').waitFor()
  const devices = await site.ask(visitor, 'me.devices', {})
  expect(devices.find(({ isThis }) => isThis)?.method).toBe('passkey')
  await context.close()
})

it('signs in again over the page whoever was signed out elsewhere: what was typed stays', async () => {
  const { page, context, complaints } = await site.visitor('manager')
  await page.goto('/dashboard/me')
  await page.getByLabel(/^Name/).fill('Typed and not saved')
  const other = await site.visitor('manager')
  const devices = await site.ask(other, 'me.devices', {})
  for (const { sessionId, isThis } of devices) if (!isThis) await site.ask(other, 'me.device.end', { sessionId })
  // The feed ends with the session: the page asks by itself.
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await dialog.getByLabel(/^Password/).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel(/^Name/).inputValue()).toBe('Typed and not saved')
  await button(page, 'Save').click()
  await page.getByText('Saved.').waitFor()
  expect((await site.ask(other, 'me.get', {})).name).toBe('Typed and not saved')
  expect(complaints.filter((words) => !/status of 4\d\d/.test(words))).toEqual([])
  await context.close()
  await other.context.close()
})

it('accepts no password by plain http from another machine, and explains why', async () => {
  const { page, context } = await site.stranger()
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.5' })
  await page.goto('/dashboard/')
  await page.getByText('a password could be read on the way').waitFor()
  expect(await page.getByLabel(/^Password/).count()).toBe(0)
  await looked(page, 'door-plain')
  await context.close()
})

it('is used by the keyboard alone', async () => {
  const visitor = await site.stranger()
  await visitor.page.goto('/dashboard/')
  await button(visitor.page, 'Sign in').waitFor()
  await visitor.typeInto(/^E-mail/, site.person('developer').email)
  await visitor.typeInto(/^Password/, PASSWORD)
  await visitor.page.keyboard.press('Enter')
  await heading(visitor.page, 'Home').waitFor()
  await visitor.pressOn(/^Keys$/)
  await heading(visitor.page, 'Keys').waitFor()
  await visitor.page.keyboard.press('Control+k')
  await visitor.page.getByRole('combobox').fill('web')
  await visitor.page.keyboard.press('Enter')
  await heading(visitor.page, 'Webhooks').waitFor()
  await visitor.pressOn(/^You: /)
  await visitor.page.keyboard.press('Escape')
  await visitor.pressOn(/^You: /)
  await visitor.pressOn(/^Sign out/)
  await button(visitor.page, 'Sign in').waitFor()
  await visitor.context.close()
})
