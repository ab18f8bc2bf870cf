// Pairing against a relay with scripted answers: files on a real disk, a clock that the test moves.
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { topicsFor } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { relayUrlFault } from './claim-client.ts'
import type { CloudLink } from './cloud-link.ts'
import { PairingDesk } from './pairing-desk.ts'

const TOKEN = 't'.repeat(43)
const answer = {
  gatewayId: 'gw_1',
  token: TOKEN,
  brokerUrl: 'mqtts://relay.example:8883',
  topics: topicsFor('gw_1', 1),
  merchantName: 'Corner Grill',
  timeZone: 'America/New_York',
}
const CODE = '7K2M9-XQ4TB'

let dir: string
let file: string
let relay: Server
let relayUrl: string
/** What the relay answers, one after the other; the last one repeats. */
let answers: { status: number; body: unknown }[]
let asked: { code: string; attempt: string }[]
let links: { pairing: Pairing; running: boolean }[]
let desk: PairingDesk
let clock: ManualClock
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pairing-desk-'))
  file = join(dir, 'box/pairing.json')
  answers = [{ status: 200, body: answer }]
  asked = []
  links = []
  clock = new ManualClock()
  relay = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      asked.push(JSON.parse(text))
      const { status, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: {} }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  desk = openDesk()
})
afterEach(async () => {
  await desk.stop()
  relay.closeAllConnections()
  relay.close()
  rmSync(dir, { recursive: true, force: true })
})

function openDesk(url: string | undefined = relayUrl): PairingDesk {
  const opened = new PairingDesk({
    ...{ file, relayUrl: url, stream: () => 's1', app: 'test/1', hardware: 'Linux arm64', clock },
    createLink: (pairing) => linkTo(pairing),
    log: pino({ level: 'silent' }),
  })
  opened.read()
  return opened
}

/** Notes whether it runs; what a link does has its own tests. */
function linkTo(pairing: Pairing): CloudLink {
  const link = { pairing, running: false }
  links.push(link)
  const start = async () => {
    link.running = true
  }
  const stop = async () => {
    link.running = false
  }
  return { changed: new Signal(), start, stop } as unknown as CloudLink
}

const stored = (): unknown => JSON.parse(readFileSync(file, 'utf8'))
const running = () => links.filter((link) => link.running).map(({ pairing }) => pairing.gatewayId)
const refusal = (code: string, status = 403) => ({ status, body: { code } })

describe('pairing', () => {
  it('writes the file for its own user only, opens the link, and returns the restaurant', async () => {
    await desk.start()
    expect(running()).toEqual([])
    expect(await desk.pair(CODE)).toEqual({ kind: 'paired', gatewayId: 'gw_1', merchantName: 'Corner Grill' })
    expect(stored()).toEqual({ ...answer, relayUrl })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(running()).toEqual(['gw_1'])
    expect(desk.facts).toMatchObject({ gatewayId: 'gw_1', timeZone: 'America/New_York' })
    expect(existsSync(`${file}.claim`)).toBe(false)
    expect(await desk.pair(CODE)).toMatchObject({ kind: 'already-paired' })
  })

  it.each([
    ['code-refused', refusal('gateway.claim_refused'), false],
    ['throttled', refusal('rate_limit.exceeded', 429), true],
    ['relay-refused', refusal('internal.error', 500), true],
    ['relay-refused', refusal('request.not_found', 404), false],
    ['relay-refused', { status: 200, body: { gatewayId: 'gw_1' } }, false],
  ])(
    'that comes to nothing (%s) leaves no file, and keeps the claim only while it may have happened',
    async (kind, told, mayHaveHappened) => {
      answers = [told]
      await desk.start()
      expect(await desk.pair(CODE)).toMatchObject({ kind })
      expect([existsSync(file), existsSync(`${file}.claim`)]).toEqual([false, mayHaveHappened])
      expect(running()).toEqual([])
    },
  )

  it('does not send its password unencrypted, whatever the relay answers', async () => {
    answers = [{ status: 200, body: { ...answer, brokerUrl: 'mqtt://relay.example:1883' } }]
    await desk.start()
    expect(await desk.pair(CODE)).toMatchObject({
      kind: 'relay-refused',
      words: expect.stringContaining('without encryption'),
    })
    expect([existsSync(file), running()]).toEqual([false, []])
  })

  it('retries with the same secret for the same code, and with another one for another', async () => {
    answers = [refusal('internal.error', 500)]
    await desk.start()
    await desk.pair(CODE)
    await desk.pair(CODE.toLowerCase())
    await desk.pair('00000-00000')
    const [first, second, third] = asked
    expect(second).toEqual(first)
    expect(third?.attempt).not.toBe(first?.attempt)
  })

  it('continues by itself after a restart until the relay has decided', async () => {
    answers = [refusal('internal.error', 503), refusal('internal.error', 503), { status: 200, body: answer }]
    await desk.start()
    await desk.pair(CODE)
    await desk.stop()
    desk = openDesk()
    await desk.start()
    await expect.poll(() => asked.length).toBe(2)
    await expect
      .poll(async () => {
        await clock.advance(5_000)
        return running()
      })
      .toEqual(['gw_1'])
    expect(new Set(asked.map(({ attempt }) => attempt)).size).toBe(1)
  })

  it('reports that the disk refused the write, and the same code works afterwards', async () => {
    await desk.start()
    writeFileSync(join(dir, 'box'), '')
    expect(await desk.pair(CODE)).toMatchObject({
      kind: 'not-stored',
      words: expect.stringContaining('cannot be written'),
    })
    expect(asked).toEqual([])
    rmSync(join(dir, 'box'))
    expect(await desk.pair(CODE)).toMatchObject({ kind: 'paired' })
  })

  it('is one at a time', async () => {
    await desk.start()
    const outcomes = await Promise.all([desk.pair(CODE), desk.pair(CODE), desk.unpair(), desk.pair(CODE)])
    expect(outcomes.map((one) => (typeof one === 'boolean' ? one : one.kind))).toEqual([
      'paired',
      'already-paired',
      true,
      'paired',
    ])
    expect(running()).toEqual(['gw_1'])
  })
})

