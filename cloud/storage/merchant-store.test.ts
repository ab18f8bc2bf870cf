// A merchant is found by one search, for any account: an account may have been granted thousands of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { MerchantStore } from './merchant-store.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'

it('finds a granted merchant by its own id, not by going through all grants of the account', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'merchants-'))
  const file = join(dir, 'relay.db')
  const db = await SqliteDatabase.open(file, (error) => expect.unreachable(String(error)))
  const plans = await queryPlans(file, () => new MerchantStore(db).findGranted(asId('acc'), 'M-PROD-1'))
  expect(plans.flatMap(({ steps }) => steps).filter((step) => /merchants/.test(step))).toContainEqual(
    'SEARCH m USING INDEX merchants_live (public_id=?)',
  )
  await db.close()
  rmSync(dir, { recursive: true })
})
