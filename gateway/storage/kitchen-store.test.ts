// What cooks did, on disk: a line keeps the moment at which it was struck off, whatever is done with its order later.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type GatewayDatabase, openGatewayDatabase } from './database.ts'
import { KitchenStore } from './kitchen-store.ts'

const dir = mkdtempSync(join(tmpdir(), 'kitchen-store-'))
let db: GatewayDatabase

afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

it('keeps when each line was struck off, and forgets a line that is not any more', () => {
  db = openGatewayDatabase(join(dir, 'gateway.db'))
  const store = new KitchenStore(db)
  const save = (atMs: number, struckLines: number[]) => {
    const state = { stations: [], readyAtMs: null, pickedUpAtMs: null, recalledAtMs: null, struckLines }
    store.transaction(() => store.save('ord_1', { state, gained: [], lost: [] }, { atMs, nowMs: atMs, dueAtMs: atMs }))
    return db.sqlite.prepare('select line, struck_at_ms as at from kitchen_lines order by line').all()
  }
  save(1_000, [2])
  expect(save(2_000, [0, 2])).toEqual([
    { line: 0, at: 2_000 },
    { line: 2, at: 1_000 },
  ])
  expect(save(3_000, [0])).toEqual([{ line: 0, at: 2_000 }])
  expect(save(4_000, [])).toEqual([])
})
