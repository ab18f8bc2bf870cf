// `login` and `listen` at a relay that answers what no relay should: nothing crashes, fills the memory or leads the person elsewhere.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HurriedClock } from '#test/doubles/hurried-clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { delivery, ScriptedRelay } from '#test/doubles/scripted-relay.ts'
import { type Around, typed } from '#test/fixtures/typed-ticketrail.ts'
import { targetOf } from './listener.ts'
import { settingsFile } from './settings.ts'

const URL_OF_RELAY = 'http://relay.example'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'strange-relay-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('login', () => {
  const CODES = {
    ...{ deviceCode: 'device', userCode: 'KXRT-4821', expiresIn: 600, interval: 5 },
    verificationUri: `${URL_OF_RELAY}/dashboard/device`,
    verificationUriComplete: `${URL_OF_RELAY}/dashboard/device#KXRT-4821`,
  }
  const KEY = {
    ...{ apiKey: 'sk_sandbox_1234567890', keyId: 'key_1', account: { accountId: 'acc_1', name: 'Acme' } },
    ...{ environment: 'sandbox', scopes: ['orders:read'], expiresAt: '2027-02-28T00:00:00.000Z' },
  }

  /** One sign-in at a relay with these answers, to its end. */
  async function login(codes: () => Response, key: object = KEY) {
    const asked: string[] = []
    const line = typed(['login', '--url', URL_OF_RELAY], {
      env: { HOME: home, DISPLAY: ':0' },
      clock: new HurriedClock(5_000),
      fetch: async (url) => {
        asked.push(new URL(url).pathname)
        return url.endsWith('/device/code') ? codes() : Response.json(key)
      },
    })
    const code = await line.ended
    const isStored = existsSync(settingsFile({ HOME: home }))
    return { code, isStored, asked, opened: line.opened, out: line.out.join('\n'), err: line.err.join('\n') }
  }

  const REFUSED = { code: 4, isStored: false }

  it('takes the answers of a relay', async () => {
    const { out, ...signedIn } = await login(() => Response.json(CODES))
    expect(signedIn).toMatchObject({ code: 0, isStored: true, opened: [['xdg-open', CODES.verificationUriComplete]] })
    expect(out).toContain('Signed in to Acme')
  })

  it.each([{ message: 'No', errors: [null] }, { message: 'No', errors: 'none' }, { message: { toString: 1 } }, null])(
    'tells the status of a refusal that is malformed: %j',
    async (body) => {
      const refused = await login(() => Response.json(body, { status: 422 }))
      expect(refused).toMatchObject({ ...REFUSED, err: 'The relay answered 422.', asked: ['/device/code'] })
    },
  )

  it('stops reading an answer without end', async () => {
    let read = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(16_384).fill(0x20))
        read += 16_384
        // Whoever reads so far would read on for ever.
        if (read > 2_000_000) controller.close()
      },
    })
    expect(await login(() => new Response(endless))).toMatchObject({ ...REFUSED, err: 'The relay answered 200.' })
    expect(read).toBeLessThan(131_072)
  })

  it.each([
    { interval: 1e15 },
    { interval: 0 },
    { interval: -5 },
    { expiresIn: 1e15 },
    { expiresIn: 0 },
    { expiresIn: -5 },
  ])('does not wait as it is told by %j', async (strange) => {
    const refused = await login(() => Response.json({ ...CODES, ...strange }))
    expect(refused).toMatchObject({ ...REFUSED, asked: ['/device/code'] })
  })

  it.each(['evil', 'sk_sandbox_a\nb', `sk_sandbox_${'x'.repeat(1_000)}`])(
    'stores nothing that is no key, such as %j',
    async (apiKey) => {
      expect(await login(() => Response.json(CODES), { ...KEY, apiKey })).toMatchObject(REFUSED)
    },
  )

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://evil.example/device', 'no address'])(
    'names and opens the page of the relay where it is told %s',
    async (verificationUriComplete) => {
      const { out, opened } = await login(() => Response.json({ ...CODES, verificationUriComplete }))
      expect(out).toContain(`Open ${CODES.verificationUriComplete}\n`)
      expect(out).not.toContain(verificationUriComplete)
      expect(opened).toEqual([['xdg-open', CODES.verificationUriComplete]])
    },
  )
})

