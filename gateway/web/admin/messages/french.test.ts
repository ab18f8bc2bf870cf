// How French is set: a narrow no-break space before the high marks and inside quotation marks, and the typographic apostrophe.
import { describe, expect, it } from 'vitest'
import { fr as kitchen } from '#gateway/web/kitchen/messages/fr.ts'
import { fr } from './fr.ts'

/** Every sentence; of those with values, with a word in the place of each. */
function sentences(words: unknown): string[] {
  if (typeof words === 'string') return [words]
  if (typeof words === 'function') {
    const facts = { printers: 2, people: 1, rules: 0, hasLogo: true }
    const values = words === fr.care.holds ? [facts] : words === fr.care.rules ? [['grill'], 2] : ['grill', 'bar', 3]
    return [String((words as (...given: unknown[]) => unknown)(...values))]
  }
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(sentences) : []
}

describe.each([
  ['the page', fr],
  ['the kitchen', kitchen],
])('the French of %s', (_, words) => {
  const all = sentences(words)

  it('has a narrow no-break space before ; : ! ? and within « », and no other', () => {
    expect(all.length).toBeGreaterThan(100)
    // A mark that no space follows belongs to a time, an address or a row such as 18:cp852; one alone is the name of a key.
    const wrong = /[^\u202f](?:[;:!?](?=\s|$)|»)|«[^\u202f]/
    expect(all.filter((text) => wrong.test(text))).toEqual([])
  })

  it('has ’ and not a straight apostrophe', () => {
    expect(all.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([])
  })
})
