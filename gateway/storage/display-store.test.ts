// Displays and their codes: one use, a quarter of an hour, and no secret on disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayDatabase, openGatewayDatabase } from './database.ts'
import { CODE_VALID_MS, DisplayStore } from './display-store.ts'

const NOW = 1_000_000
const GRILL = { name: 'Grill', stations: ['grill'], language: 'en', backupPrinterId: null }
let dir: string
let db: GatewayDatabase
let store: DisplayStore
let displayId: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'displays-'))
  db = openGatewayDatabase(join(dir, 'gateway.db'))
  store = new DisplayStore(db)
  const added = store.add(GRILL, NOW)
  displayId = added.ok ? added.display.displayId : ''
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const newCode = () => store.newCode(displayId, NOW)?.code ?? ''

describe('a display', () => {
  it('has a unique name', () => {
    expect(store.add({ ...GRILL, name: 'GRILL' }, NOW)).toEqual({ ok: false, reason: 'name-taken' })
    expect(store.update(displayId, { name: 'Grill 2' })).toMatchObject({ ok: true, display: { stations: ['grill'] } })
    expect(store.update('dsp_none', {})).toEqual({ ok: false, reason: 'unknown-display' })
  })

  it('is returned as it is on disk after any change, and after a rollback', () => {
    const names = () => store.all().map(({ name, claimedAtMs }) => [name, claimedAtMs])
    expect(names()).toEqual([['Grill', null]])
    const changeAndFail = () =>
      db.transaction(() => {
        store.update(displayId, { name: 'Fry' })
        expect(names()).toEqual([['Fry', null]])
        throw new Error('no')
      })
    expect(changeAndFail).toThrow('no')
    expect(names()).toEqual([['Grill', null]])
    store.update(displayId, { name: 'Fry' })
    expect(names()).toEqual([['Fry', null]])
    expect(store.claim(newCode(), NOW + 1)?.display).toMatchObject({ name: 'Fry', claimedAtMs: NOW + 1 })
    expect(names()).toEqual([['Fry', NOW + 1]])
    store.add(GRILL, NOW + 2)
    expect(names()).toHaveLength(2)
    store.remove(displayId)
    expect(names()).toEqual([['Grill', null]])
  })

  it('for runners or guests has no station, and loses kitchen settings when it becomes one of these', () => {
    const runner = store.add({ ...GRILL, name: 'Runner', kind: 'runner', stations: [] }, NOW)
    expect(runner).toMatchObject({ ok: true, display: { kind: 'runner', stations: [] } })
    store.update(displayId, { buzzAfterS: 60 })
    expect(store.update(displayId, { kind: 'pick-up', showNames: true })).toMatchObject({
      ok: true,
      display: { kind: 'pick-up', stations: [], buzzAfterS: null, showNames: true },
    })
    expect(store.update(displayId, { kind: 'kitchen' })).toMatchObject({
      display: { kind: 'kitchen', showNames: false },
    })
  })

  it.each([
    { kind: 'runner' as const, stations: ['grill'] },
    { kind: 'pick-up' as const, backupPrinterId: 'grill' },
    { kind: 'pick-up' as const, buzzAfterS: 60 },
    { kind: 'runner' as const, showNames: true },
    { showNames: true },
  ])('refuses what its kind does not have: %j', (change) => {
    expect(store.update(displayId, change)).toEqual({ ok: false, reason: 'not-its-kind' })
    const fresh = { ...GRILL, name: 'Other', stations: [], ...change }
    expect(store.add(fresh, NOW)).toEqual({ ok: false, reason: 'not-its-kind' })
    expect(store.find(displayId)).toMatchObject({ kind: 'kitchen', stations: ['grill'] })
  })

  it('is signed in with a code once, and with the newest one only', () => {
    const old = newCode()
    const code = newCode()
    expect(store.claim(old, NOW)).toBeNull()
    const claimed = store.claim(code, NOW)
    expect(claimed?.display.displayId).toBe(displayId)
    expect(store.byToken(claimed?.token ?? '')?.displayId).toBe(displayId)
    expect(store.claim(code, NOW)).toBeNull()
  })

  it('refuses an expired code', () => {
    expect(store.claim(newCode(), NOW + CODE_VALID_MS)).toBeNull()
  })

  it('is signed out by the next sign-in and by its removal', () => {
    const first = store.claim(newCode(), NOW)?.token ?? ''
    const second = store.claim(newCode(), NOW)?.token ?? ''
    expect([store.byToken(first), store.byToken(second)?.name]).toEqual([null, 'Grill'])
    const code = newCode()
    expect(store.remove(displayId)).toBe(true)
    expect([store.byToken(second), store.claim(code, NOW)]).toEqual([null, null])
  })

  it('stores neither code nor token in clear', () => {
    const code = newCode()
    const token = store.claim(code, NOW)?.token ?? ''
    const next = newCode()
    for (const name of readdirSync(dir))
      for (const secret of [code, token, next]) expect(readFileSync(join(dir, name)).includes(secret)).toBe(false)
  })
})
