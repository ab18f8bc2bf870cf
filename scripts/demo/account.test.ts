// The demo's box tells the time of its merchant, not of the machine on which the demo runs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { openAccount, writePairing } from './account.ts'
import { dataPaths } from './data-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'demo-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('is paired with the time zone of the merchant, also with the account of an older demo', async () => {
  const paths = dataPaths(root)
  mkdirSync(paths.root, { recursive: true })
  const account = await openAccount(paths, systemClock)
  const paired = (one: typeof account): string => {
    writePairing(paths, one, 1883)
    return (JSON.parse(readFileSync(paths.pairing, 'utf8')) as { timeZone: string }).timeZone
  }
  expect(account.timeZone).toBe('America/New_York')
  expect(paired({ ...account, timeZone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
  expect(paired({ ...account, timeZone: undefined })).toBe('America/New_York')
})
