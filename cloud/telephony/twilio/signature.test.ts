// Hooks of Twilio are believed when the account's token signed exactly what came.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HOOKS, hookOf, signedHook, TWILIO } from '#test/fixtures/signed-hooks.ts'
import { isFromTwilio, twilioSignature, withAndWithoutPort } from './signature.ts'

const URL_OF_DOCS = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const fieldsOfDocs = (caller: string) =>
  Object.entries({ CallSid: 'CA1234567890ABCDE', Caller: caller, Digits: '1234', From: caller, To: '+18005551212' })

describe('the signature', () => {
  it.each([
    ['+14158675309', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    ['+12349013030', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
  ])('is what the vendor publishes for a call from %s', (caller, signature) => {
    expect(twilioSignature('12345', URL_OF_DOCS, fieldsOfDocs(caller))).toBe(signature)
  })

  it('does not depend on the order of the fields', () => {
    const fields = fieldsOfDocs('+14158675309')
    expect(twilioSignature('12345', URL_OF_DOCS, fields.toReversed())).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  })

  it('has a name that comes twice with each of its values, once and in order', () => {
    const once = twilioSignature('t', HOOKS, [['A', '1'], ['A', '2']]) // biome-ignore format: pairs
    expect(twilioSignature('t', HOOKS, [['A', '2'], ['A', '1'], ['A', '2']])).toBe(once) // biome-ignore format: pairs
  })
})

describe('a hook', () => {
  const url = `${HOOKS}/gather?turn=3`
  const hook = signedHook(url, [['Digits', '1']])

  it('is believed as it was signed', () => {
    expect(isFromTwilio(TWILIO, hook)).toBe(true)
  })

  it.each([
    ['without a signature', { ...hook, headers: {} }],
    ['with two signatures', { ...hook, headers: { [TWILIO.header]: [String(hook.headers[TWILIO.header]), 'x'] } }],
    ['with an empty signature', { ...hook, headers: { [TWILIO.header]: '' } }],
    ['signed with another token', signedHook(url, [['Digits', '1']], '12346')],
    ['with a field changed', { ...hook, form: hook.form.map(([n, v]) => [n, n === 'Digits' ? '2' : v] as const) }],
    ['with a field more', { ...hook, form: [...hook.form, ['Extra', ''] as const] }],
    ['with a field less', { ...hook, form: hook.form.slice(1) }],
    ['sent again for the next turn', { ...hook, url: `${HOOKS}/gather?turn=4` }],
    ['sent again to another step', { ...hook, url: `${HOOKS}/dial?turn=3` }],
    ['sent again to another number', { ...hook, url: url.replace('num_1', 'num_2') }],
    ['sent again to another host', { ...hook, url: url.replace('relay.example', 'relay.example.evil') }],
    ['sent again without TLS', { ...hook, url: url.replace('https', 'http') }],
    [
      'that says it is signed with another algorithm',
      { ...hook, headers: { ...hook.headers, 'x-twilio-webhooks-signature-settings': 'key=k,algorithm=HMAC_SHA256' } },
    ],
  ])('%s is not believed', (_, forged) => {
    expect(isFromTwilio(TWILIO, forged)).toBe(false)
  })

  it('that names the algorithm that is used is believed', () => {
    const headers = { ...hook.headers, 'x-twilio-webhooks-signature-settings': 'key=k, algorithm=HMAC_SHA1' }
    expect(isFromTwilio(TWILIO, { ...hook, headers })).toBe(true)
  })

  const signedWith = (form: ReadonlyArray<readonly [string, string]>) =>
    hookOf(url, form, { [TWILIO.header]: twilioSignature(TWILIO.token, url, form) })

  it.each([
    ['about another account', [['AccountSid', `AC${'00'.repeat(16)}`]]],
    ['about no account', [['Digits', '1']]],
    ['about two accounts', [['AccountSid', TWILIO.account], ['AccountSid', `AC${'00'.repeat(16)}`]]], // biome-ignore format: pairs
    ['about our account twice', [['AccountSid', TWILIO.account], ['AccountSid', TWILIO.account]]], // biome-ignore format: pairs
  ] as const)('%s is not believed, though it is signed', (_, form) => {
    expect(isFromTwilio(TWILIO, signedWith(form))).toBe(false)
  })

  it('may be signed for the address with the default port, or without it', () => {
    const withPort = url.replace('relay.example', 'relay.example:443')
    expect(isFromTwilio(TWILIO, { ...signedHook(withPort, []), url })).toBe(true)
    expect(isFromTwilio(TWILIO, { ...signedHook(url, []), url: withPort })).toBe(true)
    const other = url.replace('relay.example', 'relay.example:8443')
    expect(isFromTwilio(TWILIO, { ...signedHook(url, []), url: other.replace('8443', '444') })).toBe(true)
  })

  it('with a body that is no form is believed by the hash in its signed address', () => {
    const body = '{"a":"ü"}'
    const address = `${HOOKS}/sms?bodySHA256=${createHash('sha256').update(body).digest('hex')}`
    const headers = { [TWILIO.header]: twilioSignature(TWILIO.token, address, []) }
    const request = { url: address, headers, body, form: [], nowMs: 0 }
    expect(isFromTwilio(TWILIO, request)).toBe(true)
    expect(isFromTwilio(TWILIO, { ...request, body: '{"a":"u"}' })).toBe(false)
  })
})

it.each([
  ['https://a.example/x?y=1', ['https://a.example/x?y=1', 'https://a.example:443/x?y=1']],
  ['http://a.example', ['http://a.example', 'http://a.example:80']],
  ['https://a.example:443/x', ['https://a.example:443/x', 'https://a.example/x']],
  ['https://a.example:8443/x', ['https://a.example:8443/x', 'https://a.example/x']],
  ['https://[2001:db8::1]/x', ['https://[2001:db8::1]/x', 'https://[2001:db8::1]:443/x']],
  ['https://[2001:db8::1]:443/x', ['https://[2001:db8::1]:443/x', 'https://[2001:db8::1]/x']],
])('%s is tried with and without its port', (url, both) => {
  expect(withAndWithoutPort(url)).toEqual(both)
})
