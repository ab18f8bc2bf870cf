// The kitchen display in Debian's chromium, on plain http, against the real gateway and relay.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { Site } from '#test/harness/site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { BOX_LOCAL_NAME, launchChromium } from './chromium.ts'
import { stopTime } from './page-time.ts'
import { pressUntilGone } from './press-until-gone.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site
let browser: Browser
let visitor: Visitor
let page: Page

const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
/** By the box's name, which no browser takes for a secure context. */
const address = (path: string): string => `http://${BOX_LOCAL_NAME}:${new URL(site.gatewayUrl).port}${path}`
const inject = async (orderId: string, over: { fireAt?: string; note?: string } = {}): Promise<string> =>
  (await site.injectSurely({ orderId, ...over })).body.serviceOrderId
const card = (id: string) => page.locator(`[data-order="${id}"]`)
const press = (id: string, name: string): Promise<void> =>
  pressUntilGone(card(id).getByRole('button', { name, exact: true }))
const readyEvents = (orderId: string): number =>
  receiver.received.filter(
    ({ event }) => event.type === 'order.ready' && (event.data['order'] as { orderId?: string }).orderId === orderId,
  ).length

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, gatewayProgram: gatewayProgram() })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: address(''), height: 800 })
  page = visitor.page
  await page.clock.install()
})

afterAll(async () => {
  await browser?.close()
  await site.stop()
  await receiver.stop()
  await printer.stop()
})

describe('a new screen', () => {
  it('asks for a code, and a wrong one is refused with a message', async () => {
    await page.goto(address('/kitchen/'))
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.getByLabel('Code').fill('ZZZZ-ZZZZ')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This code is not known').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    visitor.complaints.length = 0
  })

  it('signs in by the address in a QR code, which keeps nothing of it', async () => {
    const added = await control('displays.add', { name: 'Expo' })

    await page.goto('about:blank')
    await page.goto(address(added['path'] ?? ''))
    await page.getByText('No open orders').waitFor()
    expect(page.url()).not.toContain('code')
    await page.reload()
    await page.getByRole('button', { name: 'Start shift' }).click()
    await page.getByText('Connected').waitFor()
    expect(await page.locator('.banner').count()).toBe(0)
  })
})

describe('an order', () => {
  it('is seen, started, ready, undone, ready again and picked up', async () => {
    const id = await inject('web-1', { note: 'peanut allergy' })
    await card(id).waitFor()
    expect(await card(id).textContent()).toContain('ALLERGY')
    await press(id, 'Start')
    // The button that takes it back stands for fifteen seconds.
    await stopTime(page)
    await press(id, 'Ready')
    await page.getByText(/^Order \d+: Ready$/).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.clock.resume()
    await press(id, 'Ready')
    await press(id, 'Picked up')
    await card(id).waitFor({ state: 'detached' })
    await expect.poll(() => receiver.received.some(({ event }) => event.type === 'order.completed')).toBe(true)
    expect(readyEvents('web-1')).toBe(1)
  })

  it('goes by keys alone: a digit chooses, Enter bumps, R takes back, A counts', async () => {
    const id = await inject('web-keys')
    await card(id).waitFor()
    await stopTime(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await page.getByText(/^Order \d+: Ready$/).waitFor()
    await page.keyboard.press('r')
    await page.clock.resume()
    await card(id).getByRole('button', { name: 'Ready', exact: true }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('region', { name: 'All day' }).getByText('1×').waitFor()
    await page.keyboard.press('a')
    // A second press of the same key counts for nothing for half a second.
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter')
        return await card(id).count()
      })
      .toBe(0)
  })

  it('for later is in the drawer until it is started', async () => {
    const id = await inject('web-later', { fireAt: new Date(Date.now() + 3_600_000).toISOString() })
    await page.getByRole('button', { name: 'Scheduled 1' }).click()
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await press(id, 'Ready')
    await press(id, 'Picked up')
  })

  it('that was voided stays until somebody acknowledges it', async () => {
    const id = await inject('web-void')
    await card(id).waitFor()
    await expect.poll(async () => (await site.getOrder(id)).body.printState).toBe('printed')
    await site.call('POST', `/v1/order/${id}/void`, { merchantId: site.merchantId, reason: 'guest left' })
    await card(id).getByText('VOID', { exact: true }).waitFor()
    await press(id, 'I have seen it')
    await card(id).waitFor({ state: 'detached' })
  })
})

describe('a printer', () => {
  it('that needs attention is named on the display, until it is well', async () => {
    printer.openCover()
    const id = await inject('web-cover')
    await page
      .locator('.banner-yellow')
      .getByText(/Printer kitchen: .*cover/i)
      .waitFor()
    printer.closeCover()
    await page.locator('.banner-yellow').waitFor({ state: 'detached' })
    await press(id, 'Ready')
    await press(id, 'Picked up')
  })
})

describe('the link', () => {
  it('a tap while the box is killed waits, survives a reload of the page, and lands once', async () => {
    const id = await inject('web-kill')
    await card(id).waitFor()
    await site.gateway.kill('SIGKILL')
    await press(id, 'Ready')
    await page.getByText('1 waiting to be sent').waitFor()
    expect(await card(id).textContent()).toContain('waiting')
    await site.startGateway()
    await page.reload()
    await page.getByText('waiting to be sent').waitFor({ state: 'detached' })
    await card(id).getByRole('button', { name: 'Picked up', exact: true }).waitFor()
    await expect.poll(() => readyEvents('web-kill')).toBe(1)
    await press(id, 'Picked up')
  })

  it('a suspended box shows the red bar, and the page recovers by itself', async () => {
    await page.getByText('Connected', { exact: true }).waitFor()
    site.gateway.signal('SIGSTOP')
    try {
      await page.getByText('Not connected since').waitFor()
    } finally {
      site.gateway.signal('SIGCONT')
    }
    await page.getByText('Connected', { exact: true }).waitFor()
  })
})

describe('sixty tickets', () => {
  it('stay in place when more arrive: what is visible is not drawn again', async () => {
    const open = (count: number) => page.locator('.counts-bar').getByText(`${count} open`).waitFor()
    const ids: string[] = []
    for (let n = 0; n < 60; n++)
      ids.push(await inject(`web-many-${n}`, { note: n % 7 === 0 ? 'no nuts, nut allergy' : 'extra hot' }))
    for (const id of ids) await expect.poll(async () => (await site.getOrder(id)).body.printState).toBe('printed')
    await page.reload()
    await open(60)
    const inSight = await page.locator('.card').count()
    expect(inSight).toBeGreaterThan(3)
    await page.evaluate(`
      window.redrawn = 0
      for (const card of document.querySelectorAll('.card')) {
        card.stoodBefore = true
        // The mark of a new order goes after a minute.
        const others = ({ target }) => target.className !== 'marks'
        new MutationObserver((changes) => { window.redrawn += changes.filter(others).length }).observe(card, { childList: true, subtree: true })
      }`)
    for (let n = 0; n < 4; n++) await inject(`web-more-${n}`)
    await open(64)
    expect(
      await page.evaluate("[...document.querySelectorAll('.card')].filter((card) => card.stoodBefore).length"),
    ).toBe(inSight)
    expect(await page.evaluate('window.redrawn')).toBe(0)
  })
})

describe('the browser', () => {
  it('had nothing to complain of: no error of a script, nothing that the policy refused', () => {
    // A box that is down is written down as well.
    expect(visitor.complaints.filter((words) => !/ERR_/.test(words))).toEqual([])
  })
})
