// News of text messages that come before their provider's id is stored, or after nobody knew whether they left: their address says which message it is.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import { TelephonyError } from '#cloud/telephony/telephony.ts'
import { readTwilioForm } from '#cloud/telephony/twilio/read-hook.ts'
import { asId } from '#shared/ids.ts'
import { hookOf } from '#test/fixtures/signed-hooks.ts'
import { ScriptedPhone, TextDesk } from '#test/fixtures/text-desk.ts'
import { takeText } from './take-text.ts'

let desk: TextDesk
let phone: ScriptedPhone
beforeEach(async () => {
  desk = await TextDesk.open()
  phone = new ScriptedPhone()
})
afterEach(() => desk.close())

/** As the hook of a company says it, at the address that the message was sent with. */
async function told(status: string, { at, sid = 'SM-own', of = 'mer_1' }: { at?: string; sid?: string; of?: string }) {
  const fields = [['MessageSid', sid], ['MessageStatus', status], ['ErrorCode', status === 'failed' ? '30003' : '']] as const // biome-ignore format: pairs
  const news = readTwilioForm('sms', hookOf(at ?? phone.given.at(-1)?.statusUrl ?? '', fields))
  if (news?.about !== 'text') throw new Error('no news of a text')
  await takeText(desk, { merchantKey: asId<'mer'>(of) }, news.text)
}

const row = async () => {
  const [first] = await desk.rows()
  const { state, error, provider_id, delivered_at } = first ?? {}
  return [state, error, provider_id, delivered_at !== null]
}

/** The company has it, and its answer is not here yet. */
async function underWay() {
  const answer = Promise.withResolvers<{ providerId: string }>()
  phone.answer = () => answer.promise
  await desk.worker(phone).start()
  await desk.write()
  await expect.poll(() => phone.given.length).toBe(1)
  return answer
}

describe('news that come before the answer to the request', () => {
  it.each([
    ['delivered', ['sent', null, 'SM-own', true]],
    ['sent', ['sent', null, 'SM-own', false]],
    ['failed', ['failed', 'code_30003', 'SM-own', false]],
  ])('are kept: %s', async (status, end) => {
    const answer = await underWay()
    await told(status, {})
    expect(await row()).toEqual(end)
    answer.resolve({ providerId: 'SM-own' })
    await expect.poll(() => desk.logLines.join('')).toContain('a text message was sent')
    expect(await row()).toEqual(end)
  })

  it('prove that it left: an answer that says "later" sends it no second time', async () => {
    const answer = await underWay()
    await told('sent', {})
    answer.reject(new TelephonyError('provider_error', { isTransient: true }))
    for (let n = 0; n < 4; n++) await desk.clock.pass(10 * 60_000)
    expect([await row(), phone.given.length]).toEqual([['sent', null, 'SM-own', false], 1])
  })
})

describe('a message of which nobody knew whether it left', () => {
  beforeEach(async () => {
    phone.answer = () => Promise.reject(new TelephonyError('timeout', { isUncertain: true }))
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(row).toEqual(['uncertain', 'timeout', null, false])
  })

  it('was sent when news of it come, and those that come next are its own', async () => {
    await told('sent', {})
    expect(await row()).toEqual(['sent', null, 'SM-own', false])
    await told('delivered', {})
    expect(await row()).toEqual(['sent', null, 'SM-own', true])
  })

  it('stays as it is when the news are of another restaurant, of no message, or of another message', async () => {
    const hooks = 'https://relay.example/hooks/num_1'
    await told('sent', { of: 'mer_other' })
    await told('sent', { at: hookAddress(hooks, 'sms') })
    await told('sent', { at: hookAddress(hooks, 'sms', { text: asId<'txt'>('txt_00000000000000000000000000') }) })
    await told('sent', { at: `${hooks}/sms?text=%27%20or%201` })
    expect(await row()).toEqual(['uncertain', 'timeout', null, false])
    await told('sent', {})
    await told('failed', { sid: 'SM-another' })
    expect(await row()).toEqual(['sent', null, 'SM-own', false])
  })

  it('takes no news of a message that has another address', async () => {
    const first = phone.given[0]?.statusUrl ?? ''
    phone.answer = async () => ({ providerId: 'SM-second' })
    await desk.clock.advance(1)
    await desk.write()
    await expect.poll(() => desk.states()).toEqual(['uncertain timeout', 'sent'])
    await told('failed', { at: first, sid: 'SM-second' })
    expect(await desk.states()).toEqual(['uncertain timeout', 'sent'])
  })
})

it('a message that never left takes no news', async () => {
  await desk.write()
  const [queued] = await desk.rows()
  await told('delivered', { at: `https://relay.example/hooks/num_1/sms?text=${queued?.id}` })
  expect(await row()).toEqual(['queued', null, null, false])
})
