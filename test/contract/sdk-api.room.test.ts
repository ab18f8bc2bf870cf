// shared/sdk/api.ts is what the relay's document says today: whoever changes a route or a schema makes it anew.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { API_FILE, sdkSource } from '#scripts/sdk/sdk-source.ts'
import { WholeRelay } from './whole-relay.ts'

it('the types of the client are current; if not: npm run sdk:types', async () => {
  const relay = await WholeRelay.start()
  try {
    expect(sdkSource(relay.document)).toBe(readFileSync(API_FILE, 'utf8'))
  } finally {
    await relay.stop()
  }
})
