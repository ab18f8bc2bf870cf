// Merchants and their items at the operator's command line: which merchant is meant, what a file may contain.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AdminDesk, MENU } from '#test/fixtures/admin-desk.ts'

const ZONE = ['--time-zone', 'America/New_York']

let desk: AdminDesk
beforeEach(async () => {
  desk = await AdminDesk.open()
})
afterEach(() => desk.close())

describe('merchants and items', () => {
  test('a new merchant is shown with the next step to its first box: a code', async () => {
    const { accountId } = await desk.json('accounts', 'create', '--name', 'Second')
    await desk.json('accounts', 'approve', '--account', accountId, '--plan', 'starter')
    const { code, out } = await desk.run('merchants', 'create', '--account', accountId, '--name', 'Bistro', ...ZONE)
    expect(code).toBe(0)
    expect(out).toMatch(/Next: items import .*, then gateways code --location loc_\w+ --name "Kitchen Pi"/)
  })

  test('a test merchant is one of many: the account must be named', async () => {
    await desk.json('accounts', 'create', '--name', 'Second')
    expect(await desk.refused('locations', 'list', '--merchant', 'M-TEST-001')).toContain('--account')
    const mine = ['--merchant', 'M-TEST-001', '--account', desk.api.account.accountId]
    expect(await desk.json('locations', 'list', ...mine)).toHaveLength(1)
    const changes = ['--prep-minutes', '25', '--auto-silence', 'off', '--fire-ahead-days', '2']
    const set = await desk.json('merchants', 'set', ...mine, ...changes)
    expect(set).toMatchObject({ prepMinutes: 25, autoSilence: false, fireAheadDays: 2 })
    const stored = await desk.api.stores.merchants.byKey(desk.api.merchantKey)
    expect(stored.fireAtHorizonMs).toBe(2 * 86_400_000)
  })

  test('a file with a wrong line is refused as a whole, with the line named', async () => {
    desk.files['bad.csv'] = `${MENU}UMS-BAD,Bad,item,1.999,,\nUMS-SOUP,Again,item,1,,\n`
    const mine = ['--merchant', 'M-TEST-001', '--account', desk.api.account.accountId]
    const words = await desk.refused('items', 'import', ...mine, '--file', 'bad.csv')
    expect(words).toContain('line 4: price must be dollars with at most 2 decimals')
    expect(words).toContain('line 5: umsId UMS-SOUP stands in the file twice')
    desk.files['bad.csv'] = 'umsId,name,price,colour\nUMS-A,A,eight,red\n,No id,1,\n'
    const others = await desk.refused('items', 'import', ...mine, '--file', 'bad.csv')
    expect(others).toMatch(/line 2: price must be a number; colour is no column: umsId, name,.* is all/)
    expect(others).toContain('line 3: umsId is required')
    expect(await desk.api.stores.catalog.item(desk.api.db.read, desk.api.merchantKey, 'UMS-SOUP')).toBeNull()
  })

  test('JSON and CSV have the same content, and a second import changes the item but not its stock', async () => {
    const mine = ['--merchant', 'M-TEST-001', '--account', desk.api.account.accountId]
    await desk.json('items', 'import', ...mine, '--file', 'menu.csv')
    const item = () => desk.api.stores.catalog.item(desk.api.db.read, desk.api.merchantKey, 'UMS-SOUP')
    expect(await item()).toMatchObject({
      name: 'Soup, "hot"',
      price_cents: 895,
      prep_minutes: 6,
      station: 'fry',
      category: 'Starters',
    })
    await desk.api.db.unit((tx) =>
      tx.updateTable('catalog_items').set({ stock: 4 }).where('ums_id', '=', 'UMS-SOUP').execute(),
    )
    const withByteOrderMark = (text: string) => `\uFEFF${text}`
    desk.files['menu.json'] = withByteOrderMark(
      JSON.stringify([{ umsId: 'UMS-SOUP', name: 'Broth', price: 7, category: 'Soups' }]),
    )
    await desk.json('items', 'import', ...mine, '--file', 'menu.json')
    expect(await item()).toMatchObject({ name: 'Broth', price_cents: 700, stock: 4, category: 'Soups' })
  })

  test('a menu with characters that no kitchen can print is taken over, and each item is named with them', async () => {
    const mine = ['--merchant', 'M-TEST-001', '--account', desk.api.account.accountId]
    const items = [
      { umsId: 'UMS-KIMCHI', name: '김치찌개 पनीर ხინკალი ⅓', station: 'grill' },
      { umsId: 'UMS-PUA', name: 'Soup \ue000 and \u0378\u0378', category: '\u{10fffd}' },
    ]
    desk.files['menu.json'] = JSON.stringify(items)
    const answer = await desk.json('items', 'import', ...mine, '--file', 'menu.json')
    expect(answer).toMatchObject({
      items: 2,
      warnings: [
        { umsId: 'UMS-PUA', field: 'name', characters: ['U+E000', 'U+0378'] },
        { umsId: 'UMS-PUA', field: 'category', characters: ['U+10FFFD'] },
      ],
    })
    const { out: words } = await desk.run('items', 'import', ...mine, '--file', 'menu.json')
    expect(words).toContain('Warning: name of UMS-PUA: no font has U+E000, U+0378')
    expect(words).not.toContain('UMS-KIMCHI')
  })
})
