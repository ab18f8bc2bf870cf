// `ticketrail listen` against a whole relay and a real target, through lost streams and kills: the target sees each attempt that the log has, once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { type Around, typed } from '#test/fixtures/typed-ticketrail.ts'

const { relay, env } = await ticketrailHome()

let target: WebhookReceiver
beforeEach(async () => {
  target = new WebhookReceiver()
  await target.start()
})
afterEach(() => target.stop())

const type = (args: readonly string[], around: Around = {}) => typed(args, { env, ...around })
const listen = (more: readonly string[] = [], around: Around = {}) =>
  type(['listen', '--forward-to', target.url, ...more], around)

/** @returns its id at the relay */
async function trigger(event: string): Promise<string> {
  const line = type(['trigger', event, '--json'])
  expect(await line.ended).toBe(0)
  return JSON.parse(line.out.join('\n')).serviceOrderId
}

async function read(path: string) {
  const answer = await fetch(`${relay.url}${path}`, { headers: { authorization: `Bearer ${relay.account.apiKey}` } })
  return (await answer.json()) as { data: { state: string; attempts: number; deliveryId: string }[] }
}

/** Resolves after this many requests. */
async function arrived(count: number): Promise<void> {
  while (target.received.length < count) await target.arrived.next()
}

const perEvent = () => {
  const seen = new Map<string, number>()
  for (const { event } of target.received) seen.set(event.id, (seen.get(event.id) ?? 0) + 1)
  return seen
}

describe('listen', () => {
  it('posts exactly the body and headers, in the sequence of each order, and reports the result', async () => {
    const line = listen(['--json', '--events', 'order.accepted,order.ready,order.completed'])
    const ready = JSON.parse(await line.said(/listening/))
    target.secret = ready.secret
    await trigger('order.completed')
    await arrived(3)
    await line.said(/order\.completed/)
    expect(target.received.map(({ signatureValid }) => signatureValid)).not.toContain(false)
    expect(target.received.map(({ event }) => event.type)).toEqual(['order.accepted', 'order.ready', 'order.completed'])
    const attempt = JSON.parse(await line.said(/order\.completed/))
    expect(attempt).toMatchObject({ type: 'order.completed', number: 1, status: 200, ms: expect.any(Number) })
    line.stop()
    expect(await line.ended).toBe(130)
    const { data } = await read(`/v1/webhook/${ready.listening}/deliveries?merchantId=M-TEST-001`)
    expect(data.map(({ state, attempts }) => [state, attempts])).toEqual(data.map(() => ['delivered', 1]))
  })

  it('shows the target’s response, follows no redirect, and resends the last event with the key r', async () => {
    target.answerWith({ kind: 'redirect', location: 'http://127.0.0.1:9/' })
    const line = listen(['--events', 'order.ready'], { hasKeyboard: true })
    await line.said(/Listening as/)
    await trigger('order.ready')
    expect(await line.said(/order\.ready +\S+ +30\d/)).not.toContain('attempt')
    target.answerWith({ kind: 'status', status: 204 })
    line.press('r')
    expect(await line.said(/204 .* attempt 2$/)).toContain('order.ready')
    line.press('j')
    await line.said(/"type": "order.ready"/)
    line.press('q')
    expect(await line.ended).toBe(0)
    expect(target.received).toHaveLength(2)
  })

  it('names its merchant, says that nothing listens where your program should, and delivers once it does', async () => {
    const { url, port } = target
    await target.stop()
    const line = type(['listen', '--forward-to', url, '--events', 'order.accepted', '--merchant', 'M-TEST-002'])
    expect(await line.said(/Listening as/)).toContain('to the events of M-TEST-002, posting to')
    expect(await type(['inject', '--merchant', 'M-TEST-002']).ended).toBe(0)
    const { host } = new URL(url)
    expect(await line.said(/Not delivered yet/)).toContain(`nothing listens at ${host}, start your program`)
    await target.start(port)
    await line.said(/answers again/)
    expect(await line.said(/order\.accepted/)).toMatch(/ 200 +\d+ ms$/)
    line.stop()
    expect(await line.ended).toBe(130)
  })

  it('goes on with the same listener when the same line is started again, and misses nothing meanwhile', async () => {
    const first = listen(['--events', 'order.accepted'])
    const [, id] = /Listening as (we_\w+)/.exec(await first.said(/Listening as/)) ?? []
    first.stop()
    await first.ended
    await trigger('order.accepted')
    const second = listen(['--events', 'order.accepted'])
    expect(await second.said(/Listening as/)).toContain(id)
    await arrived(1)
    second.stop()
    await second.ended
  })

  it('loses and repeats no event while its stream is cut repeatedly', async () => {
    const cuts = new Set<AbortController>()
    const fetchCut: Around['fetch'] = (url, init) => {
      if (!url.endsWith('/stream')) return fetch(url, init)
      const cut = new AbortController()
      cuts.add(cut)
      return fetch(url, { ...init, signal: AbortSignal.any([init.signal as AbortSignal, cut.signal]) })
    }
    const line = listen(['--events', 'order.accepted,order.ready'], { fetch: fetchCut, random: () => 0.01 })
    await line.said(/Listening as/)
    for (let i = 0; i < 25; i++) {
      const made = trigger('order.ready')
      for (const cut of cuts) cut.abort()
      cuts.clear()
      await made
    }
    await arrived(50)
    const seen = perEvent()
    expect([seen.size, [...seen.values()].filter((times) => times !== 1)]).toEqual([50, []])
    line.stop()
    expect(await line.ended).toBe(130)
  })

  it('refuses a target on another machine, and explains where to set one', async () => {
    const remote = type(['listen', '--forward-to', 'https://example.com/hooks'])
    expect([await remote.ended, remote.err[0]]).toEqual([2, expect.stringContaining('--allow-remote')])
    expect(await type(['listen']).ended).toBe(2)
    const unknown = type(['listen', '--print', '--events', 'order.eaten'])
    expect([await unknown.ended, unknown.err.join()]).toEqual([4, expect.stringContaining('events')])
  })
})
