// A caller from the first signed hook to the last: what is kept of them is sealed wherever it is, no line of the log has it, and after an erasure it is nowhere.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStores } from '#cloud/storage/stores.ts'
import { placeSearch } from '#cloud/web/place-search.ts'
import { CALLER, CallDesk } from '#test/fixtures/call-desk.ts'
import { everythingIn } from '#test/fixtures/everything-in.ts'
import { FILES, ofSqlite } from '#test/harness/engines.ts'
import { eraseNumber } from './erase-number.ts'
import type { HookSinks } from './hook-sinks.ts'
import { MediaStore } from './media-store.ts'
import { takesRecordings } from './take-recording.ts'
import { transcriptOf } from './transcribers/transcriber.ts'
import { tellsOfVoicemails } from './voicemail-notice.ts'
import { VoicemailWorker } from './voicemail-worker.ts'

const NAME = 'Zoe Nightingale'
const WISH = 'the day after the jubilee'
const MESSAGE = 'the canary sings at midnight'
const CARD = '4111111111111111'
const NUMBER = CALLER.slice(2)
/** What is kept, sealed. The card number is kept nowhere. */
const KEPT = [NAME, WISH, MESSAGE, NUMBER]

let desk: CallDesk
let stores: ReturnType<typeof openStores>
let media: MediaStore
let worker: VoicemailWorker
let takes: HookSinks['recording']
beforeEach(async () => {
  takes = (number, news) => takesRecordings(parts())(number, news)
  desk = await CallDesk.open({
    profile: { menu: [{ digit: '1', label: 'a table', does: 'table' }], notifyTo: '+12125550177' },
    sinks: {
      recording: (number, news) => takes(number, news),
      text: async () => null,
    },
  })
  stores = openStores(desk.api.db)
  media = new MediaStore({ folder: join(folder(), 'media'), secretBox: desk.api.stores.secretBox })
  worker = new VoicemailWorker({
    ...parts(),
    media,
    transcriber: { transcribe: async () => transcriptOf(`${MESSAGE} ${CARD}`, { confidence: 0.9, engine: 'test' }) },
    telephonyOf: async () => desk.telephony,
    tell: tellsOfVoicemails({ ...parts(), link: 'https://relay.example/dashboard', countries: ['+1'] }),
    told: () => {},
    random: () => 0,
  })
})
afterEach(async () => {
  await worker.stop()
  await desk.close()
})

const folder = () => dirname(desk.api.databaseFile)
const parts = () => {
  const { secretBox, log } = desk.api.stores
  return { ...stores, db: desk.api.db, clock: desk.api.clock, secretBox, log }
}
const opened = () => everythingIn(desk.api.db, desk.api.stores.secretBox)
const raw = () =>
  everythingIn(desk.api.db, {
    open: () => {
      throw new Error('stays closed')
    },
  })

/** A table is asked for, a card number is said and pressed, a message is left and becomes text. */
async function wholeCall(): Promise<void> {
  let { call } = await desk.phone.press((await desk.dial()).call, '1')
  for (const words of [`My name is ${NAME}`, 'four people', WISH, 'yes', `my card is ${CARD}`])
    call = (await desk.phone.say(call, words)).call
  call = (await desk.phone.press(call, CARD)).call
  call = (await desk.phone.say(call, 'I want to leave a message')).call
  await desk.phone.leaveMessage(call, { seconds: 4 })
  await worker.start()
  await expect
    .poll(() => desk.api.db.read.selectFrom('voicemails').select(['state', 'next_at']).execute())
    .toEqual([{ state: 'transcribed', next_at: null }])
}

it('keeps a caller sealed in every table and says nothing of them in the log', async () => {
  await wholeCall()
  const everything = await opened()
  for (const canary of KEPT) expect(everything).toContain(canary)
  expect(everything).not.toContain(CARD)
  const clear = await raw()
  const lines = desk.api.logLines.join('')
  expect(lines).not.toBe('')
  for (const canary of [...KEPT, CARD]) {
    expect(clear).not.toContain(canary)
    expect(lines).not.toContain(canary)
  }
})

