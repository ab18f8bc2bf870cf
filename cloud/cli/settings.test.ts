// Where the address and the key come from, and what a stored key is kept from.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSettings, readStored, removeStored, settingsFile, stateFolder, writeStored } from './settings.ts'

const KEY = 'sk_sandbox_1234567890'
const stored = { url: 'https://relay.example', apiKey: 'sk_sandbox_stored', merchantId: 'M-TEST-002' }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'settings-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const env = (more: Record<string, string> = {}) => ({ HOME: home, ...more })

describe('the settings', () => {
  it('come from the environment before the file', () => {
    writeStored(settingsFile(env()), stored)
    expect(readSettings(env())).toEqual({ ...stored, keyFrom: settingsFile(env()) })
    const both = env({ TICKETRAIL_API_KEY: KEY, TICKETRAIL_URL: 'http://127.0.0.1:8080/', TICKETRAIL_MERCHANT: 'M-1' })
    expect(readSettings(both)).toEqual({
      url: 'http://127.0.0.1:8080',
      apiKey: KEY,
      merchantId: 'M-1',
      keyFrom: 'TICKETRAIL_API_KEY',
    })
  })

  it('are in the folders of XDG, if these are absolute', () => {
    expect(settingsFile(env())).toBe(join(home, '.config/ticketrail/settings.json'))
    expect(settingsFile(env({ XDG_CONFIG_HOME: '/x/y' }))).toBe('/x/y/ticketrail/settings.json')
    expect(settingsFile(env({ XDG_CONFIG_HOME: 'x' }))).toBe(join(home, '.config/ticketrail/settings.json'))
    expect(stateFolder(env({ XDG_STATE_HOME: '/s' }))).toBe('/s/ticketrail')
  })

  it('produce a message if they are missing or invalid', () => {
    expect(() => readSettings(env())).toThrow(/ticketrail login/)
    expect(() => readSettings(env({ TICKETRAIL_API_KEY: KEY }))).toThrow(/TICKETRAIL_URL/)
    for (const url of ['relay.example', 'ftp://relay.example', 'https://me:pw@relay.example', 'https://r.example/?a=1'])
      expect(() => readSettings(env({ TICKETRAIL_API_KEY: KEY, TICKETRAIL_URL: url }))).toThrow(/not the address/)
    const wrong = env({ TICKETRAIL_API_KEY: 'hunter2', TICKETRAIL_URL: stored.url })
    expect(() => readSettings(wrong)).toThrow(/keys begin with/)
    expect(() => readSettings(wrong)).not.toThrow(/hunter2/)
  })

  it('send a stored key only to the relay that issued it', () => {
    writeStored(settingsFile(env()), stored)
    expect(() => readSettings(env({ TICKETRAIL_URL: 'https://other.example' }))).toThrow(/is for https:\/\/relay/)
    expect(readSettings(env({ TICKETRAIL_URL: `${stored.url}/` })).apiKey).toBe(stored.apiKey)
  })

  it('send a key of the environment to no relay that the environment does not name', () => {
    writeStored(settingsFile(env()), stored)
    expect(() => readSettings(env({ TICKETRAIL_API_KEY: KEY }))).toThrow(/TICKETRAIL_URL=https:\/\/relay\.example$/)
  })
})

describe('the settings file', () => {
  it('is readable for its user only, also if one with other rights existed before', () => {
    const file = settingsFile(env())
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{}', { mode: 0o644 })
    writeStored(file, stored)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readStored(file)).toEqual(stored)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(stored)
  })

  it('is refused if others may read it, without showing its content', () => {
    const file = settingsFile(env())
    writeStored(file, stored)
    chmodSync(file, 0o640)
    expect(() => readSettings(env())).toThrow(/Others may read .*chmod 600/)
    expect(() => readSettings(env())).not.toThrow(/sk_sandbox/)
    // A key in the environment needs no file.
    expect(readSettings(env({ TICKETRAIL_API_KEY: KEY, TICKETRAIL_URL: stored.url })).apiKey).toBe(KEY)
  })

  it('is refused where others may put another one in its place', () => {
    const file = settingsFile(env())
    writeStored(file, stored)
    chmodSync(dirname(file), 0o777)
    expect(() => readStored(file)).toThrow(/Others may replace .*chmod 700/)
  })

  it('is refused when it is a link, or no file', () => {
    const file = settingsFile(env())
    writeStored(join(home, 'other.json'), stored)
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(join(home, 'other.json'), file)
    expect(() => readStored(file)).toThrow(/is a link/)
    rmSync(file)
    execFileSync('mkfifo', ['-m', '600', file])
    expect(() => readStored(file)).toThrow(/is not a file/)
  })

  it('that is damaged is named, one that is missing is none', () => {
    const file = settingsFile(env())
    expect([readStored(file), removeStored(file)]).toEqual([null, false])
    writeStored(file, stored)
    writeFileSync(file, '{"url": 1}')
    expect(() => readStored(file)).toThrow(/damaged/)
    expect([removeStored(file), readStored(file)]).toEqual([true, null])
  })
})
