// The page by https in Debian's chromium: from plain http on another machine over the page that says why, to a sign-in whose cookie stays there, and a tablet that goes on by http.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownPort } from '#test/doubles/own-port.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite, PASSWORD } from './admin-site.ts'
import { BOX_NAME, launchShell } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const site = new AdminSite()
const sockets = new Set<Socket>()
/** Gives what it gets to the box, as another machine of the network: loopback's other addresses stand for those. */
let otherMachine: Server
let browser: Browser
let visitor: Visitor
let httpsPort: number
let fromOutside: string

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const servedHere = () => servedCertificate('127.0.0.1', httpsPort)

beforeAll(async () => {
  httpsPort = await ownPort()
  await site.start({ GATEWAY_HTTPS_PORT: String(httpsPort) })
  otherMachine = createServer((socket) => {
    const box = connect({ host: '127.0.0.1', port: Number(new URL(site.url).port), localAddress: '127.0.0.2' })
    for (const end of [socket, box]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
    }
    socket.pipe(box).pipe(socket)
  })
  fromOutside = `http://${BOX_NAME}:${await listening(otherMachine)}`
  // Answers when https does.
  await site.line('status')
  const key = (await servedHere()).publicKey.export({ type: 'spki', format: 'der' })
  browser = await launchShell(createHash('sha256').update(key).digest('base64'))
  visitor = await newVisitor(browser, { url: fromOutside })
})
afterAll(async () => {
  await browser?.close()
  for (const socket of sockets) socket.destroy()
  otherMachine?.close()
  await site.stop()
})

describe('the page by https', () => {
  it('is where plain http of another machine points to, with the fingerprint that the terminal shows', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Go on by https' }).waitFor()
    const shown = await page.locator('#fingerprint').textContent()
    expect(shown).toBe((await servedHere()).fingerprint256)
    for (const command of ['status', 'welcome']) expect((await site.line(command)).out).toContain(shown ?? 'none')
    expect(await keepFaces(page, 'plain-http', accessibilityFaults)).toEqual([])
    await page.getByRole('link', { name: /^Go on/ }).click()
    await page.waitForURL(`https://${BOX_NAME.toLowerCase()}:${httpsPort}/**`)
  })

  it('takes the set-up code and a password, and its cookie stays with https', async () => {
    const { page, context } = visitor
    await page.getByLabel(/^Set-up code/).fill(await site.setupCode())
    await page.getByLabel(/^Name/).fill('Tea')
    await page.getByLabel(/^New password \*/).fill(PASSWORD)
    await page.getByLabel(/^New password again/).fill(PASSWORD)
    const loadedAnew = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Start' }).click()
    await loadedAnew
    await page.getByRole('heading', { level: 1, name: 'Restaurant' }).waitFor()
    const cookies = await context.cookies(`https://${BOX_NAME}:${httpsPort}`)
    expect(cookies.map(({ name, secure, httpOnly, sameSite }) => [name, secure, httpOnly, sameSite])).toEqual([
      ['__Host-ticketrail_session', true, true, 'Strict'],
      ['__Host-ticketrail_device', true, true, 'Strict'],
    ])
    expect(await context.cookies(fromOutside)).toEqual([])
  })

  it('is live, shows its fingerprint, and complains of nothing', async () => {
    const { page } = visitor
    await page.goto(`https://${BOX_NAME}:${httpsPort}/admin/settings#https`)
    await page.getByText((await servedHere()).fingerprint256).waitFor()
    expect(await keepFaces(page, 'https-settings', accessibilityFaults)).toEqual([])
    // The page that plain http gets in its place is an answer with status 403.
    expect(visitor.complaints.filter((text) => !text.includes('403'))).toEqual([])
  })

  it('sends a tablet to plain http, where it signs in and shows the board', async () => {
    const { page } = visitor
    await page.goto(`https://${BOX_NAME}:${httpsPort}/admin/displays`)
    await page.getByLabel(/^Name/).fill('Pass')
    await page.getByRole('button', { name: 'Add screen' }).click()
    const address = (await page.locator('code', { hasText: '/kitchen/#code=' }).textContent()) ?? ''
    // The box's own port of http, under the name by which the page was opened.
    expect(address.startsWith(`${site.url.toLowerCase()}/kitchen/#code=`)).toBe(true)
    const tablet = await newVisitor(browser, { url: fromOutside, width: 800 })
    await tablet.page.goto(address.replace(site.url.toLowerCase(), fromOutside))
    await tablet.page.getByRole('button', { name: 'Start shift' }).waitFor()
    expect(tablet.complaints).toEqual([])
  })

  it('is not reached with its cookie by plain http', async () => {
    const { page } = visitor
    const answer = await page.goto(`${fromOutside}/admin`)
    expect(answer?.status()).toBe(403)
    expect((await answer?.request().allHeaders())?.['cookie']).toBeUndefined()
  })
})
