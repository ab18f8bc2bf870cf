// The link of a box whose disk may be an older image: what it asks, the answers, and the machine that it sends.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { type UpMessage, upMessage } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { takeJobs } from './cloud-link.ts'
import { LinkSession } from './link-session.ts'

let core: GatewayCore
let link: LinkSession
let said: UpMessage[]
let canAsk: boolean | null
let heard: unknown[]
let isDiskFull: boolean

beforeEach(() => {
  core = new GatewayCore()
  said = []
  canAsk = null
  heard = []
  isDiskFull = false
  const { identity, intake, reports, relayTime, clock, log } = core
  const topics = { up: 'u', down: 'd', all: 'a' }
  const pairing = { gatewayId: 'gw_a', token: 'x'.repeat(32), brokerUrl: 'mqtt://127.0.0.1:1', topics }
  const status = {
    snapshot: () => ({ printers: [], queue: { queued: 0, held: 0, unreported: 0 } }),
    isPrinting: () => false,
    changed: new Signal(),
  }
  const doubt = {
    welcomed: (ask: ((jobIds: readonly string[]) => void) | null) => {
      canAsk = ask !== null
      ask?.(['pj_1'])
    },
    told: (jobs: readonly unknown[]) => {
      if (isDiskFull) throw new Error('database or disk is full')
      heard.push(...jobs)
    },
  }
  link = new LinkSession(
    {
      ...{ pairing: { ...pairing, merchantName: '', timeZone: 'UTC' }, identity, intake, reports, relayTime, status },
      ...{ clock, log, doubt, machine: 'm1', random: () => 0, app: 'test', epoch: 3, bootId: 'boot', bootEpoch: 3 },
      takeJobs,
    },
    (text) => said.push(upMessage.parse(JSON.parse(text))),
  )
  link.begin(5_000, { onWelcome: () => {}, onTimeout: () => {} })
})
afterEach(async () => {
  link.end()
  await core.stop()
})

function receive(message: object): void {
  link.receive(Buffer.from(JSON.stringify({ v: 1, id: 'm', ts: 0, e: 3, ...message })))
}
const welcome = (caps: string[]) =>
  receive({
    ...{ t: 'welcome', session: 'x', t0: 0, t1: 1, t2: 1, cfgVer: 0, acked: 0, caps },
    window: { jobs: 16, bytes: 1 },
  })
const asks = () => said.filter((message) => message.t === 'ask').map(({ jobIds }) => jobIds)

it('asks after the welcome of a relay that supports it, and gets its answer', () => {
  welcome(['ask'])
  expect([canAsk, asks()]).toEqual([true, [['pj_1']]])
  receive({ t: 'told', jobs: [{ jobId: 'pj_1', state: 'on-paper' }] })
  expect(heard).toEqual([{ jobId: 'pj_1', state: 'on-paper' }])
})

it('does not ask an older relay', () => {
  welcome([])
  expect([canAsk, asks()]).toEqual([false, []])
})

it('continues when the disk cannot store the answer', () => {
  welcome(['ask'])
  isDiskFull = true
  receive({ t: 'told', jobs: [{ jobId: 'pj_1', state: 'ended' }] })
  isDiskFull = false
  receive({ t: 'told', jobs: [{ jobId: 'pj_1', state: 'open' }] })
  expect(heard).toEqual([{ jobId: 'pj_1', state: 'open' }])
})

it('refuses an answer that is none', () => {
  welcome(['ask'])
  receive({ t: 'told', jobs: [{ jobId: 'pj_1', state: 'printed' }] })
  expect(heard).toEqual([])
  expect(said.at(-1)).toMatchObject({ t: 'nack', reason: 'invalid' })
})

it('names its machine in each hello', () => {
  expect(said[0]).toMatchObject({ t: 'hello', machine: 'm1' })
})
