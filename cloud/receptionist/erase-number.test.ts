// What is kept of a caller: it is sealed while it is kept, is given out whole, and is nowhere after it was erased or has become old.
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStores } from '#cloud/storage/stores.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { newId } from '#shared/ids.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { CALLER, OWNER, VoicemailDesk } from '#test/fixtures/voicemail-desk.ts'
import { FILES, ofSqlite } from '#test/harness/engines.ts'
import { eraseNumber, exportCaller } from './erase-number.ts'
import { ForgetCalls } from './forget-calls.ts'
import { transcriptOf } from './transcribers/transcriber.ts'

const DAY_MS = 86_400_000
const WORDS = 'canary words of a caller'
const CARD = '4111111111111111'
const OTHER = '+12125550143'
let desk: VoicemailDesk
beforeEach(async () => {
  desk = await VoicemailDesk.open()
  desk.transcriber = {
    transcribe: async () => transcriptOf(`${WORDS} ${CARD}`, { confidence: 0.9, engine: 'test' }),
  }
  await desk.worker().start()
})
afterEach(() => desk.close())

/** A call with two turns, a request for a table and a voicemail that is done. */
async function wholeCall(from: string): Promise<void> {
  const { id, providerId } = await desk.call(from)
  const { secretBox, clock, merchantKey } = desk
  await desk.db.unit(async (tx) => {
    await desk.stores.calls.addTurns(
      tx,
      (['receptionist', 'caller'] as const).map((who, ordinal) => ({
        call_id: id,
        ordinal,
        who,
        text_enc: secretBox.seal(`${who}: ${WORDS}`),
        confidence: null,
        at: clock.now(),
      })),
    )
    await desk.stores.calls.addTableRequest(tx, {
      id: newId('apt', clock.now()),
      merchant_id: merchantKey,
      call_id: id,
      details_enc: secretBox.seal(JSON.stringify({ name: 'Canary Name', phone: from })),
      phone_mac: secretBox.mac('telephone number', from),
      state: 'new',
      done_by: null,
      done_at: null,
      created_at: clock.now(),
    })
  })
  const recording = desk.recorded(providerId)
  await desk.take(recording)
  await expect.poll(() => desk.isDone(recording.recordingId)).toBe(true)
}

/** Every text of the database, sealed ones opened. */
async function everything(): Promise<string> {
  const tables = ['calls', 'call_turns', 'call_inputs', 'voicemails', 'appointment_requests', 'text_messages'] as const
  const rows: unknown[] = []
  for (const table of tables) rows.push(...(await desk.db.read.selectFrom(table).selectAll().execute()))
  const opened = rows.flatMap((row) => Object.values(row as object)).map((value) => open(value))
  return opened.join('\n')
}
function open(value: unknown): unknown {
  try {
    return desk.secretBox.open(String(value))
  } catch {
    return value
  }
}
const files = () => readdirSync(desk.mediaFolder)
const deps = () => ({ ...desk.stores, db: desk.db, media: desk.media, secretBox: desk.secretBox, clock: desk.clock })
const caller = () => ({ merchantKey: desk.merchantKey, number: CALLER })

describe('what is kept of a caller', () => {
  it('is given out whole, and nothing of another one', async () => {
    await wholeCall(CALLER)
    await wholeCall(OTHER)
    const { calls, voicemails, tableRequests } = await exportCaller(deps(), caller())
    expect(calls.map(({ turns }) => turns.map(({ text }) => text))).toEqual([
      [`receptionist: ${WORDS}`, `caller: ${WORDS}`],
    ])
    expect(voicemails).toMatchObject([{ text: `${WORDS} [card number]`, hasAudio: true, seconds: 42 }])
    expect(tableRequests).toMatchObject([{ details: { name: 'Canary Name', phone: CALLER } }])
  })

  it('is given out also when some of it cannot be opened, and how much that is', async () => {
    await wholeCall(CALLER)
    const text_enc = new SecretBox(Buffer.alloc(32, 9)).seal('another master key')
    await desk.db.unit((tx) => tx.updateTable('call_turns').set({ text_enc }).where('ordinal', '=', 0).execute())
    await desk.db.unit((tx) => tx.updateTable('appointment_requests').set({ details_enc: text_enc }).execute())
    const { calls, tableRequests, voicemails, unreadable } = await exportCaller(deps(), caller())
    expect(calls.map(({ turns }) => turns.map(({ text }) => text))).toEqual([[null, `caller: ${WORDS}`]])
    expect([tableRequests[0]?.details, voicemails[0]?.text]).toEqual([null, `${WORDS} [card number]`])
    expect(unreadable).toBe(2)
  })

  ofSqlite(FILES)('is in no file in clear, and in no line of the log', async () => {
    await wholeCall(CALLER)
    const folder = dirname(desk.databaseFile)
    const stored = [
      ...readdirSync(folder)
        .filter((name) => name.startsWith('relay.db'))
        .map((name) => readFileSync(join(folder, name))),
      ...files().map((name) => readFileSync(join(desk.mediaFolder, name))),
    ]
    for (const canary of [WORDS, CALLER, CALLER.slice(2), OWNER.slice(2), CARD, 'Canary Name', 'RIFF']) {
      // The profile has the number of the restaurant itself, which its owner has set.
      if (canary !== OWNER.slice(2)) expect(stored.some((bytes) => bytes.includes(canary))).toBe(false)
      expect(desk.logLines.join('')).not.toContain(canary)
    }
  })

  it('has no card number anywhere, even opened', async () => {
    await wholeCall(CALLER)
    expect(await everything()).not.toContain(CARD)
  })
})

