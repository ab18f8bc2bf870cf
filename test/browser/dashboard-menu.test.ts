// The page of the menu: sold out in two taps on a phone, sold again, stock, a channel with its ids, a file with what it changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite, type Who } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const BURGER = 'UMS-BURGER-01'
const site = new DashboardSite()
beforeAll(() => site.start())
afterAll(() => site.stop())

async function menu(who: Who = 'owner', options: { locale?: string; width?: number } = {}): Promise<Visitor> {
  const visitor = await site.visitor(who, options)
  await visitor.page.goto('/dashboard/menu?environment=sandbox&merchant=M-TEST-001')
  await visitor.page.locator('.menu-list > li').first().waitFor()
  return visitor
}

const row = ({ page }: Visitor, name: string) => page.locator('.menu-list > li', { hasText: name })
const stored = async (visitor: Visitor) =>
  (await site.ask(visitor, 'menu.list', { merchantId: 'M-TEST-001', q: BURGER })).data[0]
const broken = ({ complaints }: Visitor) => complaints.filter((one) => !one.startsWith('Failed to load resource'))

describe('an item', () => {
  it('is sold out for today in two taps on a staff member’s phone, and sold again in one', async () => {
    const visitor = await menu('staff', { width: 390 })
    const { page } = visitor
    const burger = row(visitor, BURGER)
    await burger.getByRole('button', { name: 'Sold out: Smash Burger' }).click()
    expect(await keepFaces(page, 'dashboard-menu-silence', accessibilityFaults)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    await burger.getByRole('button', { name: 'For today' }).click()
    await burger.getByText(/sold out, until .*4:00/).waitFor()
    expect(await stored(visitor)).toMatchObject({ state: 'silenced', orderable: false })
    await burger.getByRole('button', { name: 'Sell again: Smash Burger' }).click()
    await burger.getByText('● on sale', { exact: true }).waitFor()
    expect(await stored(visitor)).toMatchObject({ state: 'live', orderable: true })
    expect(broken(visitor)).toEqual([])
  })

  it('is sold out by the keyboard alone, for an hour, with a reason', async () => {
    const visitor = await menu()
    const burger = row(visitor, BURGER)
    await visitor.typeInto(/Find an item/, 'smash')
    await expect.poll(() => visitor.page.locator('.menu-list > li').count()).toBe(1)
    await visitor.pressOn(/Sold out: Smash Burger/)
    await visitor.typeInto(/^Reason/, 'no buns')
    await visitor.page.keyboard.down('Shift')
    await visitor.pressOn(/For 1 hour/)
    await visitor.page.keyboard.up('Shift')
    await burger.getByText('“no buns”').waitFor()
    await site.ask(visitor, 'sku.restore', { merchantId: 'M-TEST-001', umsId: BURGER })
  })

  it('is counted, and is known to a platform by an id', async () => {
    const visitor = await menu()
    const { page } = visitor
    await page.getByRole('button', { name: 'Connect a channel' }).click()
    await page.getByLabel('Platform').fill('Uber <b>Eats</b>')
    await page.getByLabel('Id of the channel').fill('uber-eats')
    await page.getByLabel('Only simulate it').check()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.locator('strong', { hasText: 'Uber <b>Eats</b>' }).waitFor()
    const burger = row(visitor, BURGER)
    await burger.getByRole('button', { name: 'Stock and channels' }).click()
    await burger.getByLabel('Pieces left').fill('3')
    await burger.getByRole('button', { name: 'Save the stock' }).click()
    await burger.getByText('3 left').waitFor()
    await burger.getByLabel('Its id at Uber <b>Eats</b>').fill('8f31')
    await burger.getByRole('button', { name: 'Save the id' }).click()
    await burger.getByText('the platform knows').waitFor()
    expect(await keepFaces(page, 'dashboard-menu', accessibilityFaults)).toEqual([])
    expect(broken(visitor)).toEqual([])
  })
})

describe('a menu file', () => {
  it('with a wrong line is refused in the language of the page', async () => {
    const { page, context } = await menu('owner', { locale: 'es' })
    await page.getByRole('textbox', { name: /péguelo|pegue/i }).fill('umsId,name,price\nA,Sopa,mucho')
    await page.getByRole('button', { name: 'Ver qué cambia' }).click()
    await page.getByRole('alert').getByText('Línea 2, price').waitFor()
    await context.close()
  })

  const FILE = `umsId,name,kind,price,prepMinutes,station,category\n${BURGER},Smash Burger,item,13.00,10,grill,Mains\nUMS-STEW-01,<img src=x onerror=alert(1)>,item,6.50,5,fry,Starters\n`

  it('shows its changes before anything is done, and is refused when the menu has changed meanwhile', async () => {
    const visitor = await menu()
    const { page } = visitor
    await page.getByLabel('or paste it here').fill(`${FILE}UMS-X,X,item,1.999,,,\n`)
    await page.getByRole('button', { name: 'See what changes' }).click()
    const wrong = page.getByRole('alert').getByRole('listitem')
    await wrong.getByText('Line 4, price must be an amount').waitFor()
    await wrong.getByText('UMS-X,X,item,1.999,,,').waitFor()
    expect(await page.getByLabel('or paste it here').inputValue()).toContain('UMS-X')
    await page.getByLabel('or paste it here').fill(FILE)
    await page.getByRole('button', { name: 'See what changes' }).click()
    await page.getByText('1 new, 1 changed, 0 as they are.').waitFor()
    await page.getByText('$12.50 → $13.00').waitFor()
    expect(await keepFaces(page, 'dashboard-menu-import', accessibilityFaults)).toEqual([])
    await site.ask(visitor, 'menu.import', {
      merchantId: 'M-TEST-001',
      content: `umsId,name,price\n${BURGER},Smash Burger,12.75`,
    })
    await page.getByRole('button', { name: 'Take 2 changes over' }).click()
    await page.getByText('Somebody else has changed it meanwhile').waitFor()
    await page.getByRole('button', { name: 'See what changes' }).click()
    await page.getByText('$12.75 → $13.00').waitFor()
    await page.getByRole('button', { name: 'Take 2 changes over' }).click()
    await page.getByText('Done: 2 items are up to date.').waitFor()
    expect(await stored(visitor)).toMatchObject({ price: 13 })
    expect(broken(visitor)).toEqual([])
  })
})
