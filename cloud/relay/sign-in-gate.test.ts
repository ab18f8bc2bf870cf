// Admission to sign-in: failed attempts block an address, successful ones never do, and the places of waiting connections are shared.
import { beforeEach, describe, expect, it } from 'vitest'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type Arrival, SignInGate, type SignInLimits } from './sign-in-gate.ts'

const proxies = new TrustedProxies(['10.0.0.0/8'])

let clock: ManualClock
let gate: SignInGate
let lines: object[]
beforeEach(() => gateWith({}))
function gateWith(limits: Partial<SignInLimits>): void {
  clock = new ManualClock()
  lines = []
  const log = { info: () => {}, error: () => {}, warn: (detail: object) => lines.push(detail) }
  gate = new SignInGate({ clock, limits, log: log as never })
}

/** A connection that was replaced is closed, as the broker does. */
function arrive(address: string): Arrival & { wasEnded: boolean } {
  const made = gate.arrive(proxies.known(address), () => {
    arrived.wasEnded = true
    made?.closed()
  })
  if (!made) throw new Error('no place')
  const arrived = { ...made, wasEnded: false }
  return arrived
}

const hasPlace = (address: string): boolean => {
  const made = gate.arrive(proxies.known(address), () => {})
  made?.saysConnect('gw_x')
  made?.closed()
  return made !== null
}

/** `in`, `wrong`, or `held off` before its password was checked. */
function signIn(address: string, gatewayId: string, isRight: boolean): string {
  const arrived = arrive(address)
  try {
    if (!arrived.saysConnect(gatewayId)) return 'held off'
    if (isRight) arrived.signedIn()
    else arrived.failed()
    return isRight ? 'in' : 'wrong'
  } finally {
    arrived.closed()
  }
}

function arriveAs(gatewayId: string): Arrival {
  const arrived = arrive('203.0.113.1')
  arrived.saysConnect(gatewayId)
  return arrived
}

const wrongOnes = (address: string, count: number) =>
  Array.from({ length: count }, (_, n) => signIn(address, `gw_${n}`, false))

describe('an address', () => {
  it('may sign in as often as it likes', () => {
    for (let n = 0; n < 1_000; n++) expect(signIn('203.0.113.1', `gw_${n}`, true)).toBe('in')
  })

  it('is blocked after twenty failed sign-ins, one more is accepted every three seconds, and no other address is affected', async () => {
    expect(wrongOnes('203.0.113.1', 21)).toEqual([...new Array(20).fill('wrong'), 'held off'])
    expect(signIn('203.0.113.1', 'gw_new', true)).toBe('held off')
    expect(signIn('203.0.113.2', 'gw_new', true)).toBe('in')
    await clock.advance(3_000)
    expect(wrongOnes('203.0.113.1', 2)).toEqual(['wrong', 'held off'])
    expect(lines).toEqual([{ network: '203.0.113.1' }])
  })

  it('is held off after its part of them where several relays count', () => {
    const log = { info: () => {}, error: () => {}, warn: () => {} }
    gate = new SignInGate({ clock, fleet: { relays: 4, isKnownToAll: true }, log: log as never })
    for (let n = 0; n < 5; n++) expect(signIn('203.0.113.1', 'gw_1', false)).toBe('wrong')
    expect(signIn('203.0.113.1', 'gw_1', true)).toBe('held off')
  })

  it('that is blocked still admits the gateways that connected from there before', () => {
    signIn('203.0.113.1', 'gw_a', true)
    wrongOnes('203.0.113.1', 30)
    expect([signIn('203.0.113.1', 'gw_a', true), signIn('203.0.113.1', 'gw_b', true)]).toEqual(['in', 'held off'])
  })

  it('is blocked for connections that never send CONNECT too', () => {
    for (let n = 0; n < 20; n++) arrive('203.0.113.1').closed()
    expect(signIn('203.0.113.1', 'gw_a', true)).toBe('held off')
  })

  it('of this machine is an address like others; all of one /64 are one', () => {
    for (const [one, other] of [
      ['127.0.0.1', '::ffff:127.0.0.1'],
      ['2001:db8::1', '2001:db8::ffff:2'],
    ] as const) {
      wrongOnes(one, 20)
      expect(signIn(other, 'gw_a', true)).toBe('held off')
    }
  })

  it('of a trusted proxy is never held off, and has as many places as there are', () => {
    expect(new Set(wrongOnes('10.0.0.1', 100))).toEqual(new Set(['wrong']))
    for (let n = 0; n < 1_000; n++) arrive('10.0.0.1')
    expect(signIn('10.0.0.1', 'gw_a', true)).toBe('in')
  })
})

