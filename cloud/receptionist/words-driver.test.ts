// What callers say, as a telephone recognition writes it down, and what the order is after it: no model is asked.
import { describe, expect, test } from 'vitest'
import { menuOf } from '#test/fixtures/voice-menu.ts'
import { applyCommands } from './order-draft.ts'
import { type DraftLine, EMPTY_DRAFT, type OrderDraft } from './order-taker.ts'
import type { SpokenLanguage } from './profile.ts'
import { understand } from './words-driver.ts'

const LIMITS = { mostAmountCents: 1_000_000, mostOfALine: 999 }
const menu = menuOf(
  ['Smash Burger', 1250],
  ['Veggie Burger', 1150],
  ['Pommes Frites', 450],
  ['Small Coke', 250],
  ['Large Coke', 350],
  ['Mac and Cheese', 900],
  ['Slow Smoked Chicken Wings with Blue Cheese Dip and Celery', 1350],
  ['Tacos al Pastor (3)', 1195],
  ['Crème brûlée', 795],
  ['Café con leche', 375],
  ['Ensalada mixta', 690],
  ['Hamburguesa clásica', 990],
  ['Happy Hour €5 Spritz', 500],
  ['+Extra Cheese', 100],
  ['+No Onions', null],
  ['+Oat Milk', 50],
  ['+Gluten Free Bun', 150],
)

function ordered(sentences: readonly string[], language: SpokenLanguage = 'en'): OrderDraft {
  return sentences.reduce(
    (draft, words) =>
      applyCommands(draft, understand({ draft, menu, language, words }), { menu, limits: LIMITS }).draft,
    EMPTY_DRAFT,
  )
}

/** `2 Smash Burger +Extra Cheese (no pickles)` */
function written({ qty, name, modifiers, note }: DraftLine): string {
  const added = modifiers.map((modifier) => ` +${modifier.name}`).join('')
  return `${qty} ${name}${added}${note === null ? '' : ` (${note})`}`
}

const lines = (draft: OrderDraft) => draft.lines.map(written)

