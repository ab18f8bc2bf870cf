// Star's shared counter: which increments are ours, at every count, with strays, with other programs, with power off and on.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { EtbCounter } from './star-etb-counter.ts'

/** A printer that has reached this many ETBs in its life returns this. */
function counter(start: number, strays = 0): EtbCounter {
  const made = new EtbCounter(strays)
  made.note(start % 32)
  return made
}

describe('an increment', () => {
  it('is ours when all ETBs of the query were processed', () => {
    const etb = counter(5)
    const { etbs, answered } = etb.ask()
    for (let i = 1; i < etbs; i++) etb.note(5 + i)
    expect(answered()).toBe(false)
    etb.note(5 + etbs)
    expect(answered()).toBe(true)
  })

  it('is not ours when one or two documents of other programs ended meanwhile', () => {
    const etb = counter(5)
    const { answered } = etb.ask()
    etb.note(6)
    etb.note(7)
    expect(answered()).toBe(false)
  })

  it('before our query does not count for it', () => {
    const etb = counter(5)
    etb.note(9)
    const { etbs, answered } = etb.ask()
    etb.note(9 + etbs - 1)
    expect(answered()).toBe(false)
  })

  it('after a reset of the counter proves nothing any more', () => {
    const etb = counter(20)
    const { answered } = etb.ask()
    for (const count of [0, 1, 2, 3, 4, 5]) etb.note(count)
    expect(answered()).toBe(false)
  })

  it('caused by an earlier connection does not answer the new query', () => {
    const etb = counter(5, 3)
    const opening = etb.ask()
    for (const count of [6, 7, 8]) etb.note(count)
    expect(opening.answered()).toBe(false)
  })
})

describe('a connection leaves in the printer for the next', () => {
  it('its open query, with what it was left itself', () => {
    const etb = counter(5, 3)
    const { etbs } = etb.ask()
    expect(etb.inFlight).toBe(etbs + 3)
  })

  it('nothing, once a query was answered', () => {
    const etb = counter(5, 3)
    const { etbs } = etb.ask()
    for (let i = 1; i <= etbs; i++) etb.note(5 + i)
    expect(etb.inFlight).toBe(0)
  })

  it('what it was left itself, if it sent no query', () => {
    expect(counter(5, 3).inFlight).toBe(3)
  })
})

it('with any one or two ETBs of others and any strays, at each count: answered only when ours were processed', () => {
  const history = fc.record({
    start: fc.nat(31),
    strays: fc.nat(6),
    /** Whether those strays are really in the printer. */
    straysCome: fc.boolean(),
    foreign: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
    /** The status is seen at each increment, or only sometimes. */
    seen: fc.oneof(fc.constant<boolean[]>([true]), fc.array(fc.boolean(), { minLength: 64, maxLength: 64 })),
  })
  assertProperty(
    fc.property(history, ({ start, strays, straysCome, foreign, seen }) => {
      const etb = counter(start, strays)
      let count = start
      let at = 0
      const step = (): void => {
        count++
        if (seen[at++ % seen.length]) etb.note(count % 32)
      }
      for (const [index, others] of foreign.entries()) {
        const question = etb.ask()
        if (index === 0 && straysCome) for (let i = 0; i < strays; i++) step()
        for (let i = 0; i < others; i++) step()
        etb.note(count % 32)
        // None of this query's ETBs was processed.
        expect(question.answered()).toBe(false)
        for (let i = 0; i < question.etbs; i++) step()
        etb.note(count % 32)
        // If increments are missed, one of others' ETBs over the counter's end may look like power off and on: then it is no proof.
        if (seen.every(Boolean)) expect(question.answered()).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
})

it('power off and on in the middle of any query is never taken for its answer', () => {
  assertProperty(
    fc.property(fc.nat(31), fc.nat(6), fc.nat(2), fc.nat(20), (start, strays, foreignAfter, reached) => {
      const etb = counter(start, strays)
      const { etbs, answered } = etb.ask()
      for (let i = 1; i <= Math.min(reached, etbs - 1); i++) etb.note((start + i) % 32)
      for (let i = 0; i <= foreignAfter; i++) etb.note(i)
      expect(answered()).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})
