// A gateway that hands hundreds of pieces back after a restore, over a real connection and a real database: it is read at full speed. One that
// only pretends to is slowed down like any other over its budget.
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CAP_HAND_BACK, type HandedBackJob } from '#shared/wire/hand-back.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { sealedOrder } from '#test/fixtures/sealed-orders.ts'
import { GatewayBudget, type Verdict } from './gateway-budget.ts'
import { registerGateway } from './gateway-registry.ts'
import { Relay } from './relay.ts'

/** A budget holds 42 pieces at once. */
const PIECES = 300
/** A piece of this is as large as gateways make them. */
const NOTE_LENGTH = 95_000
/** From one piece to the next, of a real gateway on a good line. */
const PIECE_MS = 20

let desk: LinkDesk
let relay: Relay
let box: BareBox
/** Resolves with the first verdict of the budget that does not let the gateway go on. */
let held: Promise<Verdict>

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  held = firstHeld()
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async () => 'already',
    recordKitchenFact: async () => 'already',
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  const place = { locationId: desk.api.locationId, name: 'Box' }
  box = await BareBox.connect({ port: relay.mqttPort, ...(await registerGateway(desk.api.stores, place)) })
  await box.say(desk.helloOf({ last: PIECES, caps: ['order-details', 'print-jobs', CAP_HAND_BACK] }))
  await box.hears('recall')
})

afterEach(async () => {
  vi.restoreAllMocks()
  box.end()
  await relay.stop()
  await desk.close()
})

function firstHeld(): Promise<Verdict> {
  const { mayRead } = GatewayBudget.prototype
  return new Promise((resolve) => {
    vi.spyOn(GatewayBudget.prototype, 'mayRead').mockImplementation(function (this: GatewayBudget, gatewayId) {
      const verdict = mayRead.call(this, gatewayId)
      if (verdict === 'closed' || verdict.waitMs > 0) resolve(verdict)
      return verdict
    })
  })
}

const proved = (seq: number): HandedBackJob => sealedOrder(desk.api, { seq, noteLength: NOTE_LENGTH })
const withoutProof = (seq: number): HandedBackJob => {
  const { doc, ...job } = proved(seq)
  return { ...job, doc: { ...(doc as object), origin: 'none' } }
}
const piece = (after: number, job: HandedBackJob) => ({
  ...{ t: 'hand-back', stream: 'stream-a', after, upTo: after + 1, jobs: [job] },
})

/** Each piece when the relay asks for it. @returns when it asks for nothing more */
async function handsBack(made: (seq: number) => HandedBackJob): Promise<'all'> {
  for (let after = 0; after < PIECES; after++) {
    await box.say(piece(after, made(after + 1)))
    await box.hears('recall', (recall) => recall['after'] === after + 1)
    await desk.clock.advance(PIECE_MS)
  }
  return 'all'
}

/** A thousand of them as fast as they are read, while time passes. @returns when its connection is closed */
async function floods(message: object): Promise<void> {
  let isClosed = false
  const closed = box.closed().then(() => {
    isClosed = true
  })
  const text = JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, ...message })
  for (let n = 0; n < 1_000; n++) box.say(text).catch(() => undefined)
  while (!isClosed) {
    await desk.clock.advance(10)
    await turn()
  }
  await closed
}

const orders = async (): Promise<number> => (await desk.api.db.read.selectFrom('orders').select('id').execute()).length

describe('a gateway that hands back what was requested', () => {
  it('is never made to wait, however much it is: all of it is stored', async () => {
    expect(await Promise.race([handsBack(proved), held])).toBe('all')
    expect(await orders()).toBe(PIECES)
  })

  it('is read more slowly when nothing of it is an order of this relay', async () => {
    expect(await Promise.race([handsBack(withoutProof), held])).toMatchObject({ waitMs: expect.any(Number) })
    expect(await orders()).toBe(0)
  })
})

describe('a gateway that hands back without an end', () => {
  it('a message that was not requested is closed', async () => {
    await floods(piece(7, proved(8)))
    expect(desk.api.logLines.join('')).toContain('without end: its connection is closed')
    expect(await orders()).toBe(0)
  })

  it('the same again is closed, and stored once', async () => {
    await floods(piece(0, proved(1)))
    expect(desk.api.logLines.join('')).toContain('without end: its connection is closed')
    expect(await orders()).toBe(1)
  })
})
