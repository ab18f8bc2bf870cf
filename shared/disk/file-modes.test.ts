// Whose the files of a database are.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { narrowDatabaseFiles } from './file-modes.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'modes-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const make = (name: string, mode: number): string => {
  const path = join(dir, name)
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

it('takes the rights of group and others off the database and its log, names them, and touches nothing else', () => {
  const db = make('a.db', 0o644)
  const wal = make('a.db-wal', 0o660)
  const shm = make('a.db-shm', 0o600)
  const other = make('a.db-copy', 0o644)
  expect(narrowDatabaseFiles(db)).toEqual([db, wal])
  expect([db, wal, shm, other].map(modeOf)).toEqual(['600', '600', '600', '644'])
  expect(narrowDatabaseFiles(db)).toEqual([])
})

it('has nothing to do where nothing is, or a folder', () => {
  mkdirSync(join(dir, 'folder'), { mode: 0o755 })
  expect([narrowDatabaseFiles(join(dir, 'none.db')), narrowDatabaseFiles(join(dir, 'folder'))]).toEqual([[], []])
  expect(modeOf(join(dir, 'folder'))).toBe('755')
})
