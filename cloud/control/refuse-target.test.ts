// Addresses that the relay will call: a refusal has the rule that they break, which a page shows in its own language.
import { expect, test } from 'vitest'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseTarget } from './refuse-target.ts'

const guard = new TargetGuard({
  allowCidrs: [],
  resolve: async () => [{ address: '93.184.216.34', family: 4 }],
})

/** The rule that it breaks; null: it may be called. */
async function ruleOf(url: string, environment: 'sandbox' | 'live' = 'live'): Promise<string | null> {
  try {
    await refuseTarget({ guard }, { url, merchant: { environment } })
    return null
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error
    expect(error).toMatchObject({ kind: 'invalid', errors: [{ field: 'url' }] })
    return error.errors[0]?.rule?.key ?? null
  }
}

test.each([
  ['https://exa mple.com/', 'url-spaces'],
  ['example.com/webhooks', 'url-absolute'],
  ['ftp://example.com/', 'url-scheme'],
  ['https://me:secret@example.com/', 'url-password'],
  ['http://example.com/', 'url-https'],
  ['https://10.0.0.8/in', 'url-not-public'],
  ['https://example.com:25/', 'url-port'],
])('%s breaks the rule %s', async (url, rule) => {
  expect(await ruleOf(url)).toBe(rule)
})

test('a public address may be called, in the sandbox over http too', async () => {
  expect(await ruleOf('https://example.com/webhooks')).toBeNull()
  expect(await ruleOf('http://example.com/webhooks', 'sandbox')).toBeNull()
})
