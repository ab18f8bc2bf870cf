// The dashboard on two relays with one PostgreSQL database: who is signed in at one is at the other, and a page of one shows what happens at the other.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { newPerson, newSession, type SignedInPerson } from '#test/fixtures/sign-in.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { Program } from '#test/harness/program.ts'
import { launchShell } from './chromium.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const isThere = postgresPrograms() !== null
if (!isThere) process.stderr.write('dashboard-two-relays.test.ts is skipped: apt-get install postgresql\n')

const MERCHANT_ID = 'M-TEST-001'

describe.runIf(isThere)('the dashboard on two relays', () => {
  const dir = mkdtempSync(join(tmpdir(), 'dashboard-two-relays-'))
  const relays: { program: Program; url: string }[] = []
  let server: PostgresServer
  let browser: Browser
  let account: SandboxAccount
  let owner: SignedInPerson

  beforeAll(async () => {
    server = await PostgresServer.start()
    const db = await PostgresDatabase.open({ url: server.url(), slots: 1, readers: 2 })
    account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Casa Nina' })
    const { accountId } = account
    const nowMs = systemClock.now()
    owner = await db.unit(async (tx) => {
      const stores = openStores(db)
      const userId = await newPerson(tx, stores, { member: [{ role: 'owner', accountId }], nowMs })
      return newSession(tx, stores, { userId, nowMs })
    })
    await db.close()
    const masterKey = randomBytes(32).toString('base64')
    for (const name of ['a', 'b']) {
      const port = await ownPort(relays.map(({ url }) => Number(new URL(url).port)))
      const url = `http://127.0.0.1:${port}`
      const program = new Program(
        'cloud/main.ts',
        {
          DATABASE_URL: server.url(),
          CLOUD_DATABASE: join(dir, 'not-used.db'),
          CLOUD_ADMIN_SOCKET: join(dir, `${name}.sock`),
          CLOUD_MASTER_KEY: masterKey,
          CLOUD_HTTP_PORT: String(port),
          CLOUD_MQTT_PORT: '0',
          CLOUD_PUBLIC_URL: url,
        },
        false,
      )
      relays.push({ program, url })
      await program.start()
    }
    browser = await launchShell()
  })
  afterAll(async () => {
    await browser?.close()
    for (const { program } of relays) await program.kill('SIGKILL')
    await server?.remove()
    rmSync(dir, { recursive: true, force: true })
  })

  const urlOf = (relay: 0 | 1): string => relays[relay]?.url ?? ''

  /** Somebody whose browser has the one session, at this relay. */
  async function atOrders(relay: 0 | 1): Promise<Visitor> {
    const visitor = await newVisitor(browser, { url: urlOf(relay), api: '/dashboard/api/' })
    const [name = '', value = ''] = owner.cookie.split(/=(.*)/)
    await visitor.context.addCookies([{ name, value, url: urlOf(relay) }])
    await visitor.page.goto(`/dashboard/orders?merchant=${MERCHANT_ID}&environment=sandbox`)
    await visitor.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    return visitor
  }

  let sent = 0
  async function injectAt(relay: 0 | 1): Promise<string> {
    const answer = await fetch(`${urlOf(relay)}/v1/order/inject`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ merchantId: MERCHANT_ID, orderId: `two-${++sent}`, source: 'kiosk-7', total: 12.5 },
        items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }],
      }),
    })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { serviceOrderId: string }).serviceOrderId
  }

  it('signs in at both at once, and an order that the other relay takes appears on the page without a reload', async () => {
    const first = await injectAt(0)
    const [here, there] = [await atOrders(0), await atOrders(1)]
    for (const { page } of [here, there]) await page.locator(`a[href*="${first}"]`).waitFor()
    const second = await injectAt(1)
    for (const { page } of [here, there]) {
      await page.getByRole('button', { name: /^1 new/ }).click()
      await page.locator(`a[href*="${second}"]`).waitFor()
    }
    expect([...here.complaints, ...there.complaints]).toEqual([])
    await here.context.close()
    await there.context.close()
  })

  it('shows on the page of one relay an action on the page of the other', async () => {
    const id = await injectAt(1)
    const [here, there] = [await atOrders(0), await atOrders(1)]
    const rowAt = ({ page }: Visitor) => page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) })
    const stateAt = (visitor: Visitor, words: string) => rowAt(visitor).locator('.order-states').getByText(words)
    await stateAt(here, 'In the kitchen').waitFor()
    await rowAt(there)
      .getByRole('button', { name: /^Ready, / })
      .click()
    await stateAt(here, 'Ready').waitFor()
    await here.context.close()
    await there.context.close()
  })

  it('signs out at both', async () => {
    const [here, there] = [await atOrders(0), await atOrders(1)]
    await there.page.getByRole('button', { name: /^You: / }).click()
    await there.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await here.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await here.context.close()
    await there.context.close()
  })
})
