// The page of settings: each question with its own Save; two people at one question; places, point of sale, alerts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, PASSWORD, type Who } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const OF = { merchantId: 'M-TEST-001' }
const site = new DashboardSite()
beforeAll(() => site.start())
afterAll(() => site.stop())

async function settings(who: Who = 'owner', options: { locale?: string; width?: number } = {}): Promise<Visitor> {
  const visitor = await site.visitor(who, options)
  await visitor.page.goto('/dashboard/settings?environment=sandbox&merchant=M-TEST-001')
  await visitor.page.locator('.setting').first().waitFor()
  return visitor
}

const broken = ({ complaints }: Visitor) => complaints.filter((one) => !one.startsWith('Failed to load resource'))
const question = ({ page }: Visitor, words: string) => page.locator('.setting', { hasText: words })

describe('a question', () => {
  it('is saved automatically, by the keyboard alone', async () => {
    const visitor = await settings()
    await visitor.typeInto(/Usual preparation time/, '22')
    await visitor.pressOn(/^Save$/)
    await visitor.page.getByText('Saved.').waitFor()
    expect(await site.ask(visitor, 'merchant.get', OF)).toMatchObject({ prepMinutes: 22 })
    expect(await keepFaces(visitor.page, 'dashboard-settings', accessibilityFaults)).toEqual([])
    expect(broken(visitor)).toEqual([])
  })

  it('that somebody else has changed meanwhile keeps the typed text, and shows the current value', async () => {
    const [visitor, other] = [await settings(), await settings('manager')]
    const name = question(visitor, 'Stands on tickets and pages.')
    const before = await name.getByRole('textbox').inputValue()
    await name.getByRole('textbox').fill('Mine <i>& only</i>')
    await site.ask(other, 'merchant.save', { ...OF, name: 'Theirs "quoted"', seen: { name: before } })
    await name.getByRole('button', { name: 'Save' }).click()
    await name.getByText('Somebody else has changed it meanwhile').waitFor()
    await name.getByText('It is “Theirs "quoted"” now.').waitFor()
    expect(await name.getByRole('textbox').inputValue()).toBe('Mine <i>& only</i>')
    expect(await keepFaces(visitor.page, 'dashboard-settings-stale', accessibilityFaults)).toEqual([])
    await name.getByRole('button', { name: 'Save mine all the same' }).click()
    await expect.poll(async () => (await site.ask(visitor, 'merchant.get', OF)).name).toBe('Mine <i>& only</i>')
    expect(broken(visitor)).toEqual([])
  })

  it('with a wrong answer is refused at its field, in the language of the page', async () => {
    const visitor = await settings('owner', { locale: 'es' })
    const days = question(visitor, '¿Con cuántos días de antelación')
    await days.getByRole('textbox').fill('999')
    await days.getByRole('button', { name: 'Guardar' }).click()
    await days.getByText('Debe ser 365 o menos').waitFor()
  })

  it('of time zone and currency is found by typing a town or a name, and chosen by the keyboard', async () => {
    const visitor = await settings()
    const { page } = visitor
    for (const [words, typed, option] of [
      [/Time zone/, 'madrid', 'Europe/Madrid'],
      [/Currency/, 'euro', 'EUR, Euro'],
    ] as const) {
      await page.getByRole('combobox', { name: words }).fill(typed)
      await page.getByRole('option', { name: option }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.locator('.setting', { hasText: words }).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').first().waitFor()
    }
    expect(await site.ask(visitor, 'merchant.get', OF)).toMatchObject({ timeZone: 'Europe/Madrid', currency: 'EUR' })
    // What is not in the list cannot be chosen: what was set stays.
    const zone = page.getByRole('combobox', { name: /Time zone/ })
    await zone.fill('Mars/Base')
    await page.getByText('Nothing is found by this text.').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => zone.inputValue()).toBe('Europe/Madrid')
    await site.ask(visitor, 'merchant.save', { ...OF, timeZone: 'America/New_York', currency: 'USD' })
    expect(broken(visitor)).toEqual([])
  })
})

it('an owner lets developers see customers; others read what is set', async () => {
  const visitor = await settings()
  const asked = question(visitor, 'Do developers see customers of live orders?')
  await asked.getByLabel('Do developers see customers of live orders?').selectOption({ label: 'Yes' })
  await asked.getByRole('button', { name: 'Save' }).click()
  const who = visitor.page.getByRole('dialog', { name: 'Show that it is you' })
  await who.getByLabel(/^Your password/).fill(PASSWORD)
  await who.getByRole('button', { name: 'Go on' }).click()
  await visitor.page.getByText('Saved.').waitFor()
  expect(await keepFaces(visitor.page, 'dashboard-settings-account', accessibilityFaults)).toEqual([])
  expect(await site.ask(visitor, 'account.get', {})).toMatchObject({ developersSeeCustomers: true })
  const manager = await settings('manager')
  const read = question(manager, 'Do developers see customers of live orders?')
  await expect.poll(() => read.getByRole('combobox').inputValue()).toBe('true')
  expect(await read.getByRole('button', { name: 'Save' }).count()).toBe(0)
  expect([...broken(visitor), ...broken(manager)]).toEqual([])
})

it('a place is added, and a point of sale is connected, tried and left again', async () => {
  const receiver = new WebhookReceiver()
  await receiver.start()
  try {
    const visitor = await settings()
    const { page } = visitor
    await page.getByLabel('Name of a further place').fill('Harbour')
    await page.getByRole('button', { name: 'Add a place' }).click()
    await page.getByLabel('Name of Harbour').waitFor()
    await page.getByLabel('Address of an outside point of sale').fill(receiver.url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    receiver.secret = (await page.locator('.code-block', { hasText: 'whsec_' }).textContent()) ?? ''
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText(/It took the message, in/).waitFor()
    expect(receiver.received[0]?.signatureValid).toBe(true)
    receiver.answerWith({ kind: 'status', status: 418, body: '<script>alert(1)</script>' })
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('It answered with the status 418.').waitFor()
    await page.locator('pre', { hasText: '<script>alert(1)</script>' }).waitFor()
    await page.getByRole('button', { name: 'Back to the register' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the register' }).click()
    await page.getByText('Orders are numbered by the built-in register').waitFor()
    expect(broken(visitor)).toEqual([])
  } finally {
    await receiver.stop()
  }
})

it('mail about a silent box is switched on for one person, and a test mail arrives', async () => {
  const visitor = await settings()
  const { page } = visitor
  await page.getByRole('button', { name: 'Send me a test mail' }).click()
  await site.mailed(site.person('owner').email, /(asked for this mail)/)
  const silent = question(visitor, 'A box is silent')
  await silent.getByText('A box is silent').click()
  await silent.getByLabel('Send mail').check()
  await silent.getByLabel('To', { exact: true }).selectOption('some')
  await silent.getByLabel('Manager Person').check()
  await silent.getByRole('button', { name: 'Save' }).click()
  await silent.getByText('Yes, set here').waitFor()
  const { rules } = await site.ask(visitor, 'alerts.rules', {})
  const to = [site.person('manager').userId]
  expect(rules).toMatchObject([{ kind: 'box-silent', merchantId: 'M-TEST-001', on: true, to }])
  expect(broken(visitor)).toEqual([])
})
