// Voicemails as people see them: what is listed and read, to whom, and who settles and deletes them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { VoicemailsTable } from '#cloud/storage/schema-receptionist.ts'
import type { NewVoicemail } from '#cloud/storage/voicemail-store.ts'
import { writeText } from '#cloud/texts/write-text.ts'
import { newId, type VoicemailId } from '#shared/ids.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { everythingIn } from '#test/fixtures/everything-in.ts'

let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

const ABOUT = 'Voicemail: a table'

const box = () => at.secretBox

/** As the company tells it. */
function newsOf(id: VoicemailId): NewVoicemail {
  const nowMs = at.clock.now()
  return {
    ...{ id, merchant_id: at.desk.api.merchantKey, number_id: newId('num', nowMs), kind: 'voicemail' },
    ...{ recording_id: `RE-${id}`, created_at: nowMs, providerCallId: 'CA-1', seconds: 7, fetchAt: nowMs },
    textEnc: box().seal('A table for four.'),
  }
}

/** The text message to the restaurant. */
async function textAbout(id: VoicemailId): Promise<void> {
  const { db, merchantKey, account } = at.desk.api
  const merchant = { key: merchantKey, accountId: account.accountId, environment: 'sandbox' } as const
  const expiresAtMs = at.clock.now() + 60_000
  const of = { kind: 'voicemail', subjectId: id, to: '+12125550177', text: ABOUT, expiresAtMs } as const
  const deps = { texts: at.context.texts, secretBox: box(), clock: at.clock, countries: ['+1'] }
  await db.unit((tx) => writeText(tx, deps, { ...of, merchant }))
}

/** One whose text was made, unless the part says otherwise. */
async function voicemail(part: Partial<VoicemailsTable> = {}): Promise<VoicemailId> {
  const id = newId('vm', at.clock.now())
  await at.desk.api.db.unit(async (tx) => {
    await at.context.voicemails.told(tx, newsOf(id))
    const made = { state: 'transcribed', file: id, uncertain: 1, next_at: null, ...part } as const
    await tx.updateTable('voicemails').set(made).where('id', '=', id).execute()
  })
  return id
}

test('a voicemail has its text, how sure that is, and its sound', async () => {
  const voicemailId = await voicemail()
  const read = { text: 'A table for four.', isUncertain: true, hasSound: true, seconds: 7, state: 'text' }
  expect(await at.perform('voicemails.get', { voicemailId })).toMatchObject({ ...read, isDone: false, from: null })
})

test.each([
  ['is being fetched', { state: 'recorded', file: null }, { state: 'waits', text: null, hasSound: false }],
  ['has no text', { state: 'no_transcript', text_enc: null }, { state: 'no-text', text: null, hasSound: true }],
  ['whose sound was deleted', { audio_deleted_at: 1, file: null }, { state: 'text', hasSound: false }],
  ['whose text was deleted', { text_deleted_at: 1, text_enc: null }, { state: 'no-text', text: null }],
] as const)('one that %s says so', async (_, part, seen) => {
  expect(await at.perform('voicemails.get', { voicemailId: await voicemail(part) })).toMatchObject(seen)
})

test('they are listed page by page, the newest first, without recordings of whole calls', async () => {
  const ids: VoicemailId[] = []
  for (let i = 0; i < 3; i++) {
    ids.unshift(await voicemail())
    await at.clock.advance(1_000)
  }
  await voicemail({ kind: 'call' })
  const first = await at.perform('voicemails.list', { limit: 2 })
  const second = await at.perform('voicemails.list', { limit: 2, before: first.next })
  expect([...first.voicemails, ...second.voicemails].map(({ voicemailId }) => voicemailId)).toEqual(ids)
  expect([first.next, second.next]).toEqual([ids[1], null])
})

test('one is settled and opened again by people, and the audit log has both', async () => {
  const voicemailId = await voicemail()
  const isDone = async () => (await at.perform('voicemails.get', { voicemailId })).isDone
  await at.perform('voicemails.done', { voicemailId, done: true })
  expect(await isDone()).toBe(true)
  await at.perform('voicemails.done', { voicemailId, done: false })
  expect(await isDone()).toBe(false)
  const { lines } = await at.performAlone('audit.list', { action: 'voicemail.done' })
  expect(lines).toHaveLength(2)
})

test('one is deleted by those who may: its words are in no table, its file is deleted, and late news bring nothing back', async () => {
  const files: VoicemailId[] = []
  const running = at.context.running
  if (!running) throw new Error('no running relay')
  running.media = { read: () => Promise.reject(new Error('not here')), delete: async (id) => void files.push(id) }
  const { db } = at.desk.api
  const [kept, voicemailId] = [await voicemail(), await voicemail()]
  await textAbout(voicemailId)
  expect(await everythingIn(db, box())).toContain(ABOUT)
  const listed = async () => (await at.perform('voicemails.list', {})).voicemails.map((one) => one.voicemailId)
  await expect(at.perform('voicemails.delete', { voicemailId }, { role: 'staff' })).rejects.toMatchObject({
    said: { key: 'right.role' },
  })
  expect(await listed()).toHaveLength(2)
  await at.perform('voicemails.delete', { voicemailId }, { role: 'manager', tapId: 'delete-1' })
  expect(await listed()).toEqual([kept])
  expect(files).toEqual([voicemailId])
  expect(await everythingIn(db, box())).not.toContain(ABOUT)
  await db.unit((tx) => at.context.voicemails.told(tx, newsOf(voicemailId)))
  const row = await db.read.selectFrom('voicemails').selectAll().where('id', '=', voicemailId).executeTakeFirstOrThrow()
  // The company's copy is taken away next.
  expect(row).toMatchObject({ text_enc: null, file: null, next_at: at.clock.now(), provider_deleted_at: null })
  const { lines } = await at.performAlone('audit.list', { action: 'voicemail.delete' })
  expect(lines).toMatchObject([{ subject: 'M-TEST-001', after: { voicemailId } }])
  await expect(at.perform('voicemails.delete', { voicemailId })).rejects.toMatchObject({
    said: { key: 'voicemail.unknown' },
  })
})

test('at a live restaurant one is deleted only by a person who shows once more that it is them', async () => {
  const voicemailId = await voicemail()
  const merchantId = await at.goLive()
  await expect(
    at.perform('voicemails.delete', { merchantId, voicemailId }, { environment: 'live' }),
  ).rejects.toMatchObject({ said: { key: 'right.elevate' } })
})

test('one of another restaurant is neither read nor settled nor deleted', async () => {
  const voicemailId = await voicemail()
  const accountId = await at.stranger()
  for (const [name, more] of [
    ['voicemails.get', {}],
    ['voicemails.done', { done: true }],
    ['voicemails.delete', {}],
  ] as const)
    await expect(at.perform(name, { voicemailId, ...more }, { accountId })).rejects.toMatchObject({
      said: { key: 'voicemail.unknown' },
    })
})

test('who may not see customers gets neither words nor sound', async () => {
  const voicemailId = await voicemail()
  const merchantId = await at.goLive()
  const seen = await at.perform(
    'voicemails.get',
    { merchantId, voicemailId },
    { role: 'developer', environment: 'live' },
  )
  expect(seen).toMatchObject({ text: null, hasSound: false, state: 'text' })
})
