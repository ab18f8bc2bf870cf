// The simulated kitchen's paper over HTTP: three forms, and no account sees the paper of others.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SimulatedKitchen } from '#cloud/sandbox/simulated-kitchen.ts'
import { SandboxKitchenStore } from '#cloud/storage/sandbox-kitchen-store.ts'
import { SandboxTicketStore } from '#cloud/storage/sandbox-ticket-store.ts'
import { newId } from '#shared/ids.ts'
import { sandboxTickets } from '#shared/wire/api/printing.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { sandboxRoutes } from './sandbox-routes.ts'

let api: RelayApi
let clock: ManualClock
let kitchen: SimulatedKitchen
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({
    clock,
    routes: (app, { authorize, db }) => sandboxRoutes(app, { authorize, sandboxTickets: new SandboxTicketStore(db) }),
  })
  kitchen = new SimulatedKitchen({
    ...api.stores,
    sandboxKitchens: new SandboxKitchenStore(api.db),
    sandboxTickets: new SandboxTicketStore(api.db),
    recordResult: (result) => recordPrintResult(api.stores, result),
    retentionDays: 90,
    deletionClock: clock,
  })
  await kitchen.start()
})
afterEach(async () => {
  await kitchen.stop()
  await api.close()
})

/** A new order that the simulated kitchen has printed. @returns its print job's id */
async function printed(change: Record<string, unknown> = {}): Promise<string> {
  const { printJobId } = (await api.inject(change)).body
  const state = async () => {
    const [row] = await api.db.read.selectFrom('dispatches').select('state').where('id', '=', printJobId).execute()
    return row?.state
  }
  while ((await state()) !== 'printed') await clock.advance(100)
  return printJobId
}

const listOf = (jobId: string, options: { key?: string; merchantId?: string } = {}) => {
  const { merchantId = 'M-TEST-001', ...rest } = options
  return api.call('GET', `/v1/test/print/job/${jobId}/tickets?merchantId=${merchantId}`, rest)
}
const ticketOf = (jobId: string, ticketId: string, more = '', key?: string) =>
  api.call(
    'GET',
    `/v1/test/print/job/${jobId}/ticket/${ticketId}?merchantId=M-TEST-001${more}`,
    key === undefined ? {} : { key },
  )

describe('the tickets of a print job', () => {
  test('are listed with their text; before they are printed the list is empty', async () => {
    const { printJobId } = (await api.inject()).body
    expect((await listOf(printJobId)).body).toEqual({ data: [] })
    const jobId = await printed({ orderId: 'order-2' })
    const answer = await listOf(jobId)
    expect(answer.status).toBe(200)
    const { data } = sandboxTickets.parse(answer.body)
    expect(data.map(({ ticketId, printerName }) => [ticketId, printerName])).toEqual([
      [`${jobId}-1`, 'Kitchen'],
      [`${jobId}-2`, 'Cold Line'],
    ])
    expect(data[0]?.text).toContain('no pickles')
  })

  test('can be had as text, picture and bytes, and never run as a page', async () => {
    const items = [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1, note: '<script>alert(1)</script>' }]
    const jobId = await printed({ items, total: 1 })
    const text = await ticketOf(jobId, `${jobId}-1`)
    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text.text).toContain('<script>alert(1)</script>')
    const svg = await ticketOf(jobId, `${jobId}-1`, '&format=svg')
    expect([svg.status, svg.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(svg.text).not.toContain('<script')
    for (const { headers } of [text, svg]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('no-store')
    }
    const bytes = await ticketOf(jobId, `${jobId}-1`, '&format=escpos')
    expect([bytes.status, bytes.headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(bytes.text.startsWith('\u001b@')).toBe(true)
  })

  test('in a form that there is not is 422', async () => {
    const jobId = await printed()
    const answer = await ticketOf(jobId, `${jobId}-1`, '&format=pdf')
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'format'])
  })
})

describe('the paper of others', () => {
  const withoutRequest = (body: Record<string, unknown>) => ({ ...body, requestId: '' })

  test('looks exactly like a job that does not exist: of another account, and of another merchant', async () => {
    const jobId = await printed()
    const other = await createSandboxAccount(api, { name: 'Other' })
    const unknown = await listOf(newId('pj', clock.now()))
    expect([unknown.status, unknown.body.code]).toEqual([404, 'print_job.not_found'])
    for (const answer of [
      await listOf('not-an-id'),
      await listOf(jobId, { key: other.apiKey }),
      await listOf(jobId, { merchantId: 'M-TEST-002' }),
      await ticketOf(jobId, `${jobId}-1`, '', other.apiKey),
    ]) {
      expect(answer.status).toBe(404)
      expect(withoutRequest(answer.body)).toEqual(withoutRequest(unknown.body))
    }
  })

  test('cannot be had through a job of one’s own', async () => {
    const theirs = await printed()
    const other = await createSandboxAccount(api, { name: 'Other' })
    const own = await api.call('POST', '/v1/order/inject', { body: api.order(), key: other.apiKey })
    const answer = await ticketOf(own.body.printJobId, `${theirs}-1`, '', other.apiKey)
    expect([answer.status, answer.body.code]).toEqual([404, 'ticket.not_found'])
  })
})

test('for a live key these paths do not exist, and a sandbox key needs the scope', async () => {
  const jobId = await printed()
  const { accountId } = api.account
  const [live, narrow] = await api.db.unit(async (tx) => [
    await issueApiKey(tx, api.stores, { accountId, environment: 'live', scopes: ['printers:control'] }),
    await issueApiKey(tx, api.stores, { accountId, environment: 'sandbox', scopes: ['orders:read'] }),
  ])
  for (const answer of [
    await listOf(jobId, { key: live?.apiKey ?? '' }),
    await ticketOf(jobId, `${jobId}-1`, '', live?.apiKey),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, 'request.not_found'])
  expect((await listOf(jobId, { key: narrow?.apiKey ?? '' })).body.code).toBe('auth.insufficient_scope')
})
