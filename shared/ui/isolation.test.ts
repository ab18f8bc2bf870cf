// What others wrote turns nothing around in a sentence of ours, and stays as it is where nothing would be turned.
import { describe, expect, it } from 'vitest'
import { isolated, listed, withIsolation } from './isolation.ts'

describe('text of others', () => {
  it('loses its control characters of direction, also those that would end its isolation', () => {
    expect(isolated('Gr\u202eill\u202d\u2069!')).toBe('Grill!')
    expect(isolated('\u202e')).toBe('')
  })

  it('is isolated where it is written from the right, and on a page that is read from there', () => {
    expect(isolated('שלום 12')).toBe('\u2068שלום 12\u2069')
    expect(isolated('Grill 2')).toBe('Grill 2')
    expect(isolated('Grill 2', true)).toBe('\u2068Grill 2\u2069')
    expect(isolated('', true)).toBe('')
  })
})

describe('a list of names', () => {
  it('has the comma of the language, and each name keeps its own direction where one reads from the right', () => {
    expect(listed(['Grill', 'Fry'], ', ')).toBe('Grill, Fry')
    expect(listed(['Grill', 'Fry'], '، ')).toBe('\u2068Grill\u2069، \u2068Fry\u2069')
    expect(isolated(listed(['Grill', 'Fry'], '، '), true)).toBe('\u2068Grill\u2069، \u2068Fry\u2069')
  })

  it('is not taken for one when a name would end its own isolation', () => {
    expect(isolated('\u2068a\u2069\u202e\u2069، \u2068b\u2069')).toBe('\u2068a، b\u2069')
    expect(isolated('\u2068a\u2069، ')).toBe('\u2068a، \u2069')
  })
})

describe('a catalogue with isolation', () => {
  const catalogue = withIsolation(
    { title: 'Printers', part: { waits: (name: string, count: number) => `${count} wait at ${name}` }, days: ['Mon'] },
    false,
  )
  it('isolates what its sentences are given as text, and leaves its own words and counts alone', () => {
    expect(catalogue.part.waits('מטבח', 3)).toBe('3 wait at \u2068מטבח\u2069')
    expect([catalogue.title, catalogue.days]).toEqual(['Printers', ['Mon']])
  })
})
