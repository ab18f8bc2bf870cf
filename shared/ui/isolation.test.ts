// Text of others does not reorder our sentences, and is unchanged where it could not.
import { describe, expect, it } from 'vitest'
import { isolated, listed, withIsolation } from './isolation.ts'

describe('text of others', () => {
  it('loses its directional control characters, including those that would end its isolation', () => {
    expect(isolated('Gr\u202eill\u202d\u2069!')).toBe('Grill!')
    expect(isolated('\u202e')).toBe('')
  })

  it('is isolated if it is right-to-left, and always on a right-to-left page', () => {
    expect(isolated('שלום 12')).toBe('\u2068שלום 12\u2069')
    expect(isolated('Grill 2')).toBe('Grill 2')
    expect(isolated('Grill 2', true)).toBe('\u2068Grill 2\u2069')
    expect(isolated('', true)).toBe('')
  })
})

describe('a list of names', () => {
  it('has the comma of the language, and each name keeps its own direction on a right-to-left page', () => {
    expect(listed(['Grill', 'Fry'], ', ')).toBe('Grill, Fry')
    expect(listed(['Grill', 'Fry'], '، ')).toBe('\u2068Grill\u2069، \u2068Fry\u2069')
    expect(isolated(listed(['Grill', 'Fry'], '، '), true)).toBe('\u2068Grill\u2069، \u2068Fry\u2069')
  })

  it('is not recognized if a name would end its own isolation', () => {
    expect(isolated('\u2068a\u2069\u202e\u2069، \u2068b\u2069')).toBe('\u2068a، b\u2069')
    expect(isolated('\u2068a\u2069، ')).toBe('\u2068a، \u2069')
  })
})

describe('a catalogue with isolation', () => {
  const catalogue = withIsolation(
    { title: 'Printers', part: { waits: (name: string, count: number) => `${count} wait at ${name}` }, days: ['Mon'] },
    false,
  )
  it('isolates text values in its sentences, and leaves its own words and counts unchanged', () => {
    expect(catalogue.part.waits('מטבח', 3)).toBe('3 wait at \u2068מטבח\u2069')
    expect([catalogue.title, catalogue.days]).toEqual(['Printers', ['Mon']])
  })
})
