// Numbers are wired once, whatever happens on the way: lost answers, a relay that dies between the purchase and its commit, numbers that are not wanted any more.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { PhoneNumberStore } from '#cloud/storage/phone-number-store.ts'
import { ReceptionistStore } from '#cloud/storage/receptionist-store.ts'
import { TextStore } from '#cloud/storage/text-store.ts'
import { type Telephony, TelephonyError } from '#cloud/telephony/telephony.ts'
import { Twilio } from '#cloud/telephony/twilio/twilio.ts'
import { systemClock } from '#shared/clock.ts'
import { asId, newId, type PhoneNumberId } from '#shared/ids.ts'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { TwilioApi } from '#test/doubles/twilio-api.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { TWILIO } from '#test/fixtures/signed-hooks.ts'
import { WIRE_RETRY_SECONDS, WireNumbers } from './wire-numbers.ts'

const MERCHANT = asId<'mer'>('mer_01jd5n8w2x3y4z5a6b7c8d9e0f')

let folder: string
let db: RelayDatabase
let phoneNumbers: PhoneNumberStore
let clock: ManualClock
let api: TwilioApi
let twilio: Telephony
let workers: WireNumbers[]
let logLines: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-numbers-'))
  db = await openFreshRelayDatabase(join(folder, 'relay.db'))
  phoneNumbers = new PhoneNumberStore(db)
  clock = new ManualClock()
  api = await TwilioApi.start()
  twilio = new Twilio({ ...TWILIO, url: api.url, transcribes: false, clock: systemClock })
  workers = []
  logLines = []
})
afterEach(async () => {
  for (const worker of workers) await worker.stop()
  await api.stop()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

async function relay(telephony: Telephony | null = twilio): Promise<WireNumbers> {
  const write = (chunk: unknown, _: unknown, done: () => void): void => {
    logLines.push(String(chunk))
    done()
  }
  const log = createLogger('cloud', 'trace', { destination: new Writable({ write }) })
  const receptionistUrl = () => 'https://relay.example'
  const receptionist = new ReceptionistStore(db)
  const worker = new WireNumbers({
    ...{ db, phoneNumbers, receptionist, receptionistUrl, clock, log },
    telephony: { of: () => telephony },
    countries: ['+1'],
  })
  workers.push(worker)
  await worker.start()
  return worker
}

async function want(wanted: object): Promise<PhoneNumberId> {
  const id = newId('num', clock.now())
  const row = { id, merchant_id: MERCHANT, provider: 'twilio' as const, wanted: JSON.stringify(wanted) }
  await db.unit((tx) => phoneNumbers.want(tx, row, clock.now()))
  phoneNumbers.changed.notify()
  return id
}

const stateOf = async (id: PhoneNumberId) => {
  const row = await phoneNumbers.byId(id)
  return row === null ? null : `${row.state}${row.error === null ? '' : ` ${row.error}`}`
}
const becomes = (id: PhoneNumberId, state: string | null) => expect.poll(() => stateOf(id)).toBe(state)

it('a number that is wanted is bought, wired and known by its number', async () => {
  await relay()
  api.free = ['+12125550111']
  const id = await want({ areaCode: '212' })
  await becomes(id, 'wired')
  expect(await phoneNumbers.byE164('+12125550111')).toMatchObject({
    ...{ id, provider_id: api.numbers[0]?.sid, next_at: null, wired_at: clock.now() },
  })
  expect(api.numbers[0]?.settings['VoiceUrl']).toBe(`https://relay.example/Receptionist/Webhooks/voice/${id}/answer`)
  expect(logLines.join('')).not.toContain('5550111')
})

it('a setting that cannot be read leaves no number without a fallback', async () => {
  await relay()
  const profile = JSON.stringify({ language: 'es', mode: 'hologram', transfer: { to: '+12125550198' } })
  const change = { merchantKey: MERCHANT, profile, version: 0, nowMs: clock.now() }
  await db.unit((tx) => new ReceptionistStore(db).putProfile(tx, change))
  api.free = ['+12125550111']
  await becomes(await want({ areaCode: '212' }), 'wired')
  expect(api.numbers[0]?.settings['VoiceFallbackUrl']).toContain('language=es&to=%2B12125550198')
})

it('the fallback of a number knows whom to dial, and dials somebody else once the profile says so', async () => {
  await relay()
  const receptionist = new ReceptionistStore(db)
  const put = (to: string, version: number) => {
    const profile = JSON.stringify({ language: 'es', transfer: { to } })
    const change = { merchantKey: MERCHANT, profile, version, nowMs: clock.now() }
    return db.unit(async (tx) => {
      await receptionist.putProfile(tx, change)
      await phoneNumbers.rewire(tx, MERCHANT, clock.now())
    })
  }
  await put('+12125550198', 0)
  api.free = ['+12125550111']
  const id = await want({ areaCode: '212' })
  await becomes(id, 'wired')
  const fallback = () => api.numbers[0]?.settings['VoiceFallbackUrl']?.split('?')[1]
  expect(fallback()).toBe('language=es&to=%2B12125550198')
  await put('+12125550199', 1)
  phoneNumbers.changed.notify()
  await expect.poll(fallback).toBe('language=es&to=%2B12125550199')
  // One that may not be called any more is not dialled; nor is the number itself.
  await put('+442079460958', 2)
  phoneNumbers.changed.notify()
  await expect.poll(fallback).toBe('language=es')
  await put('+12125550111', 3)
  phoneNumbers.changed.notify()
  await becomes(id, 'wired')
  expect(fallback()).toBe('language=es')
  expect(api.numbers).toHaveLength(1)
})

describe('a wired number that is told something new', () => {
  const rewired = async (id: PhoneNumberId, trouble: { status: number }) => {
    api.troubles.push(trouble)
    const before = api.requests.length
    await db.unit((tx) => phoneNumbers.rewire(tx, MERCHANT, clock.now()))
    phoneNumbers.changed.notify()
    await expect.poll(() => api.requests.length).toBeGreaterThan(before)
    await expect.poll(async () => (await phoneNumbers.byId(id))?.error).not.toBeNull()
  }
  const wired = async () => {
    await relay()
    api.free = ['+12125550111', '+12125550112']
    const id = await want({ areaCode: '212' })
    await becomes(id, 'wired')
    return id
  }

  it('sends texts meanwhile, and when the company refuses it', async () => {
    const id = await wired()
    const sender = () => new TextStore(db).sender(MERCHANT, 'twilio')
    await rewired(id, { status: 503 })
    expect(await stateOf(id)).toBe('wired provider_error')
    expect(await sender()).toEqual({ id, e164: '+12125550111' })
    api.troubles.push({ status: 401 })
    await clock.advance(WIRE_RETRY_SECONDS[0] * 1_000)
    await becomes(id, 'wired not_authorized')
    expect(await sender()).toEqual({ id, e164: '+12125550111' })
    expect(await db.unit((tx) => phoneNumbers.retry(tx, id, clock.now()))).toBe(true)
    phoneNumbers.changed.notify()
    await becomes(id, 'wired')
  })

  it('has failed when the company has it no more, and none is bought in its place', async () => {
    const id = await wired()
    api.numbers.length = 0
    await db.unit((tx) => phoneNumbers.rewire(tx, MERCHANT, clock.now()))
    phoneNumbers.changed.notify()
    await becomes(id, 'failed number_not_owned')
    expect(api.numbers).toEqual([])
  })
})

it('a row that cannot be read holds up no other', async () => {
  await want({ areaCode: 'damaged' })
  await clock.advance(1)
  api.free = ['+12125550111']
  const id = await want({ areaCode: '212' })
  await relay()
  await becomes(id, 'wired')
  expect(logLines.join('')).toContain('a telephone number could not be worked on; tried again')
})

it('a lost answer buys nothing twice: the next attempt finds what was bought', async () => {
  await relay()
  api.free = ['+12125550111', '+12125550112', '+12125550113']
  api.troubles.push('lose', 'lose')
  const id = await want({ areaCode: '212' })
  await becomes(id, 'wanted connection')
  await clock.advance(WIRE_RETRY_SECONDS[0] * 1_000)
  // It is bought, and the answer of setting its hooks again is lost too.
  await expect.poll(async () => (await phoneNumbers.byId(id))?.attempts).toBe(2)
  await becomes(id, 'wanted connection')
  await clock.advance(WIRE_RETRY_SECONDS[1] * 1_000)
  await becomes(id, 'wired')
  expect(api.numbers).toHaveLength(1)
})

/** A company whose answer to the purchase reaches a relay that does not get to writing it down. */
function dyingAfter(provision: Telephony['provision']): { telephony: Telephony; isReached: () => boolean } {
  let isReached = false
  const telephony: Telephony = Object.create(twilio)
  telephony.provision = async (wanted, at) => {
    await provision(wanted, at)
    isReached = true
    return new Promise((_, reject) => at.signal.addEventListener('abort', () => reject(new Error('dead'))))
  }
  return { telephony, isReached: () => isReached }
}

it('a relay that dies between the purchase and its commit leaves it to the next one, which buys nothing', async () => {
  const { telephony, isReached } = dyingAfter((wanted, at) => twilio.provision(wanted, at))
  const dead = await relay(telephony)
  api.free = ['+12125550111', '+12125550112']
  const id = await want({ areaCode: '212' })
  await expect.poll(isReached).toBe(true)
  await dead.stop()
  expect(await stateOf(id)).toBe('wiring')
  await relay()
  await clock.advance(300_000)
  await becomes(id, 'wired')
  expect(api.numbers).toHaveLength(1)
})

it('an attempt that a stop cuts off before anything is changed is due at once', async () => {
  let isAsked = false
  const telephony: Telephony = Object.create(twilio)
  telephony.provision = (_, { signal }) => {
    isAsked = true
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new TelephonyError('stopped', { isTransient: true }))),
    )
  }
  const cut = await relay(telephony)
  const id = await want({ areaCode: '212' })
  await expect.poll(() => isAsked).toBe(true)
  await cut.stop()
  expect((await phoneNumbers.byId(id))?.next_at).toBe(clock.now())
})

