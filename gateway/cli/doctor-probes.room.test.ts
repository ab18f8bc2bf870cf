// The way to the relay, step by step: the first step that fails is named, with what to do.
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenAt } from '#test/doubles/network-printer.ts'
import { relayChecks } from './doctor-probes.ts'

const relay = createServer((socket) => socket.destroy())
let port = 0
beforeAll(async () => {
  port = (await listenAt(relay, 0, '127.0.0.1')).port
})
afterAll(() => new Promise((resolve) => relay.close(resolve)))

describe('the way to the relay', () => {
  it('passes when the name resolves and the port accepts connections', async () => {
    expect(await relayChecks(`mqtts://127.0.0.1:${port}`)).toEqual([
      { name: 'relay name', result: 'pass', text: '127.0.0.1 is 127.0.0.1' },
      { name: 'relay port', result: 'pass', text: `127.0.0.1:${port} takes connections` },
    ])
  })

  it('stops at a name that does not resolve', async () => {
    const host = `${'x'.repeat(64)}.invalid`
    const checks = await relayChecks(`mqtts://${host}:8883`)
    expect(checks).toEqual([{ name: 'relay name', result: 'fail', text: expect.stringMatching(/is not found .*DNS/) }])
  })

  it('stops at a port that refuses, and knows the default port of an address without one', async () => {
    const other = createServer()
    const closed = (await listenAt(other, 0, '127.0.0.1')).port
    await new Promise((resolve) => other.close(resolve))
    const [, refused] = await relayChecks(`mqtt://127.0.0.1:${closed}`)
    expect(refused).toMatchObject({ name: 'relay port', result: 'fail' })
    expect(refused?.text).toMatch(/cannot be reached \(ECONNREFUSED\)\. Does a firewall/)
    // Nothing listens on these ports of this address.
    const usual = ['mqtt', 'mqtts', 'ws', 'wss'].map((scheme) => relayChecks(`${scheme}://127.99.98.97`))
    const tried = (await Promise.all(usual)).map(([, at]) => /127\.99\.98\.97:(\d+)/.exec(at?.text ?? '')?.[1])
    expect(tried).toEqual(['1883', '8883', '80', '443'])
  })
})
