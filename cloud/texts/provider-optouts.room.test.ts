// What telephone companies answer for a number that has written STOP to ours, over a socket: the relay drops the message and remembers the number.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TelephonyError } from '#cloud/telephony/telephony.ts'
import { Telnyx } from '#cloud/telephony/telnyx/telnyx.ts'
import { readTwilioForm } from '#cloud/telephony/twilio/read-hook.ts'
import { Twilio } from '#cloud/telephony/twilio/twilio.ts'
import { systemClock } from '#shared/clock.ts'
import { TwilioApi } from '#test/doubles/twilio-api.ts'
import { HOOKS, hookOf, TWILIO } from '#test/fixtures/signed-hooks.ts'
import { TextDesk } from '#test/fixtures/text-desk.ts'
import { takeText } from './take-text.ts'

/** Ed25519, of nobody: no hook is verified here. */
const PUBLIC_KEY = Buffer.alloc(32, 1).toString('base64')
let desk: TextDesk
beforeEach(async () => {
  desk = await TextDesk.open()
})
afterEach(() => desk.close())

const optouts = () => desk.texts.optouts(desk.merchant.key, 10)

it('Twilio: 21610 in the answer, and then nothing is asked of it', async () => {
  const api = await TwilioApi.start()
  api.troubles.push({ status: 400, code: 21610 })
  await desk.worker(new Twilio({ ...TWILIO, url: api.url, transcribes: false, clock: systemClock })).start()
  await desk.write()
  await expect.poll(() => desk.states()).toEqual(['dropped opted_out'])
  expect(await optouts()).toMatchObject([{ tail: '2671', source: 'provider' }])
  await desk.write()
  expect(await desk.states()).toEqual(['dropped opted_out', 'dropped opted_out'])
  expect(api.requests).toHaveLength(1)
  await api.stop()
})

it('Twilio: 21610 in the news of a message that it had taken', async () => {
  const api = await TwilioApi.start()
  await desk.worker(new Twilio({ ...TWILIO, url: api.url, transcribes: false, clock: systemClock })).start()
  await desk.write()
  await expect.poll(() => desk.states()).toEqual(['sent'])
  const fields = [
    ['MessageSid', api.messages[0]?.sid ?? ''],
    ['MessageStatus', 'undelivered'],
    ['ErrorCode', '21610'],
  ] as const
  const news = readTwilioForm('sms', hookOf(`${HOOKS}/sms`, fields))
  if (news?.about !== 'text') throw new Error('no news of a text')
  await takeText(desk, { merchantKey: desk.merchant.key }, news.text)
  expect(await desk.states()).toEqual(['failed code_21610'])
  expect(await optouts()).toMatchObject([{ tail: '2671', source: 'provider' }])
  await api.stop()
})

it.each([400, 403, 422])('Telnyx: 40300 in the answer, with status %i', async (status) => {
  let asked = 0
  const body = JSON.stringify({ errors: [{ code: '40300', title: 'Blocked due to STOP message' }] })
  const server = createServer((request, response) => {
    asked += 1
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await desk.db.unit((tx) => tx.updateTable('phone_numbers').set({ provider: 'telnyx' }).execute())
  await desk.worker(new Telnyx({ url, key: 'KEY', publicKey: PUBLIC_KEY, account: null, clock: systemClock })).start()
  await desk.write()
  await expect.poll(() => desk.states()).toEqual(['dropped opted_out'])
  expect(await optouts()).toMatchObject([{ tail: '2671', source: 'provider' }])
  expect(asked).toBe(1)
  await new Promise((resolve) => server.close(resolve))
})

it('Telnyx: another refusal is told by its number, and a wrong key as such', async () => {
  let answer = { status: 400, code: '40310' }
  const server = createServer((request, response) => {
    const body = JSON.stringify({ errors: [{ code: answer.code }] })
    request
      .resume()
      .on('end', () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const telnyx = new Telnyx({ url, key: 'KEY', publicKey: PUBLIC_KEY, account: null, clock: systemClock })
  const text = { from: '+12125550100', to: '+13105550123', text: 'Ready', statusUrl: 'https://relay.example/sms' }
  const send = () => telnyx.sendText(text, { begin: async () => true, signal: new AbortController().signal })
  await expect(send()).rejects.toEqual(new TelephonyError('code_40310'))
  answer = { status: 401, code: '10009' }
  await expect(send()).rejects.toEqual(new TelephonyError('not_authorized'))
  answer = { status: 503, code: '40300' }
  await expect(send()).rejects.toMatchObject({ reason: 'provider_error', isTransient: true })
  await new Promise((resolve) => server.close(resolve))
})
