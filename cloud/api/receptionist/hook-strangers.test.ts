// Hooks that no telephone company sent: little work is done for them, and each counts against the address that it came from.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StrangerBudget } from '#cloud/api/stranger-budget.ts'
import { CALLER, CallDesk, RELAY } from '#test/fixtures/call-desk.ts'
import { E164 } from '#test/fixtures/telephone-number.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const US = { address: '127.0.0.1', countedAs: '127.0.0.1' }

let desk: CallDesk
let budget: StrangerBudget
beforeEach(async () => {
  desk = await CallDesk.open({
    server: (stores) => {
      budget = new StrangerBudget(stores)
      return { strangers: budget }
    },
  })
})
afterEach(() => desk.close())

async function post(headers: Record<string, string>, payload: string | Buffer) {
  const url = '/Receptionist/Webhooks/voice/num_desk/answer'
  const { statusCode: status, body } = await desk.api.app.inject({ method: 'POST', url, headers, payload })
  return { status, message: body.startsWith('{') ? JSON.parse(body).message : body }
}

/** Fields of a hook that begins a call, and more. */
function signed(more: number) {
  const fields = Array.from({ length: more }, (_, n): [string, string] => [`More${n}`, ''])
  const call: [string, string][] = [
    ['CallSid', `CA${'1'.repeat(32)}`],
    ['From', CALLER],
    ['To', E164],
  ]
  return desk.telephony.signed(`${desk.hooks}/answer`, [...call, ...fields])
}

const refusals = [
  ['too long', FORM, `a=${'x'.repeat(65_536)}`, 413, 'The request body is larger than 64 KiB.'],
  [
    'of another type',
    { 'content-type': 'text/plain' },
    'CallSid=CA1',
    415,
    'Send the body as application/x-www-form-urlencoded or application/json.',
  ],
  [
    'of no type',
    {},
    Buffer.from('CallSid=CA1'),
    415,
    'Send the body as application/x-www-form-urlencoded or application/json.',
  ],
  ['of too many fields', FORM, 'a=&'.repeat(200), 400, 'A hook has at most 200 fields.'],
  ['not in UTF-8', FORM, Buffer.from([0x61, 0xff]), 400, 'The body is not valid UTF-8.'],
  ['not signed', FORM, 'CallSid=CA1', 403, 'The signature of this request is not right.'],
] as const

describe('a hook', () => {
  test.each(refusals)('%s is refused with words that say why', async (_what, headers, payload, status, message) => {
    expect(await post(headers, payload)).toEqual({ status, message })
  })

  test.each(refusals)('%s counts against its address', async (_what, headers, payload) => {
    for (let n = 0; n < 599; n++) budget.take(US, 'call')
    await post(headers, payload)
    expect((await post(headers, payload)).status).toBe(429)
  })

  test('that is signed is answered with 200 fields, and from an address that has nothing left', async () => {
    for (let n = 0; n < 600; n++) budget.take(US, 'call')
    // Three of the call, and the account.
    const { headers, body } = signed(196)
    expect((await post(headers, body)).status).toBe(200)
  })

  test('with one field more is refused before its signature is checked', async () => {
    let checked = 0
    const verify = desk.telephony.verify.bind(desk.telephony)
    desk.telephony.verify = (request) => {
      checked++
      return verify(request)
    }
    const { headers, body } = signed(197)
    expect((await post(headers, body)).status).toBe(400)
    expect(checked).toBe(0)
  })

  test('of the company that is refused for what it says does not count', async () => {
    for (let n = 0; n < 599; n++) budget.take(US, 'call')
    const url = `${RELAY}/Receptionist/Webhooks/voice/num_none/answer`
    const call = { url, ...desk.telephony.signed(url, [['CallSid', 'CA1'], ['To', E164]]) } // biome-ignore format: pairs
    expect((await desk.send(call)).status).toBe(404)
    expect((await post(FORM, 'CallSid=CA1')).status).toBe(403)
  })
})
