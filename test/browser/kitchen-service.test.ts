// A service on the kitchen displays, in chromium: lines struck off on every screen, changes acknowledged, sounds, what a screen is set to.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { Site, type TestOrder } from '#test/harness/site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { BOX_LOCAL_NAME, launchChromium } from './chromium.ts'
import { keepFaces, keepScreen } from './screens.ts'
import { hearTones, tones } from './tones.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const printer = new VirtualPrinter()
let site: Site
let browser: Browser
let expo: Visitor
let other: Visitor

const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
const address = (path: string): string => `http://${BOX_LOCAL_NAME}:${new URL(site.gatewayUrl).port}${path}`
const inject = async (order: TestOrder): Promise<string> => (await site.injectSurely(order)).body.serviceOrderId
const card = (page: Page, id: string) => page.locator(`[data-order="${id}"]`)

async function newScreen(name: string): Promise<Visitor> {
  const visitor = await newVisitor(browser, { url: address(''), height: 800 })
  const added = await control('displays.add', { name })
  await hearTones(visitor.page)
  await visitor.page.goto(address(added['path'] ?? ''))
  await visitor.page.getByRole('button', { name: 'Start shift' }).click()
  await visitor.page.getByText('Connected', { exact: true }).waitFor()
  return visitor
}

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, gatewayProgram: gatewayProgram() })
  await site.start()
  browser = await launchChromium()
  expo = await newScreen('Expo')
  other = await newScreen('Pass')
})

afterAll(async () => {
  await browser?.close()
  await site.stop()
  await printer.stop()
})

describe('a line', () => {
  it('that is tapped is struck off on every screen, stays so after a reload, and returns by a second tap', async () => {
    const id = await inject({ orderId: 'svc-strike', qty: 2 })
    const line = (page: Page) => card(page, id).locator('button.strike')
    await line(expo.page).click()
    await expect.poll(() => line(other.page).getAttribute('aria-pressed')).toBe('true')
    await other.page.reload()
    await expect.poll(() => line(other.page).getAttribute('aria-pressed')).toBe('true')
    await other.page.getByRole('button', { name: 'Start shift' }).click()
    await other.page.getByRole('button', { name: 'All day' }).click()
    await other.page.getByRole('region', { name: 'All day' }).getByText('Nothing here').waitFor()
    await other.page.getByRole('button', { name: 'Close' }).click()
    await line(other.page).click()
    await expect.poll(() => line(expo.page).getAttribute('aria-pressed')).toBe('false')
  })
})

describe('an add-on', () => {
  it('has a sound of its own, marks both orders, and stays marked on each screen until it is acknowledged there', async () => {
    const first = await inject({ orderId: 'svc-first' })
    await card(expo.page, first).waitFor()
    await expo.page.evaluate('window.tones.length = 0')
    const id = await inject({ orderId: 'svc-more', addOnTo: 'svc-first' })
    await card(expo.page, id)
      .getByText(/^ADD-ON TO \d+$/)
      .waitFor()
    await card(expo.page, first)
      .getByText(/^CHANGED: SEE \d+$/)
      .waitFor()
    // Every ten seconds it calls again, counted from the start of the page: so perhaps by now.
    const heard = await tones(expo.page)
    expect(heard).toEqual(heard.map(() => 660))
    expect([heard.length > 0, heard.length % 3]).toEqual([true, 0])
    await keepScreen(expo.page, 'kitchen-add-on', false)
    expect(await accessibilityFaults(expo.page)).toEqual([])
    expect(await card(expo.page, id).getByRole('button', { name: 'Ready' }).count()).toBe(0)
    await card(expo.page, id).getByRole('button', { name: 'I have seen it' }).click()
    await card(expo.page, id).getByRole('button', { name: 'Ready' }).waitFor()
    await card(other.page, id).getByRole('button', { name: 'I have seen it' }).waitFor()
    // By the keys of a bump bar, too: what must be acknowledged stands first.
    await other.page.keyboard.press('1')
    await other.page.keyboard.press('Enter')
    await card(other.page, id).getByRole('button', { name: 'Ready' }).waitFor()
  })

  it('repeats every ten seconds until somebody acknowledges it', async () => {
    await expo.page.evaluate('window.tones.length = 0')
    const id = await inject({ orderId: 'svc-again', addOnTo: 'svc-first' })
    await card(expo.page, id).waitFor()
    await expect.poll(async () => (await tones(expo.page)).length).toBeGreaterThanOrEqual(9)
    await card(expo.page, id).getByRole('button', { name: 'I have seen it' }).click()
  })
})

describe('what a screen is set to', () => {
  it('stays in its browser: columns, letters, what stands first, silence', async () => {
    const { page } = expo
    const choice = (name: string) => page.getByRole('combobox', { name: new RegExp(`^${name}`) })
    await page.getByRole('button', { name: 'Settings' }).click()
    await choice('Columns').selectOption('2')
    await choice('Size of tickets').selectOption('Large')
    await choice('First').selectOption('newest')
    await page.getByText('Sounds', { exact: true }).click()
    await choice('Sound: new order').selectOption('off')
    await page.waitForFunction('document.documentElement.dataset.size === "L"')
    expect(await keepFaces(page, 'kitchen-settings', accessibilityFaults, { fullPage: false })).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Start shift' }).click()
    await card(page, await inject({ orderId: 'svc-silent' })).waitFor()
    expect(await page.locator('.card').first().textContent()).toContain('svc-silent')
    const lefts = await page.locator('.card').evaluateAll((cards) => cards.map((it) => it.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBeLessThanOrEqual(2)
    expect(await tones(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.dataset.size')).toBe('L')
  })

  it('as a slow tablet it moves nothing', async () => {
    const { page } = other
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('Slow tablet').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await card(page, await inject({ orderId: 'svc-calm' })).waitFor()
    const moves = (style: 'animationName' | 'transitionDuration') =>
      page
        .locator('.card.new')
        .first()
        .evaluate((it, name) => getComputedStyle(it)[name], style)
    expect([await moves('animationName'), await moves('transitionDuration')]).toEqual(['none', '0s'])
  })

  it('sets from which age orders of a type are late, each separately', async () => {
    const { page } = other
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByText('Times', { exact: true }).click()
    const late = page.getByRole('group', { name: 'Delivery' }).getByLabel('Late after, minutes')
    expect([await late.inputValue(), await late.getAttribute('placeholder')]).toEqual(['', '15'])
    await late.fill('7')
    await late.press('Tab')
    await page.reload()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByText('Times', { exact: true }).click()
    expect(await late.inputValue()).toBe('7')
    expect(await page.getByRole('group', { name: 'Delivery' }).getByLabel('Soon after, minutes').inputValue()).toBe('7')
    await page.getByRole('button', { name: 'Close' }).click()
  })
})

it('no screen had anything to complain of', () => {
  expect([...expo.complaints, ...other.complaints]).toEqual([])
})
