// Whose recordings are believed: a hook that is signed for one number says nothing of a call or a recording of another.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { VoicemailDesk } from '#test/fixtures/voicemail-desk.ts'

let desk: VoicemailDesk
beforeEach(async () => {
  desk = await VoicemailDesk.open()
})
afterEach(() => desk.close())

const rows = () =>
  desk.db.read.selectFrom('voicemails').select(['number_id', 'call_id', 'seconds', 'text_enc']).execute()
const OTHERS = [
  ['of the same restaurant', { id: asId<'num'>('num_other') }],
  ['of another restaurant', { id: asId<'num'>('num_other'), merchantKey: asId<'mer'>('mer_other') }],
] as const

it.each(OTHERS)('a recording of a call is refused at the hook of another number %s', async (_, number) => {
  const { id, providerId } = await desk.call()
  const recording = desk.recorded(providerId)
  await desk.take(recording, desk, number)
  expect(await rows()).toEqual([])
  await desk.take(recording)
  expect(await rows()).toEqual([{ number_id: desk.numberId, call_id: id, seconds: 42, text_enc: null }])
})

it.each(OTHERS)(
  'a known recording gets neither words nor sound by the hook of another number %s',
  async (_, number) => {
    const { id, providerId } = await desk.call()
    const recording = desk.recorded(providerId, { seconds: null, text: 'two pizzas' })
    await desk.take(recording)
    const before = await rows()
    await desk.take({ ...recording, seconds: 9, text: null }, desk, number)
    // As of a call that nobody knows.
    await desk.take({ ...recording, providerCallId: 'CA-unknown', seconds: 9, text: 'send it all' }, desk, number)
    expect(await rows()).toEqual(before)
    expect(before).toMatchObject([{ number_id: desk.numberId, call_id: id, seconds: 0 }])
  },
)
