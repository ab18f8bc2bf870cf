// A server that does not confirm a COMMIT, because the synchronous standby that it waits for is away.
import { expect, it } from 'vitest'
import { db, marks, other, put, troubles, usePostgres } from '#test/fixtures/postgres-marks.ts'

usePostgres()

async function waitsForStandby(standby: string): Promise<void> {
  await other.query(`alter system set synchronous_standby_names = '${standby}'`)
  await other.query('select pg_reload_conf()')
  await expect
    .poll(async () => (await other.query('show synchronous_standby_names')).rows)
    .toEqual([{ synchronous_standby_names: standby }])
}

const held = async () => (await other.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).rowCount

it('a COMMIT that is not confirmed is unknown, and the next are refused at once until one is', async () => {
  await put('before')
  await waitsForStandby('nobody')
  await expect(put('a')).rejects.toMatchObject({ reason: 'unknown', status: 503 })
  expect(db.gate.has('stuck')).toBe(true)
  for (let n = 0; n < 20; n++) await expect(put('b')).rejects.toMatchObject({ reason: 'stuck', status: 503 })
  expect(await db.read.selectFrom('marks').selectAll().execute()).toHaveLength(1)
  // As the watch does all the time: the unit's connection and that of the question are all that is held.
  for (let n = 0; n < 20; n++) await db.probe()
  expect(await held()).toBe(2)
  const ended = db.gate.changed.next()
  await waitsForStandby('')
  expect(await ended).toMatchObject({ trouble: 'stuck', began: false })
  await put('c')
  expect(await marks()).toEqual(['a 1', 'before 1', 'c 1'])
  expect(troubles.map(({ trouble, began }) => [trouble, began])).toEqual([
    ['stuck', true],
    ['stuck', false],
  ])
})
