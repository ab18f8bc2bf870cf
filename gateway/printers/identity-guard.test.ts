// Which device is at the address, from its answers on successive connections: what counts, how often, and how long answers are waited for.
import { describe, expect, it } from 'vitest'
import type { DeviceFacts } from '#shared/printer-identity.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { ScriptedChannel } from '#test/doubles/scripted-channel.ts'
import { type EscposConnection, speakEscpos } from './escpos-dialogue.ts'
import { IdentityGuard } from './identity-guard.ts'

const GRILL: DeviceFacts = { mac: null, maker: 'EPSON', model: 'TM-T88VI', serial: 'X2AB' }
const NAMELESS: DeviceFacts = { mac: null, maker: null, model: null, serial: null }
const WEAKER = { ...KNOWS_ALL, gsParenH: false }

const clock = new ManualClock()
const patience = { probeMs: 100, learnMs: 100, signal: new AbortController().signal }

function guardOf(known: DeviceFacts): IdentityGuard {
  return new IdentityGuard({
    known: () => known,
    placeNow: () => ({ address: null, mac: null }),
    isByName: false,
    learnt: () => {},
    clock,
  })
}

interface Contact {
  connection: EscposConnection
  say: (text: string) => void
  listeners: () => number
  written: () => number
}

/** A connection to a device with the answers of the test, which counts its listeners. */
function connect(): Contact {
  const channel = new ScriptedChannel()
  const connection = speakEscpos(channel, clock)
  let listeners = 0
  const subscribe = connection.dialogue.replies.subscribe.bind(connection.dialogue.replies)
  connection.dialogue.replies.subscribe = (listener) => {
    const stop = subscribe(listener)
    let isOn = true
    listeners++
    return () => {
      if (isOn) listeners--
      isOn = false
      stop()
    }
  }
  const say = (text: string): void => channel.say(`_${text}\0`)
  return { connection, say, listeners: () => listeners, written: () => channel.written.length }
}

/** The verdict, while time passes as it must. */
async function inTime<T>(verdict: Promise<T>): Promise<T> {
  let isDone = false
  void verdict.then(() => {
    isDone = true
  })
  while (!isDone) await clock.advance(patience.probeMs)
  return verdict
}

describe('a device that is identified', () => {
  it('is listened to until that is judged, however many tickets it proves on the same connection', async () => {
    const { connection, say, listeners } = connect()
    const guard = guardOf(GRILL)
    guard.ask(connection)
    say('X2AB')
    expect(await guard.recognise(connection, false, patience)).toBe('same')
    expect(listeners()).toBe(0)
  })

  it('is listened to until its first answer if the printer has never identified itself', async () => {
    const { connection, say, listeners } = connect()
    const guard = guardOf(NAMELESS)
    guard.ask(connection)
    expect(await guard.recognise(connection, false, patience)).toBe('same')
    say('TM-T20')
    expect(listeners()).toBe(0)
  })

  it('with an unprintable answer is another one, because the printer had a name', async () => {
    const { connection, say } = connect()
    const guard = guardOf(GRILL)
    guard.ask(connection)
    say('')
    expect(await guard.recognise(connection, false, patience)).toBe('other')
  })

  it('without an answer may hang at the first check, and is another one at the second', async () => {
    const guard = guardOf(GRILL)
    const verdicts = []
    for (let look = 0; look < 2; look++) {
      const { connection } = connect()
      guard.ask(connection)
      verdicts.push(await inTime(guard.recognise(connection, false, patience)))
    }
    expect(verdicts).toEqual(['silent', 'other'])
  })

  it('that is silent twice may be in use by others, and is another one at the third contact', () => {
    const guard = guardOf(GRILL)
    expect([guard.countSilence(), guard.countSilence(), guard.countSilence()]).toEqual(['silent', 'silent', 'other'])
  })
})

describe('a printer with its own hardware address that answers only its status', () => {
  const MAC = '64:eb:8c:01:02:03'
  const look = async (guard: IdentityGuard) => {
    const { connection } = connect()
    guard.ask(connection)
    connection.dialogue.dleEot = true
    return inTime(guard.recognise(connection, false, patience))
  }

  it('is offered as one with other settings only after a minute, and never counts as another one', async () => {
    const guard = new IdentityGuard({
      known: () => ({ ...GRILL, mac: MAC }),
      placeNow: () => ({ address: '10.0.0.50', mac: MAC }),
      isByName: false,
      learnt: () => {},
      clock,
    })
    expect([await look(guard), await look(guard), await look(guard), guard.stranger]).toEqual([
      'silent',
      'silent',
      'silent',
      null,
    ])
    await clock.advance(60_000)
    expect(await look(guard)).toBe('silent')
    expect(guard.stranger).toEqual({ ...NAMELESS, mac: MAC, level: 'L1' })
  })
})

describe('a device that lacks abilities of the printer is shown', () => {
  const refuse = (guard: IdentityGuard, connection: EscposConnection) =>
    inTime(guard.refuseIfStrange(connection, { before: KNOWS_ALL, now: WEAKER }, patience))

  it('with the answer to the query for its model, never with its serial number as one', async () => {
    const { connection, say } = connect()
    const guard = guardOf(GRILL)
    guard.ask(connection)
    say('S-1')
    expect(await refuse(guard, connection)).toBe(true)
    expect(guard.stranger?.model).toBeNull()
    say('POS-80')
    expect(await refuse(guard, connection)).toBe(true)
    expect(guard.stranger?.model).toBe('POS-80')
  })

  it('with its model even if only that was requested', async () => {
    const { connection, say } = connect()
    const guard = guardOf({ ...GRILL, serial: null })
    guard.ask(connection)
    say('POS-80')
    expect(await refuse(guard, connection)).toBe(true)
    expect(guard.stranger?.model).toBe('POS-80')
  })
})

describe('a device with another hardware address', () => {
  const MINUTE_MS = 60_000
  const macs = { now: 'aa:aa:aa:00:00:01' }
  const guard = new IdentityGuard({
    known: () => ({ ...GRILL, mac: '64:eb:8c:01:02:03' }),
    placeNow: () => ({ address: '10.0.0.50', mac: macs.now }),
    isByName: false,
    learnt: () => {},
    clock,
  })
  const isAskedAtContact = async (): Promise<boolean> => {
    const { connection, written } = connect()
    await inTime(guard.meet(connection, patience))
    return written() > 0
  }

  it('is identified at first contact, after five minutes, and then each hour; in between no byte is sent to it', async () => {
    expect([await isAskedAtContact(), await isAskedAtContact()]).toEqual([true, false])
    await clock.advance(4 * MINUTE_MS)
    expect(await isAskedAtContact()).toBe(false)
    await clock.advance(MINUTE_MS)
    expect([await isAskedAtContact(), await isAskedAtContact()]).toEqual([true, false])
    await clock.advance(59 * MINUTE_MS)
    expect(await isAskedAtContact()).toBe(false)
    await clock.advance(MINUTE_MS)
    expect([await isAskedAtContact(), await isAskedAtContact()]).toEqual([true, false])
  })

  it('is distinguished from the next one, which is identified too, and shown again without a query when it is back', async () => {
    const first = macs.now
    macs.now = 'aa:aa:aa:00:00:02'
    expect([await isAskedAtContact(), guard.stranger?.mac]).toEqual([true, macs.now])
    macs.now = first
    expect([await isAskedAtContact(), guard.stranger?.mac]).toEqual([false, first])
  })
})
