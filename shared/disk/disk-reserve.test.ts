// The reserve beside a database, on a real file system.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DiskReserve, measureDisk, RESERVE_BYTES } from './disk-reserve.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reserve-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

it('is created beside the database, for its user alone, and released', () => {
  const reserve = new DiskReserve(join(dir, 'a.db'))
  reserve.layAside()
  const { size, mode } = statSync(join(dir, 'reserve'))
  expect([reserve.isThere, size, mode & 0o777]).toEqual([true, RESERVE_BYTES, 0o600])
  reserve.giveUp()
  reserve.giveUp()
  expect([reserve.isThere, readdirSync(dir)]).toEqual([false, []])
})

it('reports what prevents it', () => {
  mkdirSync(join(dir, 'no'))
  const reserve = new DiskReserve(join(dir, 'no', 'a.db'))
  rmSync(join(dir, 'no'), { recursive: true })
  expect(() => reserve.layAside()).toThrow('ENOENT')
})

it('a disk is measured by the folder of the database; where there is none, nothing is known', () => {
  const disk = measureDisk(join(dir, 'not-yet.db'))
  expect(disk?.freeBytes).toBeGreaterThan(0)
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? 0)
  expect(measureDisk(join(dir, 'none', 'a.db'))).toBeNull()
})
