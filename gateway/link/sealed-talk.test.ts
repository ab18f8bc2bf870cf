// Which messages a gateway accepts: everything that a relay sealed, and unsealed messages of an older relay. The rest is damage.
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sealText } from '#shared/link-seal.ts'
import { Signal } from '#shared/signal.ts'
import { CAP_DIGEST, type UpMessage, upMessage } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { takeJobs } from './cloud-link.ts'
import { LinkSession } from './link-session.ts'

let core: GatewayCore
let said: UpMessage[]
let link: LinkSession

beforeEach(() => {
  core = new GatewayCore()
  said = []
  const { identity, intake, reports, relayTime, clock } = core
  const topics = { up: 'u', down: 'd', all: 'a' }
  const pairing = { gatewayId: 'gw_a', token: 'x'.repeat(32), brokerUrl: 'mqtt://127.0.0.1:1', topics }
  const queue = { queued: 0, held: 0, unreported: 0 }
  link = new LinkSession(
    {
      ...{ identity, intake, reports, relayTime, clock, takeJobs, random: () => 0, log: pino({ level: 'silent' }) },
      ...{
        app: 'test',
        epoch: 3,
        bootId: 'boot',
        bootEpoch: 3,
        pairing: { ...pairing, merchantName: '', timeZone: 'UTC' },
      },
      status: { snapshot: () => ({ printers: [], queue }), isPrinting: () => false, changed: new Signal() },
    },
    (text) => said.push(upMessage.parse(JSON.parse(text))),
  )
  onTestFinished(async () => {
    link.end()
    await core.stop()
  })
})

const envelope = { v: 1, id: 'm', ts: 0, e: 3 }
const text = (message: object) => JSON.stringify({ ...envelope, ...message })
const plain = (message: object) => Buffer.from(text(message))
const sealed = (message: object) => Buffer.from(sealText(text(message)))
const damaged = (message: object) => {
  const bytes = sealed(message)
  // In the id of the message: nothing that anybody would notice.
  bytes[bytes.indexOf('"id":"m"') + 6] = 'o'.charCodeAt(0)
  return bytes
}
const welcome = (caps: string[]) => ({
  ...{ t: 'welcome', session: 'x', t0: 0, t1: 1, t2: 1, cfgVer: 0, acked: 0, caps },
  window: { jobs: 16, bytes: 1 },
})
const SEALING = welcome([CAP_DIGEST])
const OLDER = welcome([])
const job = () => core.job('pj_1')
/** What is received is worked off in the next turn, and answered in the one after it. */
const turn = async () => {
  await core.clock.advance(0)
  await core.clock.advance(0)
}
const receive = async (...messages: Buffer[]) => {
  said.length = 0
  for (const message of messages) link.receive(message)
  await turn()
  return said.flatMap((message) => {
    if (message.t === 'nack') return `nack ${message.reason}`
    return message.t === 'status' ? [] : message.t
  })
}

describe('before its first welcome a gateway', () => {
  test('takes a sealed welcome of a relay that seals, and one without a seal of a relay that does not', async () => {
    await receive(sealed(SEALING))
    expect(link.welcomed).toBe(true)
  })

  test('takes one without a seal of an older relay', async () => {
    await receive(plain(OLDER))
    expect(link.welcomed).toBe(true)
  })

  test.each([
    ['whose seal does not fit', () => damaged(SEALING)],
    ['that lost its seal', () => plain(SEALING)],
    ['that has a seal and does not know of it', () => sealed(OLDER)],
  ])('says hello again to a welcome %s, and is not welcomed', async (_, message) => {
    expect(await receive(message(), message())).toEqual(['hello'])
    expect(link.welcomed).toBe(false)
    await core.clock.advance(500)
    expect(await receive(message())).toEqual(['hello'])
  })

  test('takes nothing without a seal: not the acknowledgement of a result, no configuration', async () => {
    core.accept('pj_1')
    core.intake.cancel('pj_1')
    expect(core.reports.count()).toBe(1)
    expect(await receive(plain({ t: 'rack', jobIds: ['pj_1'] }))).toEqual([])
    expect(core.reports.count()).toBe(1)
    expect(await receive(plain({ t: 'config', ver: 1, sha256: '0'.repeat(64), doc: '{}' }))).toEqual([])
  })

  test('takes no order, not even a sealed one: it was meant for the box that had this place before', async () => {
    expect(await receive(sealed(job()), sealed({ t: 'cancel', jobId: 'pj_1', orderVoided: false }))).toEqual([])
    expect(core.states()).toEqual({})
    await receive(sealed(SEALING))
    expect(await receive(sealed(job()))).toEqual(['ack'])
  })

  test('sends a hello on request, with a seal or without', async () => {
    for (const rehello of [sealed, plain]) {
      expect(await receive(rehello({ t: 'rehello', withinMs: 0 }))).toEqual(['hello'])
    }
  })
})

