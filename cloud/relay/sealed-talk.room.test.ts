// Which messages of a gateway the relay accepts, over a real connection: everything that is sealed, and unsealed messages of an older gateway.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { sealText } from '#shared/link-seal.ts'
import { CAP_DIGEST } from '#shared/wire/gateway-link.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { registerGateway } from './gateway-registry.ts'
import { Relay } from './relay.ts'

let desk: LinkDesk
let relay: Relay
let box: BareBox
let recorded: string[]

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  recorded = []
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async ({ jobId, state }) => {
      recorded.push(`${jobId} ${state}`)
      return 'recorded'
    },
    recordKitchenFact: async () => 'recorded',
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  const { locationId } = desk.api
  const { gatewayId, token } = await registerGateway(desk.api.stores, { locationId, name: 'Box' })
  box = await BareBox.connect({ port: relay.mqttPort, gatewayId, token })
})

afterEach(async () => {
  box.end()
  await relay.stop()
  await desk.close()
})

const envelope = { v: 1, id: 'm', ts: 0, e: 1 }
const plain = (message: object) => JSON.stringify({ ...envelope, ...message })
const sealed = (message: object) => sealText(plain(message))
/** A bit of the digest itself: the rest of the message is as it was. */
const damaged = (message: object) => sealed(message).replace(/.("\})$/, '.$1')
const SEALING = { caps: ['order-details', 'print-jobs', CAP_DIGEST] }
const result = (jobId: string, state = 'printed') => ({
  ...{ t: 'result', jobId, state, startedAt: 1, endedAt: 2, reason: null, tickets: [] },
})
const log = (): string => desk.api.logLines.join('')
const presence = async () => (await desk.api.stores.gateways.byId(asId(box.gatewayId)))?.presence
const count = (type: string) => box.said.filter(({ t }) => t === type).length
/** Resolves when what was sent before has been processed or dropped. */
const echo = async () => {
  await box.say(sealed(result('pj_echo')))
  await box.hears('rack', ({ jobIds = [] }) => jobIds.includes('pj_echo'))
}

describe('a hello', () => {
  it.each([
    ['sealed, of a gateway that seals', () => sealed(desk.helloOf(SEALING))],
    ['without a seal, of one that knows none', () => plain(desk.helloOf())],
  ])('%s, is answered by a welcome that says that this relay seals', async (_, message) => {
    await box.say(message())
    expect((await box.hears('welcome'))['caps']).toContain(CAP_DIGEST)
  })

  it.each([
    ['whose seal does not fit', () => damaged(desk.helloOf(SEALING))],
    ['that lost its seal', () => plain(desk.helloOf(SEALING))],
    ['that has a seal and lost the word for it', () => sealed(desk.helloOf())],
    ['that is no JSON any more', () => sealed(desk.helloOf(SEALING)).replace('{', 'k')],
  ])('%s, is answered by a call for another one at once, and not by a welcome', async (_, message) => {
    await box.say(message())
    expect(await box.hears('rehello')).toMatchObject({ withinMs: 0 })
    await box.say(sealed(desk.helloOf({ ...SEALING, e: 1 })))
    await box.hears('welcome')
    expect(count('welcome')).toBe(1)
  })

  it('that is damaged is requested again also where an older connection is still known', async () => {
    await box.say(sealed(desk.helloOf(SEALING)))
    await box.hears('welcome')
    await box.say(damaged(desk.helloOf({ ...SEALING, e: 2 })))
    await box.hears('rehello')
  })
})

describe('of a gateway that seals', () => {
  beforeEach(async () => {
    await box.say(sealed(desk.helloOf(SEALING)))
    await box.hears('welcome')
  })

  it('sealed messages are believed', async () => {
    await box.say(sealed(result('pj_a')))
    await box.hears('rack')
    expect(recorded).toEqual(['pj_a printed'])
  })

  it.each([
    ['whose seal does not fit', damaged],
    ['that has no seal', plain],
  ])('a message %s is dropped: no result is recorded, no acknowledgement counts, nobody is gone', async (_, text) => {
    await desk.insert('pj_a')
    await box.hears('job')
    await box.say(text(result('pj_a')))
    await box.say(text({ t: 'ack', stream: 'stream-a', last: 1 }))
    await box.say(text({ t: 'will' }))
    await echo()
    await desk.clock.advance(2_000)
    await expect.poll(() => count('job')).toBe(2)
    expect([recorded, await presence()]).toEqual([['pj_echo printed'], 'online'])
  })

  it('much damage is one line in the log, and no call for a hello', async () => {
    for (let i = 0; i < 5; i++) await box.say(damaged(result(`pj_${i}`)))
    await echo()
    expect(log().split('is damaged').length - 1).toBe(1)
    expect(count('rehello')).toBe(0)
  })

  it('a sealed message of an unknown type is reported as such: the gateway is newer', async () => {
    await box.say(sealed({ t: 'dance' }))
    await echo()
    expect(log()).toContain('could not be understood')
    expect(log()).not.toContain('is damaged')
  })
})

describe('of a gateway that this relay does not know yet', () => {
  it.each([
    ['a result without a seal', () => plain(result('pj_a'))],
    ['a damaged one', () => damaged(result('pj_a'))],
    ['a fact of the kitchen without a seal', () => plain({ t: 'kitchen', facts: [] })],
  ])('%s is not believed, and it is asked for a hello', async (_, text) => {
    await box.say(text())
    await box.hears('rehello')
    await echo()
    expect(recorded).toEqual(['pj_echo printed'])
  })

  it('a sealed result is believed: it is a fact, on any connection', async () => {
    await box.say(sealed(result('pj_a')))
    await box.hears('rack')
    expect(recorded).toEqual(['pj_a printed'])
  })
})

describe('of an older gateway', () => {
  it('unsealed messages are believed after its hello', async () => {
    await box.say(plain(desk.helloOf()))
    await box.hears('welcome')
    await box.say(plain(result('pj_a')))
    await box.hears('rack')
    await box.say(plain({ t: 'bye' }))
    await expect.poll(presence).toBe('offline')
    expect(recorded).toEqual(['pj_a printed'])
  })

  it('nothing is believed without a seal any more once it declares that it seals', async () => {
    await box.say(plain(desk.helloOf()))
    await box.hears('welcome')
    await box.say(sealed(desk.helloOf({ ...SEALING, e: 2 })))
    await box.hears('welcome', ({ e }) => e === 2)
    await box.say(plain(result('pj_a')))
    await echo()
    expect(recorded).toEqual(['pj_echo printed'])
  })
})
