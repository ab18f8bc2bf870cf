// Snapshot and changes of the live feed, also from a box that says more or less than this page knows.
import { describe, expect, it } from 'vitest'
import { changed, noTopics, topicsOf } from './live-topics.ts'

const NAMES = ['printers', 'tickets']
const NO_TOPICS = noTopics(NAMES)

describe('topics of the live feed', () => {
  const start = topicsOf(NAMES, {
    topics: { printers: { a: { name: 'Grill' }, b: { name: 'Bar' } }, novelties: { x: 1 } },
  })

  it('are what the snapshot says, of those that the page knows', () => {
    expect(start).toEqual({ ...NO_TOPICS, printers: { a: { name: 'Grill' }, b: { name: 'Bar' } } })
    expect(topicsOf(NAMES, 'nonsense')).toEqual(NO_TOPICS)
  })

  it('change by key, and keep what did not change as the same object', () => {
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

  it('stay as they are when a patch is none', () => {
    expect(changed(start, { changes: 'all' })).toBe(start)
    expect(changed(start, null)).toBe(start)
  })
})
