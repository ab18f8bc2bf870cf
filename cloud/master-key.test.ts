// The master key from a file: taken only from one that is not open to everybody.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readCloudConfig } from './config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'master-key-'))
  file = join(dir, 'key')
  writeFileSync(file, `${KEY}\n`, { mode: 0o600 })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const read = (env: Record<string, string> = {}) =>
  readCloudConfig({ CLOUD_MASTER_KEY_FILE: file, ...env }).CLOUD_MASTER_KEY

it('is read from its file, without the end of the line', () => {
  expect(read()).toBe(KEY)
  expect(read({ CLOUD_MASTER_KEY: '' })).toBe(KEY)
})

it('may be readable for a group, as credentials of systemd are', () => {
  chmodSync(file, 0o440)
  expect(read()).toBe(KEY)
})

it('is not taken from a file that every user of the machine can read, nor written to the error', () => {
  chmodSync(file, 0o644)
  expect(() => read()).toThrow(`CLOUD_MASTER_KEY_FILE ${file} is open to every user of this machine: chmod 600 it`)
})

it('is defined in one place only', () => {
  expect(() => read({ CLOUD_MASTER_KEY: KEY })).toThrow('are both set: leave one of them out')
})

function becomeFolder(): void {
  rmSync(file)
  mkdirSync(file, { mode: 0o700 })
}

it.each([
  ['that is empty', () => writeFileSync(file, '\n'), 'is empty'],
  ['that is not there', () => rmSync(file), 'cannot be read (ENOENT): there is no such file. Put the master key there'],
  ['that is a folder', becomeFolder, 'cannot be read (EISDIR): it is a folder'],
  ['with something else', () => writeFileSync(file, 'password'), 'CLOUD_MASTER_KEY must be the base64 of 32 bytes'],
])('a file %s is refused in words', (_, damage, words) => {
  damage()
  expect(() => read()).toThrow(words)
  expect(() => read()).not.toThrow('password')
})
