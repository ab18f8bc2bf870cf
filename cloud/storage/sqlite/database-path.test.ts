// Leftovers beside a missing database are evidence that there was one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tracesOfDatabase } from './database-path.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'database-path-'))
})
afterEach(() => rmSync(dir, { recursive: true }))
const make = (name: string, text = '') => writeFileSync(join(dir, name), text)
const traces = () => tracesOfDatabase(join(dir, 'relay.db'))

it('nothing at a first start', () => {
  expect(traces()).toEqual([])
  expect(tracesOfDatabase(join(dir, 'none', 'relay.db'))).toEqual([])
})

it.each(['relay.db-wal', 'relay.db-shm', 'relay.db.lock', 'reserve'])(
  '%s is told, also beside an empty file',
  (name) => {
    make(name)
    expect(traces()).toEqual([name])
    make('relay.db')
    expect(traces()).toEqual([name])
  },
)

it('nothing where the database is', () => {
  make('relay.db', 'SQLite')
  make('relay.db.lock')
  expect(traces()).toEqual([])
})