describe('a number that is erased', () => {
  it('is nowhere afterwards, with its words and sounds, and others stay', async () => {
    await wholeCall(CALLER)
    await wholeCall(OTHER)
    expect(await eraseNumber(deps(), caller())).toEqual({
      calls: 1,
      recordings: 1,
      tableRequests: 1,
      texts: 1,
      orders: 0,
      filesLeft: 0,
    })
    const left = await everything()
    expect(left).not.toContain(CALLER)
    expect(left).toContain(OTHER)
    expect([left.split(`caller: ${WORDS}`).length - 1, files().length]).toEqual([1, 1])
    expect(await exportCaller(deps(), caller())).toEqual({
      calls: [],
      voicemails: [],
      tableRequests: [],
      texts: [],
      orders: [],
      unreadable: 0,
    })
  })

  it('is erased before its recording was fetched: the copy of the company goes, and nothing is told', async () => {
    const { providerId } = await desk.call(CALLER)
    const fetching = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const { fetchRecording } = desk.company.telephony()
    const telephony = desk.company.telephony()
    telephony.fetchRecording = async (id, at) => {
      fetching.resolve()
      await held.promise
      return fetchRecording(id, at)
    }
    await desk.worker({ telephony }).start()
    const recording = desk.recorded(providerId)
    desk.company.fails = () => null
    await desk.take(recording)
    await eraseNumber(deps(), caller())
    held.resolve()
    await expect.poll(() => desk.company.recordings.size).toBe(0)
    await expect.poll(() => desk.isDone(recording.recordingId)).toBe(true)
    expect((await everything()).includes(CALLER)).toBe(false)
  })

  it('is taken out of orders however it was typed, and the orders stay', async () => {
    const api = await RelayApi.open({ clock: desk.clock })
    const orders: string[] = []
    for (const phone of ['(212) 555-0142', '+1 212 555 0142', '1-212-555-0142', '2125550143']) {
      const customer = { name: 'Canary Name', phone }
      orders.push((await api.inject({ orderId: `o-${orders.length}`, customer })).body.serviceOrderId)
    }
    const of = { ...deps(), ...openStores(api.db), db: api.db }
    const number = { merchantKey: api.merchantKey, number: CALLER }
    const found = await exportCaller(of, number)
    expect(found.orders.map(({ serviceOrderId }) => serviceOrderId).toSorted()).toEqual(orders.slice(0, 3).toSorted())
    // Page by page.
    const callerData = of.callerData
    const page = callerData.ordersWithCustomer.bind(callerData)
    callerData.ordersWithCustomer = (merchantKey, { after }) => page(merchantKey, { after, limit: 2 })
    expect((await eraseNumber({ ...of, callerData }, number))?.orders).toBe(3)
    const kept = [
      await api.db.read.selectFrom('orders').select(['id', 'body']).execute(),
      await api.db.read.selectFrom('dispatches').select('doc').execute(),
      await api.db.read.selectFrom('events').select('payload').execute(),
    ]
    expect(JSON.stringify(kept)).not.toMatch(/555.{1,2}0142/)
    expect(JSON.stringify(kept)).toContain('2125550143')
    expect(await api.db.read.selectFrom('orders').select('id').execute()).toHaveLength(4)
    await api.close()
  })
})

it('a number without a country is of the first country of the settings where the restaurant has none', async () => {
  const api = await RelayApi.open({ clock: desk.clock })
  await api.inject({ orderId: 'o-1', customer: { name: 'Canary Name', phone: '020 7946 0018' } })
  const of = { ...deps(), ...openStores(api.db), db: api.db, countries: ['+44', '+1'] }
  const { orders } = await exportCaller(of, { merchantKey: api.merchantKey, number: '+442079460018' })
  expect(orders).toHaveLength(1)
  await api.close()
})

describe('what is old', () => {
  const forget = () => new ForgetCalls({ ...deps(), log: desk.log, audioDays: 30, textDays: 90 })

  it('loses its sound after 30 days and its words, number and state after 90; that there was a call stays', async () => {
    await wholeCall(CALLER)
    desk.clock.jump(29 * DAY_MS)
    await forget().sweep()
    expect(files()).toHaveLength(1)
    desk.clock.jump(2 * DAY_MS)
    await forget().sweep()
    expect(files()).toEqual([])
    expect(await everything()).toContain(WORDS)
    const { calls } = await exportCaller(deps(), caller())
    expect(calls.map(({ turns }) => turns.length)).toEqual([2])
    desk.clock.jump(60 * DAY_MS)
    await desk.db.unit((tx) => tx.deleteFrom('text_messages').execute())
    await forget().sweep()
    const left = await everything()
    for (const canary of [WORDS, CALLER, 'Canary Name']) expect(left).not.toContain(canary)
    expect(await desk.db.read.selectFrom('calls').select('status').execute()).toEqual([{ status: 'completed' }])
  })

  it('and an old file whose recording is not known is deleted', async () => {
    const id = newId('vm', 1)
    await desk.media.write(id, Buffer.from('left over'))
    const writtenDaysAgo = (days: number) => {
      const at = new Date(desk.clock.now() - days * DAY_MS)
      utimesSync(join(desk.mediaFolder, id), at, at)
    }
    writtenDaysAgo(29)
    await forget().sweep()
    expect(files()).toEqual([id])
    writtenDaysAgo(31)
    await forget().sweep()
    expect(files()).toEqual([])
  })
})
