// The receptionist's profile and answers: who may set them, and two people who change them at once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_PROFILE } from '#cloud/receptionist/profile.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { E164, giveTelephone } from '#test/fixtures/telephone-number.ts'
import { ControlRefusal } from './control-refusal.ts'

let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

const BLOCKED = '+12125550199'
const PROFILE = { mode: 'answers', greeting: 'Bistro Nina, good day.', blocked: [BLOCKED] } as const

const refused = async (act: Promise<unknown>) => {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ControlRefusal)) throw new Error('it was not refused')
  return error
}

test('what was never set has the usual values and the version 0', async () => {
  expect(await at.perform('receptionist.get', {})).toEqual({
    profile: DEFAULT_PROFILE,
    version: 0,
    isMasked: false,
    refused: [],
  })
})

test('a save gives the next version; the same once more changes nothing', async () => {
  const first = await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 0 } })
  expect(first).toMatchObject({ version: 1, profile: { greeting: 'Bistro Nina, good day.', tables: true } })
  const again = await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 1 } })
  expect(again.version).toBe(1)
  expect(await at.perform('receptionist.get', {})).toEqual(first)
})

test('a save on a version that is no longer the newest is refused, and nothing is lost', async () => {
  await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 0 } })
  const late = at.perform('receptionist.save', { profile: { greeting: 'Mine' }, seen: { version: 0 } })
  expect(await refused(late)).toMatchObject({ kind: 'stale', said: { key: 'seen.stale', values: { version: 1 } } })
  expect((await at.perform('receptionist.get', {})).profile.greeting).toBe('Bistro Nina, good day.')
})

test('a wrong part is refused at its own field', async () => {
  const hours = { monday: [{ from: '25:00', to: '12:00' }] }
  const error = await refused(
    at.perform('receptionist.save', { profile: { hours, transfer: { to: '555' } }, seen: { version: 0 } }),
  )
  expect(error.errors.map(({ field }) => field)).toEqual(['profile.hours.monday.0.from', 'profile.transfer.to'])
})

test.each(['+19005551234', '+18765551234', '+881612345678', '+447400123456'])(
  'no call and no text message goes to %s: it costs many times as much',
  async (to) => {
    const profile = { transfer: { to }, notifyTo: to }
    const error = await refused(at.perform('receptionist.save', { profile, seen: { version: 0 } }))
    expect(error).toMatchObject({ kind: 'invalid', said: { key: 'number.not-ordinary' } })
    expect(error.errors.map(({ field }) => field)).toEqual(['profile.transfer.to', 'profile.notifyTo'])
    expect((await at.perform('receptionist.get', {})).version).toBe(0)
  },
)

test('the number that the receptionist answers is none for transfers: it would ring here again', async () => {
  const { db, merchantKey } = at.desk.api
  await giveTelephone(db, { merchantKey, nowMs: at.clock.now() })
  const { version } = await at.perform('receptionist.get', {})
  const profile = { transfer: { to: E164 } }
  const error = await refused(at.perform('receptionist.save', { profile, seen: { version } }))
  expect(error).toMatchObject({ kind: 'invalid', said: { key: 'number.own' } })
  expect(error.errors.map(({ field }) => field)).toEqual(['profile.transfer.to'])
})

test('a number that was allowed when it was saved, and is not any more, is named at its field', async () => {
  const profile = { transfer: { to: '+12125550142' }, notifyTo: '+12125550143' }
  expect(await at.perform('receptionist.save', { profile, seen: { version: 0 } })).toMatchObject({ refused: [] })
  Object.assign(at.context.running ?? {}, { countries: ['+44'] })
  const { refused: fields } = await at.perform('receptionist.get', {})
  expect(fields).toEqual(['profile.transfer.to', 'profile.notifyTo'])
})

test('settings that cannot be read are shown without what is in them, and a save mends them', async () => {
  await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 0 } })
  const profile = JSON.stringify({ ...PROFILE, mode: 'hologram' })
  await at.context.db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile }).execute())
  const { profile: shown, version } = await at.perform('receptionist.get', {})
  expect([shown.mode, shown.greeting]).toEqual(['off', PROFILE.greeting])
  expect(await at.perform('receptionist.save', { profile: shown, seen: { version } })).toMatchObject({ version: 2 })
})