describe('what does not work', () => {
  it('at all fails at once and says why, and is tried again when somebody asks', async () => {
    await relay()
    const id = await want({ areaCode: '212' })
    await becomes(id, 'failed no_number')
    api.free = ['+12125550111']
    expect(await db.unit((tx) => phoneNumbers.retry(tx, id, clock.now()))).toBe(true)
    phoneNumbers.changed.notify()
    await becomes(id, 'wired')
    expect(await db.unit((tx) => phoneNumbers.retry(tx, id, clock.now()))).toBe(false)
  })

  it('for now is tried with longer and longer pauses, and given up in the end', async () => {
    await relay()
    api.free = ['+12125550111']
    const id = await want({ areaCode: '212' })
    for (const [index, seconds] of [0, ...WIRE_RETRY_SECONDS].entries()) {
      api.troubles.push({ status: 503 })
      await clock.advance(seconds * 1_000)
      await expect.poll(async () => (await phoneNumbers.byId(id))?.attempts).toBe(index + 1)
      await becomes(id, index < WIRE_RETRY_SECONDS.length ? 'wanted provider_error' : 'failed provider_error')
    }
  })

  it('because no such company is set fails', async () => {
    await relay(null)
    const id = await want({ areaCode: '212' })
    await becomes(id, 'failed provider_not_set')
  })

  it('because another merchant of this relay has the number waits for it', async () => {
    await relay()
    api.numbers.push({ sid: 'PN1', phone_number: '+12125550100', friendly_name: 'Main', settings: {} })
    const first = await want({ number: '+12125550100' })
    await becomes(first, 'wired')
    const second = await want({ number: '+12125550100' })
    await becomes(second, 'wanted number_taken')
    await db.unit((tx) => phoneNumbers.unwire(tx, { id: first, merchantKey: MERCHANT }, clock.now()))
    phoneNumbers.changed.notify()
    await becomes(first, null)
    await clock.advance(WIRE_RETRY_SECONDS[0] * 1_000)
    await becomes(second, 'wired')
  })
})

