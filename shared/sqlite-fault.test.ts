// The classes of SQLite errors.
import { expect, it } from 'vitest'
import { isUndoneCommit, sqliteFault } from './sqlite-fault.ts'

const sqliteError = (code: string) => Object.assign(new Error(code), { name: 'SqliteError', code })

it.each([
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_BUSY_RECOVERY', 'locked'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_CORRUPT_INDEX', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_IOERR_READ', 'failing'],
  ['SQLITE_IOERR_FSYNC', 'failing'],
  ['SQLITE_CANTOPEN', 'failing'],
  ['SQLITE_READONLY_DIRECTORY', 'failing'],
  ['SQLITE_CONSTRAINT_UNIQUE', null],
])('%s is %s', (code, fault) => expect(sqliteFault(sqliteError(code))).toBe(fault))

it('an error of another kind is no fault of the disk, whatever its code', () => {
  expect(sqliteFault(Object.assign(new Error('x'), { code: 'SQLITE_FULL' }))).toBeNull()
  expect(sqliteFault(null)).toBeNull()
})

it('only a COMMIT without room is known to be undone: after every other failure it may be on disk', () => {
  const codes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE', 'SQLITE_CORRUPT']
  expect(codes.filter((code) => isUndoneCommit(sqliteError(code)))).toEqual(['SQLITE_FULL'])
})
