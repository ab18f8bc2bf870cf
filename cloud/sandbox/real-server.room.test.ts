// The sandbox from outside: a real relay, real sockets, the system's clock. An order goes in by HTTP, its paper comes out by HTTP.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cloud } from '#cloud/cloud.ts'
import { readCloudConfig } from '#cloud/config.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { createLogger } from '#shared/log.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { createSandboxAccount, type SandboxAccount } from './fixtures.ts'

let dir: string
let cloud: Cloud
let account: SandboxAccount
const receiver = new WebhookReceiver()

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-sandbox-'))
  const file = join(dir, 'relay.db')
  const db = await SqliteDatabase.open(file, raise)
  account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Client' })
  await db.close()
  cloud = new Cloud({
    config: readCloudConfig({
      CLOUD_DATABASE: file,
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
      CLOUD_HTTP_PORT: '0',
      CLOUD_MQTT_PORT: '0',
      CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    }),
    clock: systemClock,
    random: Math.random,
    log: createLogger('cloud', 'silent', { destination: { write: () => {} } }),
    onFatal: raise,
  })
  await cloud.start()
  await receiver.start()
})
afterAll(async () => {
  await receiver.stop()
  await cloud.stop()
  rmSync(dir, { recursive: true, force: true })
})

function raise(error: unknown): never {
  throw error
}

