// Snapshots and changes of the live feed, also from a server with more or fewer topics than this page.
import { describe, expect, it } from 'vitest'
import { changed, noTopics, topicsOf } from './live-topics.ts'

const NAMES = ['printers', 'tickets']
const NO_TOPICS = noTopics(NAMES)

describe('topics of the live feed', () => {
  const start = topicsOf(NAMES, {
    topics: { printers: { a: { name: 'Grill' }, b: { name: 'Bar' } }, novelties: { x: 1 } },
  })

  it('are those of the snapshot that the page uses', () => {
    expect(start).toEqual({ ...NO_TOPICS, printers: { a: { name: 'Grill' }, b: { name: 'Bar' } } })
    expect(topicsOf(NAMES, 'nonsense')).toEqual(NO_TOPICS)
  })

  it('change by key, and keep unchanged values as the same object', () => {
    const next = changed(start, {
      changes: [
        { topic: 'printers', key: 'a', value: { name: 'Fry' } },
        { topic: 'printers', key: 'b', value: null },
        { topic: 'novelties', key: 'x', value: 2 },
      ],
    })
    expect(next['printers']).toEqual({ a: { name: 'Fry' } })
    expect(next['tickets']).toBe(start['tickets'])
    expect(start['printers']).toHaveProperty('b')
  })

  it('are unchanged by an invalid patch', () => {
    expect(changed(start, { changes: 'all' })).toBe(start)
    expect(changed(start, null)).toBe(start)
  })
})
