// What a caller is answered from the restaurant's own entries, and what is left unanswered.
import { describe, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { Knowledge, type KnownAnswer } from './knowledge.ts'

const entry = (name: string, question: string, tags: readonly string[] = [], enabled = 1): KnownAnswer => ({
  id: asId<'kn'>(`kn_${name}`),
  question,
  answer: name,
  tags: JSON.stringify(tags),
  enabled,
  updated_at: 1,
})

const ENGLISH = [
  entry('hours', 'What are your opening hours?'),
  entry('parking', 'Is there parking?', ['car', 'garage']),
  entry('delivery', 'Do you deliver?', ['delivery']),
  entry('dogs', 'Are dogs allowed?', ['pets']),
  entry('terrace', 'Can we sit outside?', ['terrace', 'patio', 'outdoor']),
  entry('kids', 'Do you have high chairs for children?', ['kids', 'baby']),
  entry('vegan', 'Do you have vegan dishes?', ['vegetarian']),
  entry('cards', 'Which credit cards do you accept?'),
  entry('wifi', 'Do you have wifi?'),
  entry('private', 'Can I rent the room for a party?', ['event', 'birthday']),
  entry('off', 'Is there a dress code?', ['suit'], 0),
]
const SPANISH = [
  entry('parking', '¿Hay estacionamiento?', ['coche', 'carro']),
  entry('perros', '¿Se permiten perros?', ['mascotas']),
  entry('terraza', '¿Tienen mesas en la terraza?'),
]

describe.each([
  ['en', ENGLISH, 'is there a place to park my car', 'parking'],
  ['en', ENGLISH, 'where do I park', 'parking'],
  ['en', ENGLISH, 'can I bring my dog', 'dogs'],
  ['en', ENGLISH, 'do you allow pets', 'dogs'],
  ['en', ENGLISH, 'do you have a patio', 'terrace'],
  ['en', ENGLISH, 'can we sit outside', 'terrace'],
  ['en', ENGLISH, 'do you have high chairs', 'kids'],
  ['en', ENGLISH, 'anything vegetarian', 'vegan'],
  ['en', ENGLISH, 'what credit cards do you take', 'cards'],
  ['en', ENGLISH, 'do you deliver', 'delivery'],
  ['en', ENGLISH, 'is there wifi', 'wifi'],
  ['en', ENGLISH, 'tell me about the weather tomorrow', null],
  ['en', ENGLISH, 'do you have a dress code', null],
  ['en', ENGLISH, 'who won the game last night', null],
  ['en', ENGLISH, 'the', null],
  ['en', ENGLISH, '', null],
  ['es', SPANISH, '¿dónde puedo dejar el coche?', 'parking'],
  ['es', SPANISH, 'hay estacionamiento', 'parking'],
  ['es', SPANISH, 'puedo llevar a mi perro', 'perros'],
  ['es', SPANISH, 'cuánto cuesta el menú del día', null],
] as const)('in %s', (language, entries, question, expected) => {
  test(`"${question}" is answered ${expected === null ? 'by nothing' : `by ${expected}`}`, () => {
    const found = new Knowledge().find(question, { merchantKey: asId<'mer'>('mer_1'), language, entries })
    expect(found?.say ?? null).toBe(expected)
  })
})

test('an entry that was changed, or switched on, is found from then on', () => {
  const knowledge = new Knowledge()
  const of = { merchantKey: asId<'mer'>('mer_1'), language: 'en' as const }
  const [hours = entry('x', 'x')] = ENGLISH
  expect(knowledge.find('is there a sauna', { ...of, entries: [hours] })).toBeNull()
  const sauna = { ...entry('sauna', 'Is there a sauna?'), updated_at: 2 }
  expect(knowledge.find('is there a sauna', { ...of, entries: [hours, sauna] })?.say).toBe('sauna')
  expect(knowledge.find('is there a sauna', { ...of, entries: [hours, { ...sauna, enabled: 0 }] })).toBeNull()
})
