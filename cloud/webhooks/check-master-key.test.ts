// Which master key a database accepts: that of its secrets, otherwise that of the first relay started on it.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { MasterKeyStore } from '#cloud/storage/master-key-store.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { checkMasterKey, compareMasterKey } from './check-master-key.ts'
import { SecretBox } from './secret-box.ts'

let dir: string
let db: RelayDatabase
let newest: string | null
let warned: string[]
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-master-key-'))
  db = await openFreshRelayDatabase(join(dir, 'relay.db'))
  newest = null
  warned = []
})
afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

const newBox = () => new SecretBox(randomBytes(32))
const depsOf = (secretBox: SecretBox) => ({
  endpoints: { newestSealed: async () => newest },
  masterKeys: new MasterKeyStore(db),
  secretBox,
  log: { warn: (words: unknown) => void warned.push(String(words)) },
})
const starts = (box: SecretBox, mayBeAnother = false) => checkMasterKey(depsOf(box), mayBeAnother)
const IS_ANOTHER = /CLOUD_MASTER_KEY is another one than that of this database.*CLOUD_START_WITHOUT_SECRETS=yes/

test('is set by the first start, before there is a secret: no relay starts with another key', async () => {
  const [first, other] = [newBox(), newBox()]
  await starts(first)
  await starts(first)
  await expect(starts(other)).rejects.toThrow(IS_ANOTHER)
  expect(warned).toEqual([])
})

test('is set by one of two first starts at the same time with different keys', async () => {
  const ended = await Promise.allSettled([starts(newBox()), starts(newBox())])
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('is the one that opens the secrets of the database', async () => {
  const [own, other] = [newBox(), newBox()]
  newest = own.seal('whsec')
  await expect(starts(other)).rejects.toThrow('CLOUD_MASTER_KEY does not open the webhook secrets')
  await starts(own)
  newest = null
  await expect(starts(other)).rejects.toThrow(IS_ANOTHER)
  await starts(own)
})

test('is replaced with a warning if it is declared lost, and the new one applies from then on', async () => {
  const [lost, next] = [newBox(), newBox()]
  await starts(lost)
  await starts(next, true)
  expect(warned).toHaveLength(1)
  await starts(next)
  await expect(starts(lost)).rejects.toThrow(IS_ANOTHER)
})

test('stays that of the database while secrets under the lost key exist', async () => {
  const [lost, next] = [newBox(), newBox()]
  await starts(lost)
  newest = lost.seal('whsec')
  await starts(next, true)
  await starts(lost)
  newest = next.seal('whsec')
  await starts(next)
  newest = null
  await expect(starts(lost)).rejects.toThrow(IS_ANOTHER)
})

test('refuses a command with another key, and a command on a new database does not set it', async () => {
  const [own, other] = [newBox(), newBox()]
  await compareMasterKey(depsOf(other))
  await starts(own)
  await compareMasterKey(depsOf(own))
  await expect(compareMasterKey(depsOf(other))).rejects.toThrow(IS_ANOTHER)
  newest = own.seal('whsec')
  await compareMasterKey(depsOf(own))
  await expect(compareMasterKey(depsOf(other))).rejects.toThrow('does not open the webhook secrets')
})

test('cannot be derived from the stored value', async () => {
  const key = randomBytes(32)
  await starts(new SecretBox(key))
  const kept = (await new MasterKeyStore(db).check()) ?? ''
  expect(kept).toMatch(/^[0-9a-f]{64}$/)
  expect(kept).not.toBe(key.toString('hex'))
})