describe('the pairing file', () => {
  it('that appears, changes and goes is followed; one that cannot be used leaves what works', async () => {
    await desk.start()
    await desk.pair(CODE)
    writeFileSync(file, '{"half":')
    await clock.advance(2_000)
    expect(running()).toEqual(['gw_1'])
    writeFileSync(file, JSON.stringify({ ...answer, gatewayId: 'gw_2' }))
    await clock.advance(2_000)
    await expect.poll(running).toEqual(['gw_2'])
    rmSync(file)
    await clock.advance(2_000)
    await expect.poll(running).toEqual([])
    expect(desk.facts.gatewayId).toBe('')
  })

  it('has both passwords until the next one works, and the present one alone when it cannot be written', async () => {
    await desk.start()
    await desk.pair(CODE)
    expect(desk.keepNextToken('n'.repeat(43))).toMatchObject({ token: TOKEN, nextToken: 'n'.repeat(43) })
    expect(stored()).toMatchObject({ token: TOKEN, nextToken: 'n'.repeat(43) })
    expect(desk.nextTokenWorks()).toMatchObject({ token: 'n'.repeat(43) })
    expect(stored()).not.toHaveProperty('nextToken')
    expect(links).toHaveLength(1)
    rmSync(join(dir, 'box'), { recursive: true })
    writeFileSync(join(dir, 'box'), '')
    expect(desk.keepNextToken('m'.repeat(43))).toBeNull()
    expect(desk.pairing?.token).toBe('n'.repeat(43))
  })

  it('of another user is replaced by one that only its own may read', async () => {
    await desk.start()
    await desk.pair(CODE)
    chmodSync(file, 0o644)
    writeFileSync(`${file}.new`, 'left over', { mode: 0o644 })
    desk.keepNextToken('n'.repeat(43))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('the address of the relay', () => {
  it.each([
    'ftp://relay.example',
    'http://relay.example',
    'https://name:word@relay.example',
    'relay',
    'http://192.0.2.1',
  ])('may not be %s: the answer holds a password', async (url) => {
    await desk.start()
    expect(relayUrlFault(url)).not.toBeNull()
    expect(await desk.pair(CODE, url)).toMatchObject({ kind: 'no-relay' })
    expect(asked).toEqual([])
  })

  it('is required where no default is configured', async () => {
    await desk.stop()
    desk = new PairingDesk({
      ...{ file, relayUrl: undefined, stream: () => 's1', app: 'test/1', hardware: '', clock },
      createLink: linkTo,
      log: pino({ level: 'silent' }),
    })
    await desk.start()
    expect(await desk.pair(CODE)).toMatchObject({
      kind: 'no-relay',
      words: expect.stringContaining('GATEWAY_RELAY_URL'),
    })
  })
})