describe('in English', () => {
  test.each<[said: string | string[], order: string[]]>([
    ['two smash burgers and fries', ['2 Smash Burger', '1 Pommes Frites']],
    ["I'd like to have a smash burger please", ['1 Smash Burger']],
    ['can I get twenty two veggie burgers', ['22 Veggie Burger']],
    ['2 smash burgers, 3 fries and a creme brulee', ['2 Smash Burger', '3 Pommes Frites', '1 Crème brûlée']],
    ['half a dozen large cokes', ['6 Large Coke']],
    ['a couple of veggie burgers and a small coke', ['2 Veggie Burger', '1 Small Coke']],
    ['mac and cheese', ['1 Mac and Cheese']],
    ['two mac and cheese and two fries', ['2 Mac and Cheese', '2 Pommes Frites']],
    ['the chicken wings', ['1 Slow Smoked Chicken Wings with Blue Cheese Dip and Celery']],
    ['three happy hour 5 spritz', ['3 Happy Hour €5 Spritz']],
    ['tacos al pastor', ['1 Tacos al Pastor (3)']],
    ['a smash burger with extra cheese', ['1 Smash Burger +Extra Cheese']],
    ['a smash burger no onions and a veggie burger', ['1 Smash Burger +No Onions', '1 Veggie Burger']],
    ['smash burger without pickles', ['1 Smash Burger (no pickles)']],
    ['smash burger no pickles no mayo', ['1 Smash Burger (no pickles, no mayo)']],
    ['veggie burger on a gluten free bun', ['1 Veggie Burger +Gluten Free Bun']],
    [['a smash burger', 'with extra cheese'], ['1 Smash Burger +Extra Cheese']],
    [
      ['two smash burgers', 'one with extra cheese'],
      ['1 Smash Burger', '1 Smash Burger +Extra Cheese'],
    ],
    [['two smash burgers', 'make that three'], ['3 Smash Burger']],
    [
      ['two smash burgers and fries', 'change the burgers to four'],
      ['4 Smash Burger', '1 Pommes Frites'],
    ],
    [['a smash burger and fries', 'remove the fries'], ['1 Smash Burger']],
    [['a smash burger and fries', 'no fries'], ['1 Smash Burger']],
    [['three fries', 'take off one fries'], ['2 Pommes Frites']],
    [['a smash burger and fries', 'take that off'], ['1 Smash Burger']],
    [
      ['a smash burger and fries', 'change the fries to a small coke'],
      ['1 Smash Burger', '1 Small Coke'],
    ],
    [['a smash burger', 'remove the pickles'], ['1 Smash Burger (no pickles)']],
    [['a smash burger and fries', 'remove everything'], []],
    [['a smash burger', 'another smash burger'], ['2 Smash Burger']],
    [['a coke', 'the large'], ['1 Large Coke']],
    [['two cokes', 'the second one'], ['2 Large Coke']],
    [['a burger', 'small coke'], ['1 Small Coke']],
    // Each question waits for its answer, whatever else is said.
    [
      ['two cokes and a burger and fries', 'large', 'the veggie one'],
      ['1 Pommes Frites', '2 Large Coke', '1 Veggie Burger'],
    ],
    [
      ['two cokes and fries', 'and mac and cheese', 'large'],
      ['1 Pommes Frites', '1 Mac and Cheese', '2 Large Coke'],
    ],
    [
      ['two cokes', 'one small and one large'],
      ['1 Small Coke', '1 Large Coke'],
    ],
    [
      ['two cokes', 'one of each'],
      ['1 Small Coke', '1 Large Coke'],
    ],
    [
      ['a coke', 'the large one and fries'],
      ['1 Large Coke', '1 Pommes Frites'],
    ],
    [['a coke', 'no ice', 'the small one'], ['1 Small Coke (no ice)']],
    [['a coke and fries', 'forget the coke'], ['1 Pommes Frites']],
    [
      ['two burgers, one without onions', 'smash', 'veggie'],
      ['1 Smash Burger +No Onions', '1 Veggie Burger'],
    ],
    [
      ['a coke and a burger no ice', 'the large', 'the smash, no onions'],
      ['1 Large Coke', '1 Smash Burger +No Onions (no ice)'],
    ],
    // What is wished for belongs to what it is said of.
    [
      'a smash burger without onions and a small coke no ice and fries well done',
      ['1 Smash Burger +No Onions', '1 Small Coke (no ice)', '1 Pommes Frites (well done)'],
    ],
    [
      'two smash burgers one with cheese and one without onions',
      ['1 Smash Burger +Extra Cheese', '1 Smash Burger +No Onions'],
    ],
    [
      'five veggie burgers, two with cheese, one with no onions and the rest plain',
      ['2 Veggie Burger +Extra Cheese', '1 Veggie Burger +No Onions', '2 Veggie Burger'],
    ],
    ['a smash burger with fries', ['1 Smash Burger', '1 Pommes Frites']],
    ['a gluten free smash burger and a small coke', ['1 Smash Burger +Gluten Free Bun', '1 Small Coke']],
    ['a smash burger medium rare', ['1 Smash Burger (medium rare)']],
    ['a submarine with extra cheese and a small coke', ['1 Small Coke']],
    ['a small coke, a submarine with extra cheese', ['1 Small Coke']],
    ...[
      'no onions on the burger',
      'the burger without onions',
      'take the onions off the burger',
      'the burger no onions please',
    ].map((words): [string[], string[]] => [
      ['a smash burger and fries', words],
      ['1 Smash Burger +No Onions', '1 Pommes Frites'],
    ]),
    ...['extra cheese on the burger please', 'can you add cheese to the burger'].map((words): [string[], string[]] => [
      ['a smash burger and fries', words],
      ['1 Smash Burger +Extra Cheese', '1 Pommes Frites'],
    ]),
    [
      ['a smash burger and fries', 'make the burger gluten free'],
      ['1 Smash Burger +Gluten Free Bun', '1 Pommes Frites'],
    ],
    [
      ['two smash burgers', 'no onions on one of them'],
      ['1 Smash Burger', '1 Smash Burger +No Onions'],
    ],
    // Corrections.
    [
      ['two smash burgers and fries', 'no wait, one smash burger'],
      ['1 Smash Burger', '1 Pommes Frites'],
    ],
    [['two smash burgers', 'no, three'], ['3 Smash Burger']],
    [
      ['a smash burger and a small coke', 'fries instead of the coke'],
      ['1 Smash Burger', '1 Pommes Frites'],
    ],
    [
      ['a smash burger and a small coke', 'instead of the coke fries'],
      ['1 Smash Burger', '1 Pommes Frites'],
    ],
    [['a smash burger and fries', 'never mind the fries'], ['1 Smash Burger']],
    [
      ['a smash burger and a small coke', 'remove the coke and make the burger two and add fries'],
      ['2 Smash Burger', '1 Pommes Frites'],
    ],
    // As recognitions hear it.
    ['to smash burgers', ['2 Smash Burger']],
    ['I want for smash burgers', ['4 Smash Burger']],
    ['too veggie burger', ['2 Veggie Burger']],
    ['a smash berger', ['1 Smash Burger']],
    ['one vegie burger and pomme frite', ['1 Veggie Burger', '1 Pommes Frites']],
    ['creme brule', ['1 Crème brûlée']],
    ['SMASH BURGER', ['1 Smash Burger']],
    ['something completely different', []],
    ['', []],
  ])('%j', (said, order) => {
    expect(lines(ordered([said].flat()))).toEqual(order)
  })

  test('asks when several items fit, and keeps quantity and wishes for the one that is chosen', () => {
    const asked = ordered(['two burgers with extra cheese no pickles'])
    expect([lines(asked), asked.questions[0]?.candidates.map(({ name }) => name).sort()]).toEqual([
      [],
      ['Hamburguesa clásica', 'Smash Burger', 'Veggie Burger'],
    ])
    expect(lines(ordered(['two burgers with extra cheese no pickles', 'the veggie one']))).toEqual([
      '2 Veggie Burger +Extra Cheese (no pickles)',
    ])
  })

  test('hears the name for the ticket', () => {
    expect(ordered(['a smash burger, my name is Ana López'])).toMatchObject({ name: 'Ana López', lines: [{ qty: 1 }] })
  })

  test('says which words are not on the menu', () => {
    const draft = EMPTY_DRAFT
    expect(understand({ draft, menu, language: 'en', words: 'a smash burger and a submarine' })).toEqual([
      { do: 'add', umsId: 'Smash Burger', qty: 1, modifiers: [], note: null },
      { do: 'unknown', words: 'submarine' },
    ])
  })
})

