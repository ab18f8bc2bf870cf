// The plus signs are where they must be, change no value, and have their effect.
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { plannedOnce } from './planned-once.ts'

describe('plannedOnce', () => {
  it('marks parameters, and no text that only looks like one', () => {
    expect(plannedOnce('select a from t where b = ? and c in (?, @d) limit ?')).toBe(
      'select a from t where b = +? and c in (+?, +@d) limit +?',
    )
    const others = `select '?', 'it''s @x', "a?b", e ->> '$.f?' from t -- really? @who`
    expect(plannedOnce(others)).toBe(others)
  })

  it('changes no value, whatever its type, and finds by index what it found before', () => {
    const db = new Database(':memory:')
    db.exec('create table t (id text primary key, n integer, b blob) strict')
    const put = db.prepare(plannedOnce('insert into t (id, n, b) values (@id, @n, @b)'))
    put.run({ id: '007', n: 7, b: Buffer.from([0, 255]) })
    put.run({ id: '8', n: null, b: null })
    const find = plannedOnce('select * from t where id = ? order by n limit ?')
    expect(db.prepare(find).all('007', 1)).toEqual([{ id: '007', n: 7, b: Buffer.from([0, 255]) }])
    expect(db.prepare(find).all('7', 1)).toEqual([])
    const [step] = db.prepare<unknown[], { detail: string }>(`explain query plan ${find}`).all('007', 1)
    expect(step?.detail).toMatch(/SEARCH t USING INDEX/)
    db.close()
  })
})
