// The receptionist's pages: what is set up and known.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEW_CALL } from '#cloud/receptionist/call-state.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { systemClock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, type Who } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const OF = { merchantId: 'M-TEST-001' }
const site = new DashboardSite()
// The simulated company tells the text of a message, so that it needs no transcriber.
const masterKey = randomBytes(32)
beforeAll(() =>
  site.start({
    env: { CLOUD_TRANSCRIBER: 'provider', CLOUD_MASTER_KEY: masterKey.toString('base64') },
    fill: callAndNumber,
  }),
)
afterAll(() => site.stop())

const BUSY = 'M-TEST-002'

/** A second test restaurant: a number whose company was not told the newest settings, and a call without an order with its message. */
async function callAndNumber(db: RelayDatabase): Promise<void> {
  const { calls } = openStores(db)
  const box = new SecretBox(masterKey)
  const nowMs = systemClock.now()
  const of = { merchant_id: (await merchantKey(db, BUSY)).id, number_id: newId('num', nowMs) }
  const callId = newId('call', nowMs)
  const caller = { from_enc: box.seal('+12125550142'), from_mac: box.mac('telephone number', '+12125550142') }
  await db.unit(async (tx) => {
    await tx
      .insertInto('phone_numbers')
      .values({
        ...{ id: of.number_id, merchant_id: of.merchant_id, provider: 'simulator', wanted: '{"areaCode":"202"}' },
        ...{ e164: '+12025550123', provider_id: null, state: 'wired', error: 'provider_error', attempts: 6 },
        ...{ next_at: null, wired_at: nowMs, created_at: nowMs },
      })
      .execute()
    await calls.insert(tx, {
      ...{ ...of, ...caller, id: callId, provider_id: 'CA1', to_e164: '+12025550123', status: 'completed' },
      ...{ step: 'over', state_enc: box.seal(JSON.stringify(NEW_CALL)), started_at: nowMs, answered_at: nowMs },
      ...{ ended_at: nowMs + 65_000, last_at: nowMs, outcome: 'voicemail', transferred_to: null, order_id: null },
      text_deleted_at: null,
    })
    await tx
      .insertInto('voicemails')
      .values({
        ...{ ...of, id: newId('vm', nowMs), call_id: callId, kind: 'voicemail', recording_id: 'RE1' },
        ...{ state: 'no_transcript', seconds: 9, file: null, text_enc: null, confidence: null, uncertain: 0 },
        ...{ engine: null, attempts: 0, error: null, next_at: null, lease_until: null, lease_by: null, done_by: null },
        ...{ done_at: null, audio_deleted_at: null, text_deleted_at: null, provider_deleted_at: null },
        created_at: nowMs,
      })
      .execute()
  })
}

const merchantKey = (db: RelayDatabase, publicId: string) =>
  db.read.selectFrom('merchants').select('id').where('public_id', '=', publicId).executeTakeFirstOrThrow()

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
    await page.getByText('must be a telephone number with its area code').waitFor()
    await page.getByLabel('Number for transfers').fill('(212) 555-0100')
    await page.getByLabel('Blocked numbers').fill('+12125550199\n42')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must be telephone numbers').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('profile.blocked')
    await page.getByLabel('Blocked numbers').fill('')
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

describe('A restaurant that is called', () => {
  it('can be told its newest settings once more where the telephone company did not take them', async () => {
    const visitor = await site.visitor()
    const { page } = visitor
    await page.goto(`/dashboard/receptionist/setup?environment=sandbox&merchant=${BUSY}`)
    const number = page.locator('.week > li', { hasText: '+1 202-555-0123' })
    await number.getByText('The telephone company has a fault.').waitFor()
    await number.getByRole('button', { name: 'Try again' }).click()
    await number.getByText('The telephone company has a fault.').waitFor({ state: 'detached' })
    expect(await number.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(broken(visitor)).toEqual([])
    await visitor.context.close()
  })

  it('is called back from a telephone by its staff, who see nothing that they may not do, with three operations', async () => {
    const visitor = await site.visitor('staff', { width: 390 })
    const { page } = visitor
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(/\/dashboard\/api\/([a-z]+\.[a-z]+)$/.exec(request.url())?.[1] ?? ''))
    await page.goto(`/dashboard/receptionist?environment=sandbox&merchant=${BUSY}`)
    const message = page.locator('.row-cards > li', { hasText: 'could not be turned into text' })
    const back = message.getByRole('link', { name: 'Call +1 212-555-0142 back' })
    expect(await back.getAttribute('href')).toBe('tel:+12125550142')
    const call = page.getByRole('list', { name: 'Calls' }).getByRole('listitem')
    await call.getByText('1:05').waitFor()
    // It has no order: a card says nothing of one.
    expect(await call.getByText('Order', { exact: true }).count()).toBe(0)
    await page.getByText('left a message: 1').waitFor()
    expect([...asked].filter((name) => /^(calls|voicemails|tables|texts|numbers)\./.test(name)).toSorted()).toEqual([
      'calls.list',
      'tables.list',
      'voicemails.list',
    ])
    await message.getByRole('button', { name: /^Done/ }).click()
    await message.getByRole('button', { name: /^Open again/ }).click()
    await page.getByText('Open again.').waitFor()
    expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
    expect(await page.getByText('What is kept of a telephone number').count()).toBe(0)
    expect(broken(visitor)).toEqual([])
    await visitor.context.close()
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
    await page.locator('.order-side').getByText('Burger').first().waitFor()
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
    await page.getByText('must be a telephone number with its area code').waitFor()
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