describe('in Spanish', () => {
  test.each<[said: string | string[], order: string[]]>([
    ['quiero dos hamburguesas clásicas y una ensalada mixta', ['2 Hamburguesa clásica', '1 Ensalada mixta']],
    ['me da un café con leche por favor', ['1 Café con leche']],
    ['tres cafés con leche', ['3 Café con leche']],
    ['media docena de tacos al pastor', ['6 Tacos al Pastor (3)']],
    ['treinta y dos ensaladas', ['32 Ensalada mixta']],
    ['una hamburguesa clásica sin cebolla', ['1 Hamburguesa clásica +No Onions']],
    [
      'una hamburguesa clásica sin pepinillos y un café con leche',
      ['1 Hamburguesa clásica (sin pepinillos)', '1 Café con leche'],
    ],
    [['una ensalada', 'mejor que sean tres'], ['3 Ensalada mixta']],
    [['una ensalada y un café con leche', 'quita la ensalada'], ['1 Café con leche']],
    [
      ['una ensalada y un café con leche', 'cambia la ensalada por una hamburguesa clásica'],
      ['1 Café con leche', '1 Hamburguesa clásica'],
    ],
    [['una ensalada', 'quita todo'], []],
    ['una amburguesa clasica', ['1 Hamburguesa clásica']],
    // A menu in English, ordered from in Spanish.
    ['dos smash burger, una sin cebolla', ['1 Smash Burger +No Onions', '1 Smash Burger']],
    ['una coca grande y unas papas fritas', ['1 Large Coke', '1 Pommes Frites']],
    [
      'un smash burger con queso extra y un café con leche de avena',
      ['1 Smash Burger +Extra Cheese', '1 Café con leche +Oat Milk'],
    ],
    [
      ['dos cocas y una ensalada', 'la grande'],
      ['1 Ensalada mixta', '2 Large Coke'],
    ],
    [
      ['dos smash burger', 'sin cebolla en una'],
      ['1 Smash Burger', '1 Smash Burger +No Onions'],
    ],
    [
      ['una hamburguesa clásica y unas papas fritas', 'la hamburguesa sin cebolla'],
      ['1 Hamburguesa clásica +No Onions', '1 Pommes Frites'],
    ],
    ['una ensalada poco hecha', ['1 Ensalada mixta (poco hecha)']],
  ])('%j', (said, order) => {
    expect(lines(ordered([said].flat(), 'es'))).toEqual(order)
  })
})
