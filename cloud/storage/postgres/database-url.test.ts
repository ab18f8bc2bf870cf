// Which database addresses are accepted. One without percent-encoding would be parsed wrongly, and its password reported as a name.
import { describe, expect, test } from 'vitest'
import { databaseUrlFault } from './database-url.ts'

describe('an address is taken', () => {
  test.each([
    'postgres://ticketrail:secret@db.example:5432/ticketrail',
    'postgresql://ticketrail:secret@db.example/ticketrail?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgres://ticketrail:p%40ss%2Fw%3Ard%25@127.0.0.1/ticketrail',
    'postgres://ticketrail@[::1]:5432/name%20with%2Fmore',
    'postgres:///ticketrail?host=/var/run/postgresql',
    ...['disable', 'prefer', 'require', 'verify-ca', 'no-verify'].map((mode) => `postgres://u:p@h/d?sslmode=${mode}`),
  ])('%s', (url) => {
    expect(databaseUrlFault(url)).toBeNull()
  })
})

describe('an address whose password was not percent-encoded is refused, without a part of it', () => {
  test.each([
    ['an at and a slash', 'postgres://ticketrail:p@ss/hunter2@127.0.0.1:54391/ticketrail'],
    ['a slash after digits', 'postgres://ticketrail:12/hunter2@127.0.0.1:54391/ticketrail'],
    ['a slash after letters', 'postgres://ticketrail:ab/hunter2@127.0.0.1:54391/ticketrail'],
    ['a question mark', 'postgres://ticketrail:12?hunter2@127.0.0.1:54391/ticketrail'],
    ['an at, a slash and a question mark', 'postgres://ticketrail:p@ss/x?hunter2@127.0.0.1:54391/ticketrail'],
    ['an at, a slash and a number sign', 'postgres://ticketrail:p@ss/x#hunter2@127.0.0.1:54391/ticketrail'],
    ['a number sign', 'postgres://ticketrail:12#hunter2@127.0.0.1:54391/ticketrail'],
    ['a slash, and a name without a host', 'postgres://ticketrail:12/hunter2/ticketrail'],
    ['a percent sign', 'postgres://ticketrail:hunter2%zz@127.0.0.1:54391/ticketrail'],
  ])('%s', (_, url) => {
    expect(databaseUrlFault(url)).toContain('percent-encoded')
    expect(databaseUrlFault(url)).not.toMatch(/hunter2|ss\b/)
  })
})

test.each(['maybe', '', 'allow', 'VERIFY-FULL'])('the sslmode %o is refused as unknown', (mode) => {
  const url = `postgres://u:hunter2@h/d?sslmode=${mode}`
  expect(databaseUrlFault(url)).toMatch(/^must have the sslmode disable, .*verify-full/)
  expect(databaseUrlFault(url)).not.toContain('hunter2')
})
