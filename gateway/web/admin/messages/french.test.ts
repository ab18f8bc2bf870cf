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

it('a rule is one French sentence, whatever its conditions', () => {
  const none = { station: undefined, category: undefined, item: undefined, client: undefined, orderType: undefined }
  const every = { ...none, source: undefined, course: undefined, location: undefined, to: 'Passe' }
  const rule = { ...every, paper: 'kitchen', isOnly: false, copies: undefined, split: undefined, label: undefined }
  const said = (over: Partial<Parameters<typeof fr.rules.sentence>[0]>) =>
    fr.rules.sentence({ ...rule, paper: 'kitchen', ...over })
  expect(said({ station: 'Grill', orderType: fr.rules.orderTypes.delivery, source: 'kiosk' })).toBe(
    'Les lignes du poste Grill dans les commandes en livraison venant de kiosk sortent aussi sur Passe.',
  )
  expect(said({ course: 2, location: 'Terrasse', isOnly: true, copies: 2, split: 'per-item' })).toBe(
    'Toutes les lignes de la suite 2 dans l’établissement Terrasse sortent seulement sur Passe (2 exemplaires, un bon par ligne).',
  )
  expect(said({ client: 'receipt', copies: 1 })).toBe(
    'Les tickets de caisse envoyés par d’autres sortent aussi sur Passe (1 exemplaire).',
  )
})