describe('listen', () => {
  const env = () => ({
    ...{
      HOME: home,
      TICKETRAIL_URL: URL_OF_RELAY,
      TICKETRAIL_API_KEY: 'sk_sandbox_x',
      TICKETRAIL_MERCHANT: 'M-TEST-001',
    },
  })
  const listen = (args: readonly string[], fetch: NonNullable<Around['fetch']>, around: Around = {}) =>
    typed(['listen', ...args], { env: env(), fetch, ...around })

  it('tells the relay neither the password nor the query of the address where it posts', async () => {
    const relay = new ScriptedRelay()
    const line = listen(['--forward-to', 'http://dev:PW@localhost:3999/hook?token=T'], relay.fetch)
    await line.said(/Listening as/)
    line.stop()
    await line.ended
    expect(relay.calls.map(({ body }) => body['label'])).toEqual([
      expect.stringMatching(/^listen on \S+ to http:\/\/localhost:3999\/hook$/),
    ])
  })

  it('connects again after a delivery whose body is no JSON', async () => {
    const [relay, clock] = [new ScriptedRelay(), new ManualClock()]
    const line = listen(['--print'], relay.fetch, { clock })
    await line.said(/Listening as/)
    relay.say('delivery', { ...delivery(), body: 'no JSON' })
    // Less than the silence after which a stream counts as lost.
    for (let seconds = 0; seconds < 20; seconds++) await clock.advance(1_000)
    expect(relay.streams).toBe(2)
    relay.say('delivery', delivery(1, 'dlv_2'))
    await line.said(/order\.ready/)
    line.stop()
    expect(await line.ended).toBe(130)
    expect(relay.results.map(({ deliveryId }) => deliveryId)).toEqual(['dlv_2'])
  })

  it.each(['{"data":null}', 'null', '5', '{"data":{"order":null}}', '{"data":{"order":{"orderId":{"toString":1}}}}'])(
    'posts a delivery with a strange body: %s',
    async (body) => {
      const relay = new ScriptedRelay()
      const line = listen(['--print'], relay.fetch)
      await line.said(/Listening as/)
      relay.say('delivery', { ...delivery(), body })
      expect(await line.said(/order\.ready/)).toMatch(/order\.ready +- +200/)
      await relay.until(() => relay.results.length === 1)
      line.stop()
      expect(await line.ended).toBe(130)
    },
  )

  it.each([[[null, null]], ['two'], [[1, { field: 'events' }]]])(
    'is refused in plain words where the fields of the refusal are %j',
    async (errors) => {
      const refusal = { code: 'request.invalid', message: 'No.', errors }
      const line = listen(['--print'], async () => Response.json(refusal, { status: 422 }))
      expect([await line.ended, line.err.join()]).toEqual([4, expect.stringContaining('No.')])
    },
  )

  it('names the line that deletes each listener when there are too many', async () => {
    const listener = (webhookId: string, connected: boolean) => ({
      ...{ kind: 'listener', webhookId, description: `listen on ${webhookId}`, listener: { connected } },
    })
    const full = { code: 'webhook.listener_limit', message: 'Too many.' }
    const endpoints = [listener('we_1', true), { kind: 'url', webhookId: 'we_2' }, listener('we_3', false)]
    const line = listen(['--print', '--merchant', 'M-TEST-002'], async (url, { method }) =>
      method === 'POST'
        ? Response.json(full, { status: 409 })
        : Response.json(
            { data: url.includes('M-TEST-002') ? endpoints : [] },
            { headers: { 'x-request-id': 'req_1' } },
          ),
    )
    expect([await line.ended, line.err.join('\n').split('\n')]).toEqual([
      4,
      [
        'Too many.',
        'ticketrail webhooks delete we_1 --merchant M-TEST-002  # listen on we_1, connected',
        'ticketrail webhooks delete we_3 --merchant M-TEST-002  # listen on we_3, not connected',
      ],
    ])
  })

  it('refuses to post by anything else than http and https', () => {
    expect(() => targetOf('ftp://localhost', false)).toThrow(/begins with ftp:.* http or https/)
  })
})
