// The box's minutes after which orders are late: checked, sent to every screen at once, and absent in settings and backups of an older box.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxSettingsStore } from '#gateway/storage/box-settings-store.ts'
import { MetaValues } from '#gateway/storage/meta-values.ts'
import { Passwords } from '#shared/pages/passwords.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { openBackup } from './backup-file.ts'

let box: BoxServer
beforeEach(() => {
  box = new BoxServer()
})
afterEach(() => box.core.stop())

const set = (thresholds: unknown) => box.control.perform('settings.put', { thresholds }, { asker: 'test' })
const delivery = { soonMin: 20, lateMin: 40 }

it('are sent to the screens at once, each type beside those with the default', async () => {
  const { kitchen } = box
  const added = kitchen.displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: null }, 0)
  const display = added.ok ? added.display : null
  if (!display) throw new Error('the screen was not added')
  expect(kitchen.hello(display).thresholds).toEqual({
    usual: { soonMin: 5, lateMin: 10 },
    delivery: { soonMin: 8, lateMin: 15 },
  })
  let told = 0
  kitchen.boxChanged.subscribe(() => told++)
  await set({ delivery })
  expect(told).toBe(1)
  expect(kitchen.hello(display).thresholds).toEqual({ usual: { soonMin: 5, lateMin: 10 }, delivery })
})

it.each([
  [{ brunch: delivery }],
  [{ usual: { soonMin: 11, lateMin: 10 } }],
  [{ usual: { soonMin: 0, lateMin: 10 } }],
  [{ usual: { soonMin: 5, lateMin: 181 } }],
  [{ usual: { lateMin: 10 } }],
])('%j are refused, and change nothing', async (thresholds) => {
  await set({ delivery })
  await expect(set(thresholds)).rejects.toMatchObject({ kind: 'invalid' })
  expect(await box.control.perform('settings.get', {}, { asker: 'test' })).toMatchObject({ thresholds: { delivery } })
})

it('stay when something else is set, and are none where an older box kept its settings', async () => {
  await set({ delivery })
  await box.control.perform('settings.put', { name: 'Casa Nina' }, { asker: 'test' })
  const { db } = box.core
  expect(new BoxSettingsStore(db).settings()).toMatchObject({ name: 'Casa Nina', thresholds: { delivery } })
  db.transaction(() => new MetaValues<'box_settings'>(db).put('box_settings', '{"name":"Old"}'))
  expect(new BoxSettingsStore(db).settings()).toMatchObject({ name: 'Old', thresholds: {} })
})

describe('a backup', () => {
  const PASSPHRASE = 'seven onions under the stairs'
  const opened = (base64: string) =>
    openBackup(Buffer.from(base64, 'base64'), { passphrase: PASSPHRASE }, new Passwords())
  /** On the command line of the box no password of its page is needed. */
  const make = async (): Promise<string> => {
    const made = await box.control.perform('backup.make', { passphrase: PASSPHRASE }, { asker: 'test' })
    return (made as { base64: string }).base64
  }
  const restore = (base64: string) =>
    box.control.perform('backup.restore', { base64, passphrase: PASSPHRASE }, { asker: 'test' })
  const now = () => new BoxSettingsStore(box.core.db).settings().thresholds

  it('made where none were set can be read by an older box, and leaves those of the box that takes it over', async () => {
    const base64 = await make()
    expect((await opened(base64)).backup.box).not.toHaveProperty('thresholds')
    await set({ delivery })
    await restore(base64)
    expect(now()).toEqual({ delivery })
  })

  it('removes the overrides, and every screen gets the change', async () => {
    await set({ delivery })
    const base64 = await make()
    await set({})
    let told = 0
    box.kitchen.boxChanged.subscribe(() => told++)
    await restore(base64)
    expect([told, now()]).toEqual([1, { delivery }])
  })
})
