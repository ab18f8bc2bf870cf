// Which sockets the command line trusts: the program there gets the command and the files that it names.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { distrusted, whyNotTrusted } from './ask-relay.ts'

const ROOT = 0
const RELAY = 990
const OTHER = 1_000

describe('the owner of the socket', () => {
  it.each([
    ['root', { socketUid: ROOT, callerUid: OTHER, databaseUid: RELAY }],
    ['the caller', { socketUid: OTHER, callerUid: OTHER, databaseUid: RELAY }],
    ['the owner of the database, asked by root', { socketUid: RELAY, callerUid: ROOT, databaseUid: RELAY }],
  ])('may be %s', (_, facts) => {
    expect(distrusted({ ...facts, folderMode: 0o755 })).toBeNull()
  })

  it.each([
    ['another user', { socketUid: OTHER, callerUid: RELAY, databaseUid: RELAY }],
    ['the owner of the database, asked by another user', { socketUid: RELAY, callerUid: OTHER, databaseUid: RELAY }],
    [
      'another user than the owner of the database, asked by root',
      { socketUid: OTHER, callerUid: ROOT, databaseUid: RELAY },
    ],
    [
      'anybody but root where there is no database, asked by root',
      { socketUid: OTHER, callerUid: ROOT, databaseUid: null },
    ],
  ])('may not be %s', (_, facts) => {
    expect(distrusted({ ...facts, folderMode: 0o755 })).toContain(`belongs to user ${facts.socketUid}`)
  })
})

it.each([
  [0o700, true],
  [0o775, true],
  [0o1777, true],
  [0o777, false],
  [0o702, false],
])('a folder of mode %o is trusted: %s', (folderMode, isTrusted) => {
  const fault = distrusted({ socketUid: ROOT, callerUid: ROOT, databaseUid: ROOT, folderMode })
  expect(fault === null).toBe(isTrusted)
})

describe('on the disk', () => {
  let dir: string
  let server: Server
  const own = process.getuid?.() ?? 0
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'socket-trust-'))
    mkdirSync(join(dir, 'open'))
    server = createServer()
    await new Promise<void>((resolve) => server.listen({ path: join(dir, 'open', 'sock') }, resolve))
    writeFileSync(join(dir, 'relay.db'), '')
  })
  afterEach(() => {
    server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const fault = (path: string, callerUid = own) => whyNotTrusted(path, { callerUid, database: join(dir, 'relay.db') })

  it('owner and folder are checked at the real socket, also behind a link', () => {
    const path = join(dir, 'open', 'sock')
    symlinkSync(path, join(dir, 'link'))
    expect([fault(path), fault(join(dir, 'link'))]).toEqual([null, null])
    chmodSync(join(dir, 'open'), 0o777)
    expect(fault(path)).toContain(`${path}: every user can write`)
    expect(fault(join(dir, 'link'))).toContain(`${path}: every user can write`)
  })

  it('a missing path or one that is no socket is no problem: no relay runs there', () => {
    chmodSync(join(dir, 'open'), 0o777)
    expect([fault(join(dir, 'open', 'none')), fault(join(dir, 'relay.db'))]).toEqual([null, null])
  })
})
