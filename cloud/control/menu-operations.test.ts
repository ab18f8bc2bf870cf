// The menu as people change it: silence for a time, stock, channels, a file with what it would change.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import type { ControlRefusal } from './control-refusal.ts'
import { endOfDay } from './menu-handlers.ts'

const BURGER = 'UMS-BURGER-01'
let control: ControlDesk
beforeEach(async () => {
  control = await ControlDesk.open()
})
afterEach(() => control.close())

const newest = async () => (await control.audit()).at(-1)
const item = (umsId: string) => {
  const { db, merchantKey, stores } = control.desk.api
  return stores.catalog.item(db.read, merchantKey, umsId)
}
const refusal = async (asked: Promise<unknown>): Promise<ControlRefusal> =>
  (await asked.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error,
  )) as ControlRefusal

describe('the day of a restaurant', () => {
  test.each([
    ['America/New_York', '2026-11-29T18:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['America/New_York', '2026-11-30T08:59:00Z', '2026-11-30T09:00:00.000Z'],
    ['America/New_York', '2026-11-30T09:00:00Z', '2026-12-01T09:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-29T18:00:00Z', '2026-11-29T22:15:00.000Z'],
    // The nights in which the clock is changed.
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T03:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T02:00:00.000Z'],
  ])('of %s ends at 4 in the morning there: seen at %s, at %s', (zone, now, end) => {
    expect(new Date(endOfDay(Date.parse(now), zone)).toISOString()).toBe(end)
  })
})

describe('an item', () => {
  test('is silenced by staff for an hour, for today, until a time, and for good; and sold again', async () => {
    const staff = { role: 'staff' as const }
    const hour = await control.perform('sku.silence', { umsId: BURGER, lasts: 60, reason: 'out of buns' }, staff)
    const until = (sku: typeof hour) => sku.channels.map((channel) => channel.silencedUntil)
    const inAnHour = new Date(control.clock.now() + 3_600_000).toISOString()
    expect(new Set(until(hour))).toEqual(new Set([inAnHour]))
    expect(hour).toMatchObject({ state: 'silenced', orderable: false })
    expect(await newest()).toMatchObject({ action: 'sku.silence', actor: 'usr_staff', via: 'dashboard' })
    const { timeZone } = await control.perform('merchant.get', {})
    const today = await control.perform('sku.silence', { umsId: BURGER, lasts: 'today' }, staff)
    expect(until(today)[0]).toBe(new Date(endOfDay(control.clock.now(), timeZone)).toISOString())
    const given = new Date(control.clock.now() + 5_000).toISOString()
    expect(until(await control.perform('sku.silence', { umsId: BURGER, until: given }, staff))[0]).toBe(given)
    expect(until(await control.perform('sku.silence', { umsId: BURGER }, staff))[0]).toBeNull()
    expect(await control.perform('sku.restore', { umsId: BURGER }, staff)).toMatchObject({ state: 'live' })
  })

  test('is not silenced for two times at once, nor until a past time', async () => {
    const past = new Date(control.clock.now() - 1).toISOString()
    const both = await refusal(control.perform('sku.silence', { umsId: BURGER, lasts: 60, until: past }))
    expect(both.errors.map(({ field }) => field)).toEqual(['lasts'])
    const late = control.perform('sku.silence', { umsId: BURGER, until: past })
    await expect(late).rejects.toMatchObject({ code: 'request.invalid' })
    expect((await item(BURGER))?.silenced_at).toBeNull()
  })

  test('is counted by whoever serves, and found by a word without accents', async () => {
    await control.perform('sku.stock', { umsId: BURGER, quantity: 4 }, { role: 'staff' })
    expect((await item(BURGER))?.stock).toBe(4)
    const { data } = await control.perform('menu.list', { q: 'bearnaise' }, { role: 'staff' })
    expect(data.map(({ umsId }) => umsId)).toEqual(['UMS-STEAK-01'])
  })

  test('of another account does not exist: its sandbox has items of its own', async () => {
    const accountId = await control.stranger()
    await control.perform('sku.silence', { umsId: BURGER }, { accountId })
    expect((await item(BURGER))?.silenced_at).toBeNull()
  })

  test('is sorted by category and name, those without a category after them, and modifiers last', async () => {
    const rows = [
      ['z', 'Ale', 'item', 'Drinks'],
      ['y', 'Cola', 'item', 'Drinks'],
      ['x', 'Bao', 'item', 'Ápero'],
      ['w', 'Tap water', 'item', ''],
      ['v', 'Bacon', 'modifier', 'Drinks'],
      ['a', 'Cola', 'item', 'Drinks'],
    ]
    const content = ['umsId,name,kind,category', ...rows.map((row) => row.join(','))].join('\n')
    await control.perform('menu.import', { content })
    const ours = new Set(rows.map(([umsId]) => umsId))
    const read = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await control.perform('menu.list', { limit: 2, ...(cursor !== undefined && { cursor }) })
      read.push(...page.data.map(({ umsId }) => umsId))
      cursor = page.nextCursor
    }
    expect(new Set(read).size).toBe(read.length)
    expect(read.filter((umsId) => ours.has(umsId))).toEqual(['z', 'a', 'y', 'x', 'w', 'v'])
  })

  test('is listed once across pages', async () => {
    const first = await control.perform('menu.list', { limit: 3 })
    const second = await control.perform('menu.list', { limit: 3, cursor: first.nextCursor })
    const ids = [...first.data, ...second.data].map(({ umsId }) => umsId)
    expect(new Set(ids).size).toBe(6)
  })
})