describe('from a relay that seals, a gateway', () => {
  beforeEach(() => receive(sealed(SEALING)))

  test('sends a recent result again after the next welcome: it may be another relay', async () => {
    core.accept('pj_1')
    core.intake.cancel('pj_1')
    await turn()
    expect(said.map(({ t }) => t)).toContain('result')
    expect(await receive(sealed(SEALING))).toEqual(['result'])
  })

  test('takes what is sealed', async () => {
    expect(await receive(sealed(job()))).toEqual(['ack'])
    expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
  })

  test.each([
    ['a message whose seal does not fit', () => damaged(job())],
    ['a message that has none', () => plain(job())],
    ['what is no JSON', () => Buffer.from('{"v":1')],
    ['a type that it does not know, without a seal', () => plain({ t: 'jog' })],
  ])('does not take %s, and says so: what it does not have is sent again at once', async (_, message) => {
    expect(await receive(message())).toEqual(['nack corrupt'])
    expect(core.states()).toEqual({})
    expect(await receive(sealed(job()))).toEqual(['ack'])
  })

  test('reports much damage once, and again after half a second', async () => {
    expect(await receive(...Array.from({ length: 50 }, () => damaged(job())))).toEqual(['nack corrupt'])
    await core.clock.advance(499)
    expect(await receive(damaged(job()))).toEqual([])
    await core.clock.advance(1)
    expect(await receive(damaged(job()))).toEqual(['nack corrupt'])
  })

  test('reports it at once when an order was taken since the last damage: another one is missing now', async () => {
    expect(await receive(damaged(job()))).toEqual(['nack corrupt'])
    expect(await receive(sealed(job()))).toEqual(['ack'])
    expect(await receive(damaged(core.job('pj_2')))).toEqual(['nack corrupt'])
  })

  test('reports a sealed document that it cannot read as failed, at the first time', async () => {
    expect(await receive(sealed({ ...job(), doc: { kind: 'poem' } }))).toContain('ack')
    expect(core.reports.open(9).map(({ payload }) => payload.state)).toEqual(['failed'])
  })

  test('answers a sealed type that it does not know as unsupported: it is of a newer relay', async () => {
    expect(await receive(sealed({ t: 'jog' }))).toEqual(['nack unsupported'])
  })

  test('sends a hello to an older one that replaced it, and trusts that one after its welcome', async () => {
    expect(await receive(plain({ t: 'rehello', withinMs: 0 }))).toEqual(['hello'])
    await receive(plain(OLDER))
    expect(await receive(plain(job()))).toEqual(['ack'])
  })
})

describe('from an older relay, a gateway', () => {
  beforeEach(() => receive(plain(OLDER)))

  test('accepts unsealed messages, and never reports damage in a message that it does not know', async () => {
    expect(await receive(plain(job()))).toEqual(['ack'])
    expect(await receive(Buffer.from('{"v":1'), damaged(job()))).toEqual(['nack invalid', 'hello'])
  })

  test('refuses a document that it cannot read once, and reports it as failed when it arrives again', async () => {
    const bad = plain({ ...job(), doc: { kind: 'poem' } })
    expect(await receive(bad)).toEqual(['nack invalid'])
    expect(said).toMatchObject([{ last: 0, detail: expect.stringContaining('invalid document') }])
    expect(core.reports.count()).toBe(0)
    expect(await receive(bad)).toContain('ack')
    expect(core.reports.count()).toBe(1)
  })

  test('takes sealed jobs and others together, each by its own proof', async () => {
    const bad = { ...core.job('pj_2', { seq: 2 }), doc: { kind: 'poem' } }
    expect(await receive(plain(job()), sealed(bad))).toContain('ack')
    expect(core.identity.lastSeq()).toBe(2)
  })
})