ofSqlite(FILES)('keeps a caller in no file in clear, neither of the database nor of recordings', async () => {
  await wholeCall()
  const files = readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.some(({ parentPath }) => parentPath.endsWith('media'))).toBe(true)
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    for (const canary of [...KEPT, CARD, 'RIFF']) expect([name, bytes.includes(canary)]).toEqual([name, false])
  }
})

it('has nothing of a caller anywhere once the number is erased', async () => {
  await wholeCall()
  const erased = await eraseNumber({ ...parts(), media }, { merchantKey: desk.api.merchantKey, number: CALLER })
  expect(erased).toMatchObject({ calls: 1, recordings: 1, tableRequests: 1, texts: 1, filesLeft: 0 })
  const left = await opened()
  for (const canary of [...KEPT, CARD]) expect(left).not.toContain(canary)
  expect(readdirSync(join(folder(), 'media'))).toEqual([])
  expect(desk.api.logLines.join('')).not.toContain(NUMBER)
})

it('knows a recording by the turn of the call alone, and once when its own news come later', async () => {
  const news: Parameters<ReturnType<typeof takesRecordings>>[] = []
  takes = async (...one) => void news.push(one)
  const { call } = await desk.phone.say((await desk.dial()).call, 'I want to leave a message')
  await desk.phone.leaveMessage(call, { seconds: 4 })
  const rows = () => desk.api.db.read.selectFrom('voicemails').select(['recording_id', 'seconds', 'next_at']).execute()
  const nowMs = desk.api.clock.now()
  const [told] = news
  if (told === undefined) throw new Error('no news')
  const { recordingId } = told[1]
  expect(await rows()).toEqual([{ recording_id: recordingId, seconds: 4, next_at: nowMs + 60_000 }])
  await takesRecordings(parts())(...told)
  expect(await rows()).toEqual([{ recording_id: recordingId, seconds: 4, next_at: nowMs }])
})

it('takes a recording that is told after the erasure away at the company, and tells nobody', async () => {
  const news: Parameters<ReturnType<typeof takesRecordings>>[] = []
  takes = async (...one) => void news.push(one)
  const { call } = await desk.phone.say((await desk.dial()).call, 'I want to leave a message')
  await desk.phone.leaveMessage(call, { seconds: 4 })
  await desk.api.db.unit((tx) => tx.deleteFrom('voicemails').execute())
  await eraseNumber({ ...parts(), media }, { merchantKey: desk.api.merchantKey, number: CALLER })
  const [told] = news
  if (told === undefined) throw new Error('no news')
  await takesRecordings(parts())(...told)
  await worker.start()
  await expect
    .poll(() => desk.api.db.read.selectFrom('voicemails').select(['state', 'file', 'next_at']).execute())
    .toEqual([{ state: 'recorded', file: null, next_at: null }])
  expect(await desk.api.db.read.selectFrom('text_messages').select('id').execute()).toEqual([])
  await expect(desk.telephony.fetchRecording(told[1].recordingId, { most: 1_000_000 })).rejects.toThrow()
})

it('texts the restaurant a link to a page that there is, in its own place', async () => {
  await wholeCall()
  const { text_enc: sealed } = await desk.api.db.read
    .selectFrom('text_messages')
    .select('text_enc')
    .executeTakeFirstOrThrow()
  const link = new URL(/https:\S+/.exec(desk.api.stores.secretBox.open(sealed))?.[0] ?? '')
  const routes = readFileSync(new URL('../web/routes.tsx', import.meta.url), 'utf8')
  expect(link.pathname).toBe('/dashboard/receptionist')
  expect(routes).toContain(`page('${link.pathname.slice('/dashboard'.length)}', callsWords`)
  expect(routes).toContain("basepath: '/dashboard'")
  expect(placeSearch(Object.fromEntries(link.searchParams))).toEqual({
    account: desk.api.account.accountId,
    merchant: 'M-TEST-001',
    environment: 'sandbox',
  })
})
