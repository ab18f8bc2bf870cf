// `ticketrail doctor` and `ticketrail open` against a complete relay, and against addresses without one.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { type Around, typed } from '#test/fixtures/typed-ticketrail.ts'

const { relay, home, env } = await ticketrailHome()

/** The results by check. */
async function examined(around: Around = {}) {
  const line = typed(['doctor', '--json'], { env, ...around })
  const code = await line.ended
  const { checks } = JSON.parse(line.out.join('\n')) as { checks: { name: string; state: string; text: string }[] }
  return { code, wrong: checks.filter(({ state }) => state === 'wrong'), checks }
}

async function made(url: string): Promise<{ webhookId: string }> {
  const body = JSON.stringify({ merchantId: 'M-TEST-001', url, events: ['order.accepted'] })
  return JSON.parse((await relay.call({ method: 'POST', path: '/v1/webhooks', body })).text)
}

describe('doctor', () => {
  it('finds no problem at a working relay, shows the account and its scopes, and no key', async () => {
    const { code, wrong, checks } = await examined()
    expect([code, wrong]).toEqual([0, []])
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['address', 'name', 'relay', 'TLS', 'clock', 'key', 'merchant', 'webhook']),
    )
    expect(checks.find(({ name }) => name === 'key')?.text).toMatch(/Contract, sandbox, .*orders:write/)
    expect(JSON.stringify(checks)).not.toContain(relay.account.apiKey)
    const words = typed(['doctor'], { env })
    expect([await words.ended, words.out[0]]).toEqual([0, expect.stringMatching(/^ok +address +http/)])
  })

  it.each([
    ['two minutes ahead', 120_000, /1[12]\d s ahead of/],
    ['two minutes behind', -120_000, /1[12]\d s behind/],
  ])('tells a clock that is %s', async (_how, apartMs, words) => {
    const { code, wrong } = await examined({ clock: { ...systemClock, now: () => systemClock.now() + apartMs } })
    expect([code, wrong]).toEqual([1, [{ name: 'clock', state: 'wrong', text: expect.stringMatching(words) }]])
  })

  it('reports an invalid key, and sends nothing more with it', async () => {
    const { code, wrong, checks } = await examined({ env: { ...env, TICKETRAIL_API_KEY: 'sk_sandbox_none_none_none' } })
    expect([code, wrong.map(({ name }) => name), checks.at(-1)?.name]).toEqual([1, ['key'], 'key'])
    expect(wrong[0]?.text).toContain('ticketrail login')
  })

  it('reports a missing key, an unknown host, a closed port, and a server that is no relay', async () => {
    expect((await examined({ env: { HOME: home } })).wrong).toMatchObject([{ name: 'address' }])
    const at = async (url: string) => (await examined({ env: { ...env, TICKETRAIL_URL: url } })).wrong
    expect(await at('https://relay.invalid')).toMatchObject([{ name: 'name' }])
    const other = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await at(url)).toMatchObject([{ name: 'relay', text: expect.stringContaining('404') }])
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
    expect(await at(url)).toMatchObject([{ name: 'relay', text: expect.stringContaining('ECONNREFUSED') }])
  })

  it('reports an untrusted certificate', async () => {
    const server = createTlsServer(SELF_SIGNED, (_request, response) => response.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, wrong } = await examined({ env: { ...env, TICKETRAIL_URL: url } })
    expect([code, wrong]).toMatchObject([1, [{ name: 'relay', text: expect.stringContaining('NODE_EXTRA_CA_CERTS') }]])
    server.close()
  })

  it('tells an endpoint where nothing listens, with how to delete it, and names listeners by what they are', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    const { url } = receiver
    await receiver.stop()
    const { webhookId } = await made(url)
    const body = JSON.stringify({ merchantId: 'M-TEST-001', label: 'listen on laptop' })
    const listener = JSON.parse((await relay.call({ method: 'POST', path: '/v1/webhook/listener', body })).text)
    expect(await typed(['inject'], { env }).ended).toBe(0)
    const said = `the newest because nothing listens at ${new URL(url).host}. When your program works`
    await expect.poll(async () => (await examined()).wrong[0]?.text ?? '').toContain(said)
    const { checks } = await examined()
    const texts = checks.filter(({ name }) => name === 'webhook').map(({ text }) => text)
    expect(texts).toEqual([
      expect.stringContaining(`If you no longer need it: ticketrail webhooks delete ${webhookId}`),
      `${listener.webhookId} listener, listen on laptop`,
    ])
    for (const id of [webhookId, listener.webhookId])
      expect(await typed(['webhooks', 'delete', id], { env }).ended).toBe(0)
    expect((await examined()).wrong).toEqual([])
  })

  it('tells an endpoint that refuses what it gets, with how to send it again, as commands are typed here', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    receiver.answerWith({ kind: 'status', status: 401 })
    const { webhookId } = await made(receiver.url)
    const order = typed(['inject'], { env })
    expect(await order.ended).toBe(0)
    await receiver.waitFor(1)
    await expect
      .poll(async () => (await examined()).wrong)
      .toEqual([{ name: 'webhook', state: 'wrong', text: expect.stringContaining(`recover ${webhookId}`) }])
    const line = typed(['doctor'], { env, program: 'npm run -s ticketrail --' })
    expect(await line.ended).toBe(1)
    expect(line.out.join('\n')).toMatch(/ answered 401\. .* npm run -s ticketrail -- webhooks recover we_/)
    await relay.call({ method: 'DELETE', path: `/v1/webhook/${webhookId}?merchantId=M-TEST-001` })
    await receiver.stop()
  })
})

describe('open', () => {
  const open = async (words: string[], around: Around = {}) => {
    const line = typed(['open', ...words], { env: { ...env, DISPLAY: ':0' }, ...around })
    return { code: await line.ended, out: line.out, opened: line.opened.map((started) => started.at(-1)) }
  }

  it.each([
    [[], ''],
    [['keys'], '/keys'],
    [['ord_01jd3k5v8wz9x0y1a2b3c4d5e6'], '/orders/ord_01jd3k5v8wz9x0y1a2b3c4d5e6'],
    [['dlv_1'], '/deliveries/dlv_1'],
  ])('%j prints the address of the page and opens it', async (words, path) => {
    const url = `${relay.url}/dashboard${path}`
    expect(await open(words)).toEqual({ code: 0, out: [url], opened: [url] })
  })

  it('only prints the address without a display, and refuses unknown pages', async () => {
    expect(await open(['orders'], { env })).toMatchObject({ code: 0, opened: [] })
    expect(await open(['orders'], { env: { ...env, DISPLAY: ':0', SSH_CONNECTION: 'x' } })).toMatchObject({
      opened: [],
    })
    for (const word of ['toString', 'ord_../keys', 'xx_1'])
      expect(await open([word])).toMatchObject({ code: 2, out: [] })
  })
})