describe('a menu file', () => {
  const FILE = [
    'umsId,name,kind,price,prepMinutes,station,category',
    `${BURGER},Smash Burger,item,13.00,10,grill,Mains`,
    'UMS-STEW-01,Soup,item,6.50,5,fry,Starters',
  ].join('\n')

  test('is shown with what it would change before anything is done', async () => {
    const before = await item(BURGER)
    const { items: count, done, diff } = await control.perform('menu.import', { content: FILE, dryRun: true })
    expect([count, done]).toEqual([2, false])
    expect(diff).toMatchObject({ added: 1, changed: 1, same: 0 })
    expect(diff.items).toEqual([
      {
        ...{ umsId: BURGER, name: 'Smash Burger', kind: 'changed' },
        fields: [{ field: 'priceCents', before: 1250, after: 1300 }],
      },
      expect.objectContaining({ umsId: 'UMS-STEW-01', kind: 'added' }),
    ])
    expect(await item(BURGER)).toEqual(before)
    expect(await item('UMS-STEW-01')).toBeNull()
  })

  test('is taken over as it was shown, and is in the audit log', async () => {
    const { basis } = await control.perform('menu.import', { content: FILE, dryRun: true })
    const taken = await control.perform('menu.import', { content: FILE, seen: { basis } })
    expect(taken).toMatchObject({ done: true, diff: { added: 1, changed: 1 } })
    expect(await item('UMS-STEW-01')).toMatchObject({ price_cents: 650 })
    expect(await newest()).toMatchObject({ action: 'items.import', actor: 'usr_owner' })
    const again = await control.perform('menu.import', { content: FILE, dryRun: true })
    expect(again.diff).toEqual({ added: 0, changed: 0, same: 2, items: [] })
  })

  test('is not taken over when the menu has changed since it was shown', async () => {
    const { basis } = await control.perform('menu.import', { content: FILE, dryRun: true })
    await control.perform('menu.import', { content: `umsId,name,price\n${BURGER},Smash Burger,14` })
    const late = await refusal(control.perform('menu.import', { content: FILE, seen: { basis } }))
    expect(late.kind).toBe('stale')
    expect(await item('UMS-STEW-01')).toBeNull()
    expect((await item(BURGER))?.price_cents).toBe(1400)
  })

  test('with a wrong line is refused as a whole, and staff may not send one', async () => {
    const wrong = await refusal(control.perform('menu.import', { content: `${FILE}\nUMS-X,X,item,1.999,,,` }))
    expect(wrong).toMatchObject({ kind: 'invalid', said: { key: 'menu.file-wrong-lines' } })
    expect(wrong.message).toContain('line 4: price')
    expect(wrong.errors).toEqual([
      { field: 'content.line.4.price', message: expect.any(String), rule: { key: 'form', limit: null } },
    ])
    expect(await item('UMS-STEW-01')).toBeNull()
    const asStaff = control.perform('menu.import', { content: FILE }, { role: 'staff' })
    expect((await refusal(asStaff)).kind).toBe('forbidden')
  })
})

describe('a channel', () => {
  const uber = { channelId: 'uber-eats', platform: 'Uber Eats' }

  test('shows its secret once, maps items by its own ids, and lists what it has not confirmed', async () => {
    const url = 'https://93.184.215.14/hook/secret-path'
    const open = { ...uber, url }
    const { secret } = await control.perform('channels.connect', open)
    expect(secret).toMatch(/^whsec_/)
    expect((await control.perform('channels.connect', open)).secret).toBeNull()
    await control.perform('channels.map', { channelId: 'uber-eats', umsId: BURGER, externalId: '8f31' })
    const list = await control.perform('channels.list', {}, { role: 'staff' })
    expect(list).toContainEqual(
      expect.objectContaining({
        ...{ channelId: 'uber-eats', connector: 'http', site: 'https://93.184.215.14', items: 1 },
        ...{ unconfirmed: 1, failed: 0, lastConfirmedAt: null },
      }),
    )
    expect(JSON.stringify(await control.audit())).not.toContain('secret-path')
  })

  test('is not mapped over an id that somebody else has written meanwhile', async () => {
    await control.perform('channels.connect', { ...uber, connector: 'simulated' })
    const map = (externalId: string, seen: string) =>
      control.perform('channels.map', { channelId: 'uber-eats', umsId: BURGER, externalId, seen: { externalId: seen } })
    await map('8f31', '')
    expect((await refusal(map('9000', ''))).said).toMatchObject({ values: { externalId: '8f31' } })
    await map('9000', '8f31')
    expect((await control.perform('menu.list', { q: BURGER })).data[0]?.channels).toContainEqual(
      expect.objectContaining({ channelId: 'uber-eats', externalId: '9000', sync: 'pending' }),
    )
  })

  test('in our own network is refused, and so is one without an address', async () => {
    const inside = control.perform('channels.connect', { ...uber, url: 'https://10.0.0.1/x' })
    await expect(inside).rejects.toMatchObject({ kind: 'invalid', errors: [{ field: 'url' }] })
    expect((await refusal(control.perform('channels.connect', uber))).errors[0]?.field).toBe('url')
  })
})
