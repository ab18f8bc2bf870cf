// Calls that are tried: each thing is done once where the call is, and nobody fills the disk with them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import { takesRecordings } from '#cloud/receptionist/take-recording.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { MOST_OF_A_CALL, MOST_SIMULATED_SECONDS } from '#cloud/storage/voicemail-store.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { asId } from '#shared/ids.ts'
import { CallDesk, RELAY } from '#test/fixtures/call-desk.ts'
import { openContext } from './context.ts'
import type { OperationInput } from './operations.ts'
import { perform } from './perform.ts'

let desk: CallDesk
let context: ReturnType<typeof openContext>
beforeEach(async () => {
  desk = await CallDesk.open({
    sinks: {
      recording: (number, news) => takesRecordings({ ...openStores(desk.api.db), ...parts() })(number, news),
      text: async () => null,
    },
  })
  context = openContext({
    ...parts(),
    guard: new TargetGuard({ clock: desk.api.clock, allowCidrs: [], chosenBy: 'operator' }),
    running: {
      ...{ log: desk.api.stores.log, firstTries: desk.api.stores.firstTries, raster: null },
      ...{ phone: desk.phone, receptionistUrl: () => RELAY },
      simulatedActs: new KeyedBuckets({ clock: desk.api.clock, rates: { steadyPerMinute: 60, burstPerMinute: 120 } }),
    },
  })
})
afterEach(() => desk.close())

const parts = () => ({ db: desk.api.db, clock: desk.api.clock, secretBox: desk.api.stores.secretBox })

type Act = OperationInput<'receptionist.simulate'>['act'] | { do: 'dial' }
function simulate(call: string | null, act: Act) {
  const { accountId } = desk.api.account
  const asker = {
    act: {
      ...{ by: 'person' as const, userId: asId<'usr'>('usr_owner'), sessionId: asId<'sin'>('sin_owner') },
      ...{ name: 'owner', email: 'owner@example.com', role: 'owner' as const, environment: 'sandbox' as const },
      ...{ accountId, address: '192.0.2.1' },
    },
    ...{ isOperator: false, isViewing: false, elevatedUntilMs: null, tapId: null },
  }
  return perform(context, asker, { name: 'receptionist.simulate', raw: { merchantId: 'M-TEST-001', call, act } })
}

const message = { do: 'message', words: 'call me', seconds: 120 } as const
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error) => error.said?.key ?? error,
  )
const voicemails = () => desk.api.db.read.selectFrom('voicemails').selectAll().orderBy('id').execute()
const simulated = () => readdirSync(join(desk.api.databaseFile, '..', 'simulated'))

async function atTheTone(): Promise<string> {
  const { call } = await simulate(null, { do: 'dial' })
  const asked = await simulate(call, { do: 'say', words: 'I want to leave a message' })
  expect(asked.now).toBe('records')
  return asked.call
}

test('a message is left once, also when many leave it at the same time, and not after the call', async () => {
  const call = await atTheTone()
  await Promise.allSettled(Array.from({ length: 5 }, () => simulate(call, message)))
  expect([(await voicemails()).length, simulated().length]).toEqual([1, 1])
  for (const act of [message, { do: 'quiet' }, { do: 'hang-up' }] as const)
    expect(await refusal(simulate(call, act))).toBe('call.not-now')
  expect([(await voicemails()).length, simulated().length]).toEqual([1, 1])
})

test('an answer of before is worth nothing once the call went on', async () => {
  const { call } = await simulate(null, { do: 'dial' })
  await simulate(call, { do: 'say', words: 'where can I park' })
  const sent = desk.sent.length
  expect(await refusal(simulate(call, { do: 'say', words: 'I want to leave a message' }))).toBe('call.not-now')
  expect(desk.sent.length).toBe(sent)
})

test('a call that was hung up hears nothing more', async () => {
  const { call } = await simulate(null, { do: 'dial' })
  await simulate(call, { do: 'hang-up' })
  const sent = desk.sent.length
  expect(await refusal(simulate(call, { do: 'say', words: 'hello' }))).toBe('call.not-now')
  expect(await refusal(simulate(call, { do: 'hang-up' }))).toBe('call.not-now')
  expect(desk.sent.length).toBe(sent)
})

test('a person rings, picks up and ends the call', async () => {
  const { call } = await simulate(null, { do: 'dial' })
  const rings = await simulate(call, { do: 'say', words: 'I want to speak to a person' })
  expect(rings.now).toBe('rings')
  const talks = await simulate(rings.call, { do: 'pick-up' })
  expect((await simulate(talks.call, { do: 'person-ends' })).now).toBe('over')
})

test('a relay that does not take the message leaves no sound behind', async () => {
  const call = await atTheTone()
  await desk.api.db.unit((tx) => tx.updateTable('phone_numbers').set({ provider: 'twilio' }).execute())
  await simulate(call, message)
  expect(await voicemails()).toEqual([])
  expect(() => simulated()).toThrow('ENOENT')
})

test('of one call, and of the calls of one day, only so much sound is kept', async () => {
  const take = (recordingId: string, providerCallId: string, seconds: number) =>
    takesRecordings({ ...openStores(desk.api.db), ...parts() })(
      { id: asId<'num'>('num_desk'), merchantKey: desk.api.merchantKey, e164: null },
      { recordingId, providerCallId, seconds, kind: 'voicemail', text: 'words' },
    )
  const kept = async () => (await voicemails()).filter((row) => row.audio_deleted_at === null).length
  await simulate(null, { do: 'dial' })
  const [call] = await desk.rows()
  for (let i = 0; i <= MOST_OF_A_CALL; i++) await take(`RE${i}`, call?.provider_id ?? '', 1)
  expect(await kept()).toBe(MOST_OF_A_CALL)
  const beyond = (await voicemails()).find((row) => row.error === 'quota')
  // The company's copy is taken away all the same.
  expect(beyond).toMatchObject({ state: 'no_transcript', text_enc: null, next_at: desk.api.clock.now() })
  const messages = Math.ceil(MOST_SIMULATED_SECONDS / 120)
  for (let i = 0; i < messages + 3; i++) await take(`RE-day-${i}`, `CA-${i}`, 120)
  expect(await kept()).toBe(MOST_OF_A_CALL + messages)
  await desk.api.db.unit((tx) => tx.updateTable('voicemails').set({ created_at: 1 }).execute())
  await take('RE-next-day', 'CA-next', 120)
  expect(await kept()).toBe(MOST_OF_A_CALL + messages + 1)
})

test('an account does so much in a minute, whatever it does', async () => {
  const { call } = await simulate(null, { do: 'dial' })
  const done = []
  for (let i = 0; i < 61; i++) done.push(await refusal(simulate(call, { do: 'pick-up' })))
  expect(done.slice(0, 59)).toEqual(Array(59).fill('call.not-now'))
  expect(done.slice(59)).toEqual(['call.too-fast', 'call.too-fast'])
})