const headers = () => ({ authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' })
const get = (path: string) => fetch(`${cloud.httpUrl}${path}`, { headers: headers() })
const post = async (path: string, body: unknown) => {
  const answer = await fetch(`${cloud.httpUrl}${path}`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  return { status: answer.status, body: (await answer.json()) as any }
}
interface Ticket {
  ticketId: string
  printerId: string
  printerName: string
  kind: string
  text: string
}
const ticketsOf = async (printJobId: string) =>
  (await (await get(`/v1/test/print/job/${printJobId}/tickets?merchantId=M-TEST-003`)).json()) as { data: Ticket[] }
/** Asks again, not so often that the rate limit refuses it, until there are so many. */
async function until(ask: () => Promise<Ticket[]>, count: number): Promise<Ticket[]> {
  let tickets: Ticket[] = []
  await expect
    .poll(async () => {
      tickets = await ask()
      return tickets.length
    })
    .toBeGreaterThanOrEqual(count)
  return tickets
}
const order = (change: Record<string, unknown>) => ({
  merchantId: 'M-TEST-003',
  orderId: 'order-1',
  source: 'kiosk-7',
  items: [
    { umsId: 'UMS-STEAK-01', qty: 1, price: 28.9, note: 'peanut allergy', modifiers: ['UMS-MOD-RARE'] },
    { umsId: 'UMS-COCKTAIL-01', qty: 2, price: 5 },
  ],
  total: 38.9,
  ...change,
})

test('an order to M-TEST-003 is printed on two of its twelve printers; the paper can be read in three forms', async () => {
  const endpoint = await post('/v1/webhooks', { merchantId: 'M-TEST-003', url: receiver.url })
  expect(endpoint.status).toBe(201)
  receiver.secret = endpoint.body.secret
  const printed = receiver.arrived.next(({ event }) => event.type === 'order.printed')
  const answer = await post('/v1/order/inject', order({}))
  expect(answer.status).toBe(200)
  const { event, signatureValid } = await printed
  expect(signatureValid).toBe(true)
  expect(event.data).toMatchObject({
    order: { serviceOrderId: answer.body.serviceOrderId, status: 'printed' },
    print: { confirmation: 'confirmed', printers: [{ name: 'Kitchen' }, { name: 'Bar' }] },
  })

  const job = `/v1/test/print/job/${answer.body.printJobId}`
  const list = await ticketsOf(answer.body.printJobId)
  expect(list.data.map(({ printerName, kind }) => [printerName, kind])).toEqual([
    ['Kitchen', 'order'],
    ['Bar', 'order'],
  ])
  const [kitchen, bar] = list.data
  expect(kitchen?.text).toContain('Entrecôte Béarnaise')
  expect(kitchen?.text).toContain('!! ALLERGY !!')
  expect(kitchen?.text).not.toContain('Spritz')
  expect(bar?.text).toContain('Happy Hour €5 Spritz')
  // The bar's printer has narrow paper.
  expect(Math.max(...(bar?.text ?? '').split('\n').map((line) => line.length))).toBeLessThanOrEqual(32)

  const ticket = `${job}/ticket/${kitchen?.ticketId}?merchantId=M-TEST-003`
  const asText = await get(ticket)
  expect(asText.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await asText.text()).toBe(`${kitchen?.text}\n`)
  const asSvg = await get(`${ticket}&format=svg`)
  expect(asSvg.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(asSvg.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await asSvg.text()).toMatch(/^<svg xmlns.*Entrecôte Béarnaise.*<\/svg>$/)
  const asBytes = await get(`${ticket}&format=escpos`)
  expect(asBytes.headers.get('content-type')).toBe('application/octet-stream')
  const paper = new PaperInterpreter({ kanjiAtStart: true })
  paper.push(new Uint8Array(await asBytes.arrayBuffer()))
  expect(paper.tickets.map((each) => each.text())).toEqual([kitchen?.text])
})

test('what the printer has no letters for is a picture on paper, and words in the text', async () => {
  const [steak, cocktail] = order({}).items
  const items = [
    { ...steak, note: '宫保鸡丁 🥜' },
    { ...cocktail, note: 'ต้มยำ' },
  ]
  const answer = await post('/v1/order/inject', order({ orderId: 'order-drawn', items }))
  const { printJobId } = answer.body
  const [kitchen, bar] = await until(async () => (await ticketsOf(printJobId)).data, 2)
  for (const [ticket, words] of [
    [kitchen, ['宫保鸡丁', '🥜', 'Béarnaise']],
    [bar, ['ต้มยำ', 'Spritz']],
  ] as const) {
    for (const word of words) expect(ticket?.text).toContain(word)
    expect(ticket?.text).not.toContain('[raster')
    const path = `/v1/test/print/job/${printJobId}/ticket/${ticket?.ticketId}?merchantId=M-TEST-003`
    expect(await (await get(path)).text()).toBe(`${ticket?.text}\n`)
    const paper = new PaperInterpreter({ kanjiAtStart: true })
    paper.push(new Uint8Array(await (await get(`${path}&format=escpos`)).arrayBuffer()))
    expect(paper.tickets[0]?.text()).toContain('[raster')
  }
})

test('an order of M-TEST-003 that is voided after it was printed gets a VOID slip at each of its printers', async () => {
  const printed = receiver.arrived.next(({ event }) => event.type === 'order.printed')
  const { serviceOrderId, printJobId } = (await post('/v1/order/inject', order({ orderId: 'order-void' }))).body
  await printed
  const voided = await post(`/v1/order/${serviceOrderId}/void`, { merchantId: 'M-TEST-003' })
  expect([voided.status, voided.body.status]).toEqual([200, 'voided'])
  const slips = await until(async () => {
    const { data } = await ticketsOf(printJobId)
    return data.filter(({ kind }) => kind === 'void')
  }, 2)
  expect(slips.map(({ printerName }) => printerName)).toEqual(['Kitchen', 'Bar'])
  for (const slip of slips) expect(slip.text).toContain('DO NOT MAKE')
})

test('a label and a reprint are printed at the printers of the named location', async () => {
  const merchants = (await (await get('/v1/merchants')).json()) as {
    data: { merchantId: string; locations: { locationId: string; name: string }[] }[]
  }
  const locations = merchants.data.find(({ merchantId }) => merchantId === 'M-TEST-003')?.locations
  const airport = locations?.find(({ name }) => name === 'Airport')?.locationId
  const job = { merchantId: 'M-TEST-003', locationId: airport, type: 'label', text: 'Sauce Béarnaise', copies: 2 }
  const label = await post('/v1/print/job', job)
  expect(label.status).toBe(200)
  const labels = await until(async () => (await ticketsOf(label.body.printJobId)).data, 2)
  for (const { kind, text, printerId } of labels)
    expect([kind, printerId, text.includes('Sauce Béarnaise')]).toEqual(['label', 'sim-003-airport-front', true])

  const first = (await post('/v1/order/inject', order({ orderId: 'order-reprint' }))).body
  await until(async () => (await ticketsOf(first.printJobId)).data, 2)
  const reprint = { merchantId: 'M-TEST-003', type: 'kitchen', serviceOrderId: first.serviceOrderId }
  const again = await post('/v1/print/job', reprint)
  expect(again.status).toBe(200)
  const copies = await until(async () => (await ticketsOf(again.body.printJobId)).data, 2)
  for (const { kind, text } of copies) expect([kind, text.includes('REPRINT')]).toEqual(['reprint', true])
})

test('every due ticket and every print job of M-TEST-PRINTER-OFFLINE is answered 503 with what was stored; nothing is printed', async () => {
  const merchantId = 'M-TEST-PRINTER-OFFLINE'
  const inject = (change: Record<string, unknown>) => post('/v1/order/inject', order({ merchantId, ...change }))
  const due = await inject({})
  expect([due.status, due.body.code]).toEqual([503, 'printer.offline'])
  const { printJobId } = due.body.order
  const list = await get(`/v1/test/print/job/${printJobId}/tickets?merchantId=${merchantId}`)
  expect([list.status, await list.json()]).toEqual([200, { data: [] }])
  const note = await post('/v1/print/job', { merchantId, type: 'kitchen', text: 'Out of fries' })
  expect([note.status, note.body.code, note.body.printJob.status]).toEqual([503, 'printer.offline', 'queued'])
  const fireAt = new Date(systemClock.now() + 3_600_000).toISOString()
  for (const change of [{}, { orderId: 'no-ticket', print: false }, { orderId: 'later', fireAt }])
    expect((await inject(change)).status).toBe(200)
})
