// The receptionist's pages: what is set up and known.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, type Who } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const OF = { merchantId: 'M-TEST-001' }
const site = new DashboardSite()
// The simulated company tells the text of a message, so that it needs no transcriber.
beforeAll(() => site.start({ env: { CLOUD_TRANSCRIBER: 'provider' } }))
afterAll(() => site.stop())

async function at(path: string, who: Who = 'owner', options: { locale?: string; width?: number } = {}) {
  const visitor = await site.visitor(who, options)
  await visitor.page.goto(`/dashboard/receptionist${path}?environment=sandbox&merchant=M-TEST-001`)
  await visitor.page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.grey-rows'))
  return visitor
}

const broken = ({ complaints }: Visitor) => complaints.filter((one) => !one.startsWith('Failed to load resource'))
const stored = (visitor: Visitor) => site.ask(visitor, 'receptionist.get', OF)

describe('Setup', () => {
  it('is filled in and saved at once, and shows what is wrong at its field', async () => {
    const visitor = await at('/setup')
    const { page } = visitor
    await page.getByLabel('When does the receptionist answer?').selectOption({ label: 'Always' })
    await page.getByLabel('Greeting').fill('Casa Nina, good day.')
    await page.getByRole('button', { name: 'Add hours: Friday' }).click()
    await page.getByLabel('Friday, from').fill('17:00')
    await page.getByLabel('Friday, to').fill('02:00')
    await page.getByText('until the next day').waitFor()
    await page.getByRole('button', { name: 'Copy to all days: Friday' }).click()
    await page.getByRole('button', { name: 'Add a digit' }).click()
    await page.locator('[name="profile.menu.0.label"]').fill('our address')
    await page.locator('[name="profile.menu.0.say"]').fill('Elm street 4.')
    await page.getByRole('button', { name: 'Add a holiday' }).click()
    await page.getByLabel('Date').fill('2026-12-25')
    await page.locator('[name="profile.holidays.0.name"]').fill('Christmas')
    await page.getByLabel('Number for transfers').fill('555')
    await page.getByLabel('What is recorded?').selectOption({ label: 'Whole calls' })
    await page.getByLabel('Take orders by telephone').check()
    expect(await keepFaces(page, 'dashboard-receptionist-setup', accessibilityFaults)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('must be a telephone number').waitFor()
    await page.getByLabel('Number for transfers').fill('(212) 555-0100')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Everything is saved.').waitFor()
    const { profile } = await stored(visitor)
    expect(profile).toMatchObject({
      ...{ mode: 'answers', greeting: 'Casa Nina, good day.', transfer: { to: '+12125550100', onlyInHours: true } },
      ...{ menu: [{ digit: '1', label: 'our address', does: 'say', say: 'Elm street 4.' }] },
      holidays: [{ day: '2026-12-25', name: 'Christmas', open: [] }],
      ...{ recording: { mode: 'whole-call' }, orders: { isOn: true } },
    })
    expect(profile.hours.sunday).toEqual([{ from: '17:00', to: '02:00' }])
    expect(broken(visitor)).toEqual([])
  })

  it('that somebody else has saved meanwhile keeps what was typed, until one decides', async () => {
    const visitor = await at('/setup')
    const { page } = visitor
    await page.getByLabel('Greeting').fill('Mine')
    const { profile, version } = await stored(visitor)
    await site.ask(visitor, 'receptionist.save', {
      ...OF,
      profile: { ...profile, greeting: 'Theirs' },
      seen: { version },
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has saved other settings meanwhile.').waitFor()
    await expect.poll(() => page.getByLabel('Greeting').inputValue()).toBe('Mine')
    expect((await stored(visitor)).profile.greeting).toBe('Theirs')
    await page.getByRole('button', { name: 'Save mine all the same' }).click()
    await expect.poll(async () => (await stored(visitor)).profile.greeting).toBe('Mine')
    expect(broken(visitor)).toEqual([])
  })
})

describe('Knowledge', () => {
  it('is written by the keyboard, changed, and deleted', async () => {
    const visitor = await at('/knowledge')
    const { page } = visitor
    await visitor.pressOn(/^Add an answer$/)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Question').fill('Do you have <b>parking</b>?')
    await dialog.getByLabel(/^Answer(?! callers)/).fill('Yes, behind the house.')
    await dialog.getByLabel('Other words for it').fill('car, garage')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save the answer' }).click()
    await page.getByText('Do you have <b>parking</b>?').first().waitFor()
    expect(await keepFaces(page, 'dashboard-receptionist-knowledge', accessibilityFaults)).toEqual([])
    expect(await site.ask(visitor, 'knowledge.list', OF)).toMatchObject([{ tags: ['car', 'garage'], hits: 0 }])
    await page.getByRole('button', { name: 'Delete: ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no answer yet.').waitFor()
    expect(broken(visitor)).toEqual([])
  })

  it('is read by staff, who change nothing', async () => {
    const visitor = await at('/knowledge', 'staff')
    await visitor.page.getByText('There is no answer yet.').waitFor()
    expect(await visitor.page.getByRole('button', { name: 'Add an answer' }).count()).toBe(0)
  })
})

describe('Try a call', () => {
  it('takes an order that the kitchen prints, and is listed with what was said', async () => {
    const visitor = await at('/try')
    const { page } = visitor
    const { version } = await stored(visitor)
    const profile = { mode: 'answers', greeting: 'Casa Nina, good day.', orders: { isOn: true } } as const
    await site.ask(visitor, 'receptionist.save', { ...OF, profile, seen: { version } })
    const say = async (words: string) => {
      await page.getByLabel('Say', { exact: true }).fill(words)
      await page.keyboard.press('Enter')
    }
    const heard = (words: RegExp) => page.locator('.talk .receptionist', { hasText: words }).last().waitFor()
    await page.getByRole('button', { name: 'Get a test number' }).click()
    await page.getByRole('button', { name: /^Call \+1/ }).click()
    await heard(/Casa Nina/)
    await say('I would like to order')
    await say('one burger please')
    await heard(/burger/i)
    expect(await keepFaces(page, 'dashboard-receptionist-try', accessibilityFaults)).toEqual([])
    await say('that is all')
    await say('yes')
    await page.getByRole('link', { name: 'The order and its ticket' }).waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('The call is over.').waitFor()
    await page.getByText('placed an order').waitFor()
    await page.getByRole('link', { name: 'The call with everything that was said' }).click()
    await page.locator('.talk .caller', { hasText: 'one burger please' }).waitFor()
    expect(await keepFaces(page, 'dashboard-receptionist-call', accessibilityFaults)).toEqual([])
    await page.getByRole('link', { name: 'To the order' }).click()
    await page.getByText('Burger', { exact: false }).first().waitFor()
    await page.goto('/dashboard/receptionist?environment=sandbox&merchant=M-TEST-001')
    await page.getByText('placed an order').first().waitFor()
    expect(await keepFaces(page, 'dashboard-receptionist-calls', accessibilityFaults)).toEqual([])
    expect(broken(visitor)).toEqual([])
  })

  it('leaves a message, which is read, heard, settled and deleted', async () => {
    const visitor = await at('/try')
    const { page } = visitor
    await page.getByRole('button', { name: /^Call \+1/ }).click()
    await page.getByLabel('Say', { exact: true }).fill('I want to leave a message')
    await page.keyboard.press('Enter')
    await page.getByLabel('Your message after the tone').fill('Ana here, I forgot my umbrella.')
    await page.keyboard.press('Enter')
    await page.getByText('The call is over.').waitFor()
    await page.goto('/dashboard/receptionist?environment=sandbox&merchant=M-TEST-001')
    const message = page.locator('.row-cards > li', { hasText: 'I forgot my umbrella.' })
    // A telephone company does not say how sure it is of its text.
    await message.getByText('may be wrong').waitFor()
    const seconds = await message.locator('audio').evaluate(
      (player: HTMLAudioElement) =>
        new Promise<number>((resolve, reject) => {
          player.addEventListener('loadedmetadata', () => resolve(player.duration))
          player.addEventListener('error', () => reject(new Error(player.error?.message)))
          player.load()
          void player.play()
        }),
    )
    expect(seconds).toBeGreaterThan(1)
    expect(await keepFaces(page, 'dashboard-receptionist-voicemail', accessibilityFaults)).toEqual([])
    await message.getByRole('button', { name: /^Done/ }).press('Enter')
    await message.getByRole('button', { name: /^Open again/ }).waitFor()
    expect(await site.ask(visitor, 'voicemails.list', OF)).toMatchObject({
      voicemails: [{ isDone: true, state: 'text' }],
    })
    await message.getByRole('button', { name: /^Delete/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('Nobody has left a message.').waitFor()
    expect((await site.ask(visitor, 'voicemails.list', OF)).voicemails).toEqual([])
    expect(broken(visitor)).toEqual([])
  })
})

describe('Text messages', () => {
  it('are listed with what became of them, are told at the order, and end for a number', async () => {
    const visitor = await at('')
    const { page } = visitor
    await site.ask(visitor, 'merchant.save', { ...OF, notifyReady: 'sms' })
    const order = {
      orderId: 'texts-1',
      items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 5 }],
      total: 5,
      source: 'kiosk',
    }
    const customer = { name: 'Ana', phone: '+14155552671' }
    const { serviceOrderId } = await site.ask(visitor, 'orders.inject', { ...OF, ...order, customer } as never)
    await site.ask(visitor, 'orders.ready', { ...OF, serviceOrderId } as never)
    await page.reload()
    await page.getByText('The last 30 days').click()
    await page.getByText(/is ready for pickup/).waitFor()
    await page.getByText('Numbers that get no text messages').click()
    await page.getByLabel('Telephone number').fill('555')
    await page.getByRole('button', { name: 'Send no more text messages' }).click()
    await page.getByText('must be a telephone number').waitFor()
    await page.getByLabel('Telephone number').fill('(415) 555-2671')
    await page.getByRole('button', { name: 'Send no more text messages' }).click()
    await page.getByText('ended here').waitFor()
    expect(await keepFaces(page, 'dashboard-receptionist-texts', accessibilityFaults)).toEqual([])
    await page.getByLabel('Telephone number').fill('415-555-2671')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Every number gets them.').waitFor()
    await page.getByRole('link', { name: 'Order is ready' }).click()
    await page.getByText('The SMS to the customer was kept here, and has not left.').waitFor()
    expect(broken(visitor)).toEqual([])
  })
})
