// npm run sdk:types: makes shared/sdk/api.ts, the types of the client, from the OpenAPI document of a relay that it starts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WholeRelay } from '#test/contract/whole-relay.ts'
import { API_FILE, sdkSource } from './sdk/sdk-source.ts'

const relay = await WholeRelay.start()
try {
  writeFileSync(join(import.meta.dirname, '..', API_FILE), sdkSource(relay.document))
  process.stdout.write(`wrote ${API_FILE}\n`)
} finally {
  await relay.stop()
}