describe('a number that is not wanted any more', () => {
  const unwire = async (id: PhoneNumberId, merchantKey = MERCHANT): Promise<boolean> => {
    const done = await db.unit((tx) => phoneNumbers.unwire(tx, { id, merchantKey }, clock.now()))
    phoneNumbers.changed.notify()
    return done
  }

  it('loses its hooks, then its row, and only its merchant can ask for that', async () => {
    await relay()
    api.free = ['+12125550111']
    const id = await want({ areaCode: '212' })
    await becomes(id, 'wired')
    expect(await unwire(id, asId<'mer'>('mer_01jd5n8w2x3y4z5a6b7c8d9e0g'))).toBe(false)
    api.troubles.push('lose')
    expect(await unwire(id)).toBe(true)
    await becomes(id, 'unwiring connection')
    await clock.advance(WIRE_RETRY_SECONDS[0] * 1_000)
    await becomes(id, null)
    expect(api.numbers[0]?.settings['VoiceUrl']).toBe('')
  })

  it('is unwired though nobody knows that it was bought', async () => {
    await relay()
    api.free = ['+12125550111']
    api.troubles.push('lose')
    const id = await want({ areaCode: '212' })
    await becomes(id, 'wanted connection')
    await unwire(id)
    await becomes(id, null)
    expect(api.numbers[0]).toMatchObject({ friendly_name: 'not used by ticketrail', settings: { VoiceUrl: '' } })
  })
})