test('of a live restaurant another number for calls is set by somebody who has just shown who they are', async () => {
  const merchantId = await at.goLive()
  const live = { environment: 'live' } as const
  const save = (profile: object, version: number, isElevated: boolean) =>
    at.perform('receptionist.save', { merchantId, profile, seen: { version } }, { ...live, isElevated })
  const first = { transfer: { to: '+12125550142' } }
  expect((await refused(save(first, 0, false))).kind).toBe('elevate')
  expect(await save(first, 0, true)).toMatchObject({ version: 1 })
  // What does not concern it needs nothing more.
  expect(await save({ ...first, greeting: 'Hello.' }, 1, false)).toMatchObject({ version: 2 })
  expect((await refused(save({ transfer: { to: '+12125550143' } }, 2, false))).kind).toBe('elevate')
})

test('the audit log names what was changed, and no number', async () => {
  await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 0 } })
  const [line] = (await at.audit()).filter(({ action }) => action === 'receptionist.save')
  expect(JSON.parse(line?.after ?? '{}')).toEqual({
    version: 1,
    mode: 'answers',
    changed: ['mode', 'greeting', 'blocked'],
  })
  expect(JSON.stringify(line)).not.toContain('2125550199')
})

test('who may not see customers sees of a blocked number only its ends', async () => {
  await at.perform('receptionist.save', { profile: PROFILE, seen: { version: 0 } })
  const merchantId = await at.goLive()
  const asOwner = await at.perform('receptionist.get', { merchantId }, { environment: 'live' })
  expect(asOwner).toMatchObject({ isMasked: false, profile: { blocked: [BLOCKED] } })
  const developer = { role: 'developer', environment: 'live' } as const
  const asDeveloper = await at.perform('receptionist.get', { merchantId }, developer)
  expect(asDeveloper).toMatchObject({ isMasked: true, profile: { blocked: ['+*********99'] } })
})

test('staff read what is set, and change nothing', async () => {
  expect((await at.perform('receptionist.get', {}, { role: 'staff' })).version).toBe(0)
  const save = at.perform('receptionist.save', { profile: {}, seen: { version: 0 } }, { role: 'staff' })
  expect((await refused(save)).kind).toBe('forbidden')
})

test('an answer is added, changed, switched off and deleted', async () => {
  const made = await at.perform('knowledge.put', {
    question: 'Do you have parking?',
    answer: 'Yes.',
    tags: ['car', 'car'],
  })
  expect(made).toMatchObject({ tags: ['car'], enabled: true, hits: 0 })
  const { knowledgeId } = made
  await at.perform('knowledge.put', { knowledgeId, question: 'Parking?', answer: 'Behind the house.', enabled: false })
  expect(await at.perform('knowledge.list', {})).toMatchObject([
    { knowledgeId, question: 'Parking?', answer: 'Behind the house.', tags: [], enabled: false },
  ])
  expect(await at.perform('knowledge.delete', { knowledgeId })).toEqual({ deleted: true })
  expect((await refused(at.perform('knowledge.delete', { knowledgeId }))).said?.key).toBe('knowledge.unknown')
  expect(await at.perform('knowledge.list', {})).toEqual([])
})

test('an answer of another restaurant is not changed', async () => {
  const { knowledgeId } = await at.perform('knowledge.put', { question: 'Parking?', answer: 'Yes.' })
  const accountId = await at.stranger()
  const theirs = at.perform('knowledge.put', { knowledgeId, question: 'Parking?', answer: 'No.' }, { accountId })
  expect((await refused(theirs)).said?.key).toBe('knowledge.unknown')
  expect(await at.perform('knowledge.list', {})).toMatchObject([{ answer: 'Yes.' }])
})

test('an answer that somebody else has changed meanwhile is not written over', async () => {
  const { knowledgeId, version } = await at.perform('knowledge.put', { question: 'Parking?', answer: 'Yes.' })
  const put = (answer: string) =>
    at.perform('knowledge.put', { knowledgeId, question: 'Parking?', answer, seen: { version } })
  expect([version, (await put('Behind the house.')).version]).toEqual([1, 2])
  expect(await refused(put('No.'))).toMatchObject({
    kind: 'stale',
    said: { key: 'seen.stale', values: { version: 2 } },
  })
  expect(await at.perform('knowledge.list', {})).toMatchObject([{ answer: 'Behind the house.', version: 2 }])
})
