// Voicemails as people see them: what is listed and read, to whom, and who settles them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { VoicemailsTable } from '#cloud/storage/schema-receptionist.ts'
import { newId, type VoicemailId } from '#shared/ids.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'

let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

/** One whose text was made, unless the part says otherwise. */
async function voicemail(part: Partial<VoicemailsTable> = {}): Promise<VoicemailId> {
  const { secretBox } = at.context
  if (secretBox === null) throw new Error('no secret box')
  const nowMs = at.clock.now()
  const id = newId('vm', nowMs)
  const { db, merchantKey } = at.desk.api
  await db.unit(async (tx) => {
    await at.context.voicemails.told(tx, {
      ...{ id, merchant_id: merchantKey, number_id: newId('num', nowMs), kind: 'voicemail', recording_id: `RE-${id}` },
      ...{ created_at: nowMs, providerCallId: 'CA-1', seconds: 7, fetchAt: nowMs },
      textEnc: secretBox.seal('A table for four.'),
    })
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

test('one of another restaurant is neither read nor settled', async () => {
  const voicemailId = await voicemail()
  const accountId = await at.stranger()
  for (const [name, more] of [
    ['voicemails.get', {}],
    ['voicemails.done', { done: true }],
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
