// Questions about the menu: what is answered, and that they add nothing to an order.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { menuOf } from '#test/fixtures/voice-menu.ts'
import { answerMenu, asksMenu, takenOf } from './menu-questions.ts'
import { EMPTY_DRAFT } from './order-taker.ts'
import type { SpokenLanguage } from './profile.ts'

const menu = menuOf(
  ['Smash Burger', 1250],
  ['Veggie Burger', 1150],
  ['Pommes Frites', 450],
  ['Small Coke', 250],
  ['Large Coke', 350],
  ['Margherita Pizza', 1100],
  ['Funghi Pizza', 1200],
  ['Oysters', null],
  ['+Extra Cheese', 100],
)
const items = [...menu.entries].filter(({ kind }) => kind === 'item').map(({ name }) => name)
const ask = (words: string, language: SpokenLanguage = 'en') =>
  answerMenu({ words, menu, draft: EMPTY_DRAFT, language, currency: 'USD' })

const MARGHERITA = 'Margherita Pizza is 11.00 US dollars.'
const BURGERS = 'We have Smash Burger and Veggie Burger.'
const ALL = 'Among other things we have Smash Burger, Veggie Burger, Pommes Frites, Small Coke and Large Coke.'

describe('in English', () => {
  test.each([
    ['how much is the margherita', MARGHERITA],
    ['how much is a margarita pizza?', MARGHERITA],
    ['Hi, what does a margherita pizza cost', MARGHERITA],
    ["what's the price of the margherita", MARGHERITA],
    ['do you have any margherita', MARGHERITA],
    ['is there a margherita pizza today', MARGHERITA],
    ['how much is extra cheese', 'Extra Cheese is 1.00 US dollars.'],
    ['how much is a coke', 'Small Coke is 2.50 US dollars. Large Coke is 3.50 US dollars.'],
    ['do you have oysters', 'I am sorry, I cannot sell Oysters by telephone.'],
    ['do you have a salad', 'I did not find salad on the menu.'],
    ['do you have vegan burgers', `I did not find vegan burgers on the menu. ${BURGERS}`],
    ['what burgers do you have', BURGERS],
    ['which burgers are there', BURGERS],
    ['what kind of pizzas do you have', 'We have Margherita Pizza and Funghi Pizza.'],
    ['what do you have', ALL],
    ["what's on the menu", ALL],
    ['what can I order', ALL],
    ['how much is the margherita? And do you have fries?', `${MARGHERITA} Pommes Frites is 4.50 US dollars.`],
  ])('"%s" is answered', (words, say) => {
    expect(ask(words)).toMatchObject({ say, rest: '' })
  })

  test.each([
    ['two burgers and how much is a large coke', 'two burgers and'],
    ["how much is a large coke? I'll take two burgers", 'i ll take two burgers'],
    ["do you have fries I'll have one smash burger", 'i ll have one smash burger'],
  ])('of "%s" the order stays', (words, rest) => {
    expect(ask(words)).toMatchObject({ rest, offered: null })
  })

  test.each([
    'how much is it',
    'how much is my order',
    'how much does that cost',
    'two burgers',
    'yes',
    'a large coke please',
    'what do i have',
  ])('"%s" is none', (words) => {
    expect(ask(words)).toBeNull()
  })

  test('one item that can be sold is offered, and nothing else', () => {
    const offered = (words: string) => ask(words)?.offered
    expect(offered('how much is the margherita')).toBe(menu.find(['margherita'], 'item')?.entry.umsId)
    for (const words of ['how much is a coke', 'how much is extra cheese', 'do you have oysters', 'what do you have'])
      expect(offered(words)).toBeNull()
  })
})

test.each([
  ['¿Cuánto cuesta la margherita?', 'Margherita Pizza cuesta 11,00 dólares estadounidenses.'],
  ['que precio tiene la coca grande', 'Large Coke cuesta 3,50 dólares estadounidenses.'],
  [
    '¿Tienen hamburguesas?',
    'Smash Burger cuesta 12,50 dólares estadounidenses. Veggie Burger cuesta 11,50 dólares estadounidenses.',
  ],
  ['¿Qué hamburguesas tienen?', 'Tenemos Smash Burger y Veggie Burger.'],
  ['hay sushi', 'No he encontrado sushi en el menú.'],
])('in Spanish "%s" is answered', (words, say) => {
  expect(ask(words, 'es')?.say).toBe(say)
})

test('categories are told where the menu has them, and what is of one', () => {
  const of = (category: string, isSilenced = false) => ({ category, isSilenced })
  const grouped = menuOf(
    ...([
      ['Smash Burger', 1250, of('Mains')],
      ['Flan', 500, of('Desserts')],
      ['Sundae', 600, of('Desserts')],
      ['Tiramisu', 700, of('Desserts', true)],
      ['Water', 200],
    ] as const),
  )
  const heard = (words: string) =>
    answerMenu({ words, menu: grouped, draft: EMPTY_DRAFT, language: 'en', currency: 'USD' })?.say
  expect(heard('what do you have')).toBe('We have Mains and Desserts.')
  expect(heard('what desserts do you have')).toBe('We have Flan and Sundae.')
  expect(heard('what soups do you have')).toBe('We have Mains and Desserts.')
})

test.each([
  ['yes', 1],
  ['sure, two please', 2],
  ["I'll take three", 3],
  ["I'll have one", 1],
  ['no', null],
  ['no thanks', null],
  ['a smash burger', null],
  ['how much is it', null],
])('to "Shall I add it?", "%s" is %s', (words, qty) => {
  expect(takenOf(words, 'en')).toBe(qty)
})

test.each([
  ['how much is the margherita', 'item'],
  ['do you have fries', 'item'],
  ['do you have pommes frites', 'item'],
  ['what do you have', 'list'],
  ['do you have a large table', null],
  ['do you have parking', null],
  ['how late are you open', null],
] as const)('before an order "%s" is about: %s', (words, about) => {
  expect(asksMenu(words, items, 'en')).toBe(about)
})

test('whatever is said, what is offered is sold and what is left over was said', () => {
  const word = fc.constantFrom(
    ...'how much is are the a do you have what burgers coke pizza cost price of on menu i ll take two and there any x'.split(
      ' ',
    ),
    ', ',
    '? ',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const text = words.join(' ')
      const answer = ask(text)
      if (answer === null) return
      expect(answer.say).not.toBe('')
      if (answer.offered !== null) expect(menu.priceOf(answer.offered, [])).not.toBeNull()
      const left = answer.rest
        .replaceAll(',', ' ')
        .split(' ')
        .filter((one) => one !== '')
      for (const one of left) expect(words.map((said) => said.trim())).toContain(one)
    }),
    { interruptAfterTimeLimit: 3_000, markInterruptAsFailure: false },
  )
})
