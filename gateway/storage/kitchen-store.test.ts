// Cooks' actions on disk: a line keeps the time at which it was struck off, whatever happens with its order later.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CourseStore } from './course-store.ts'
import { type GatewayDatabase, openGatewayDatabase } from './database.ts'
import { KitchenStore } from './kitchen-store.ts'

const BLANK = { stations: [], courses: [], readyAtMs: null, pickedUpAtMs: null, recalledAtMs: null, struckLines: [] }
let dir: string
let db: GatewayDatabase
let store: KitchenStore

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kitchen-store-'))
  db = openGatewayDatabase(join(dir, 'gateway.db'))
  store = new KitchenStore(db, new CourseStore(db))
})

afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

it('keeps when each line was struck off, and deletes that of a line that no longer is', () => {
  const save = (atMs: number, struckLines: number[]) => {
    const state = { ...BLANK, struckLines }
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

it.each([
  ['on disk', () => db.flush()],
  ['not on disk yet', () => undefined],
])('keeps a fact whose acknowledgement is %s, though the clock was set back since, and marks the order', (_, write) => {
  const ready = { state: { ...BLANK, readyAtMs: 1_000 }, gained: ['ready' as const], lost: [] }
  store.transaction(() => store.save('ord_1', ready, { atMs: 1_000, nowMs: 1_000, dueAtMs: 6_000 }))
  store.acknowledge([{ orderId: 'ord_1', fact: 'ready' }], 6_000)
  write()
  const recalled = { state: BLANK, gained: [], lost: ['ready' as const] }
  store.transaction(() => store.save('ord_1', recalled, { atMs: 2_000, nowMs: 2_000, dueAtMs: 7_000 }))
  expect(store.state('ord_1', { ...BLANK, lines: [] }).recalledAtMs).toBe(2_000)
  store.transaction(() => store.save('ord_1', ready, { atMs: 3_000, nowMs: 3_000, dueAtMs: 8_000 }))
  expect(store.openFacts(8_000, 9)).toEqual([])
})