describe('a gateway', () => {
  it('that signs in again and again must wait, from any address; others of its address need not', async () => {
    const often = Array.from({ length: 130 }, (_, n) => {
      const arrived = arrive(`203.0.113.${n}`)
      arrived.saysConnect('gw_a')
      const isIn = arrived.signedIn()
      arrived.closed()
      return isIn
    })
    expect(often.filter((isIn) => isIn)).toHaveLength(120)
    expect(signIn('203.0.113.1', 'gw_b', true)).toBe('in')
    expect(lines).toEqual([{ gatewayId: 'gw_a' }])
    await clock.advance(1_000)
    expect(arriveAs('gw_a').signedIn()).toBe(true)
  })
})

describe('places of those that are not signed in', () => {
  it('are limited for one address; whoever is signed in or gone gives its place back', () => {
    gateWith({ waitingOfAddress: 10 })
    const ten = Array.from({ length: 10 }, () => arriveAs('gw_a'))
    expect([hasPlace('203.0.113.1'), hasPlace('203.0.113.2')]).toEqual([false, true])
    ten[0]?.signedIn()
    expect(hasPlace('203.0.113.1')).toBe(true)
    const again = arriveAs('gw_a')
    again.closed()
    again.closed()
    ten[0]?.closed()
    arriveAs('gw_a')
    expect(hasPlace('203.0.113.1')).toBe(false)
  })

  it('of one address go to its newcomers: its own connection that has been silent for longest is closed, and no other address’s', () => {
    gateWith({ waitingOfAddress: 3 })
    const other = arrive('203.0.113.2')
    const asking = arrive('203.0.113.1')
    asking.saysConnect('gw_a')
    const [second, third] = [arrive('203.0.113.1'), arrive('203.0.113.1')]
    const fourth = arrive('203.0.113.1')
    expect([other, asking, second, third, fourth].map(({ wasEnded }) => wasEnded)).toEqual([
      ...[false, false, true, false, false],
    ])
    fourth.saysConnect('gw_b')
    arrive('203.0.113.1')
    expect([asking, third, fourth].map(({ wasEnded }) => wasEnded)).toEqual([false, true, false])
  })

  it('that a stranger holds in silence keep out no gateway that connected from that address before', () => {
    signIn('203.0.113.1', 'gw_a', true)
    wrongOnes('203.0.113.1', 30)
    for (let n = 0; n < 1_000; n++) arrive('203.0.113.1')
    expect([signIn('203.0.113.1', 'gw_a', true), signIn('203.0.113.1', 'gw_b', true)]).toEqual(['in', 'held off'])
  })

  it('that a refused one keeps until it gets its answer go to newcomers first, and count as no further failure', async () => {
    gateWith({ waitingOfAddress: 2, refusedAfterMs: 5_000 })
    signIn('203.0.113.1', 'gw_a', true)
    wrongOnes('203.0.113.1', 30)
    const refused = arrive('203.0.113.1')
    expect(refused.saysConnect('gw_b')).toBe(false)
    let hears = false
    const heard = refused.refuseLate().then(() => {
      hears = true
    })
    await clock.advance(4_999)
    expect(hears).toBe(false)
    arrive('203.0.113.1').saysConnect('gw_a')
    expect(refused.wasEnded).toBe(false)
    arrive('203.0.113.1')
    expect(refused.wasEnded).toBe(true)
    await heard
  })

  it('of a refused one are free when it has heard so', async () => {
    const refused = arrive('203.0.113.1')
    refused.saysConnect('gw_b')
    const heard = refused.refuseLate()
    await clock.advance(5_000)
    await heard
  })

  it('go to newcomers when there are no more: the one that has been silent for longest is closed', () => {
    gateWith({ waiting: 3 })
    const asking = arrive('203.0.113.1')
    asking.saysConnect('gw_a')
    const [second, third] = [arrive('203.0.113.2'), arrive('203.0.113.3')]
    arrive('203.0.113.4')
    expect([asking, second, third].map(({ wasEnded }) => wasEnded)).toEqual([false, true, false])
    expect(second.saysConnect('gw_b')).toBe(false)
    // It did nothing wrong.
    for (let n = 0; n < 20; n++) expect(signIn('203.0.113.2', 'gw_b', false)).toBe('wrong')
  })

  it('are all taken when each of them waits for its answer', () => {
    gateWith({ waiting: 2 })
    for (const address of ['203.0.113.1', '203.0.113.2']) arrive(address).saysConnect('gw_a')
    expect(hasPlace('203.0.113.3')).toBe(false)
  })

  it('are not the only ones that have an end: so has the number of all connections', () => {
    gateWith({ most: 2 })
    const first = arrive('203.0.113.1')
    first.saysConnect('gw_a')
    first.signedIn()
    arrive('203.0.113.2')
    expect(hasPlace('203.0.113.3')).toBe(false)
    first.closed()
    expect(hasPlace('203.0.113.3')).toBe(true)
  })
})
