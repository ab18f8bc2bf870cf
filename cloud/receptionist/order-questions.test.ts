// "Which one?" by properties: every piece that was understood is in the order, asked about, or declined by the caller; none gets lost.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { menuOf } from '#test/fixtures/voice-menu.ts'
import { assertProperty } from '#test/harness/property.ts'
import { applyCommands, isAgreedBy, readBack } from './order-draft.ts'
import { draftSummary, nextQuestion } from './order-replies.ts'
import { EMPTY_DRAFT, type OrderDraft, orderDraft } from './order-taker.ts'
import { understand } from './words-driver.ts'

const given = { limits: { mostAmountCents: 10_000_000, mostOfALine: 999 } }
const menu = menuOf(
  ['Small Coke', 250],
  ['Large Coke', 350],
  ['Smash Burger', 1250],
  ['Veggie Burger', 1150],
  ['Pommes Frites', 450],
  ['+No Onions', null],
)

const hear = (draft: OrderDraft, words: string): OrderDraft =>
  applyCommands(draft, understand({ draft, menu, language: 'en', words }), { ...given, menu }).draft

const piecesOf = ({ lines, questions }: OrderDraft): number =>
  [...lines, ...questions].reduce((sum, { qty }) => sum + qty, 0)

interface Said {
  words: string
  /** Pieces more. */
  adds: number
}
const count = fc.integer({ min: 2, max: 9 })
const item = fc
  .tuple(
    count,
    fc.constantFrom('cokes', 'burgers', 'smash burgers', 'pommes frites', 'small cokes', 'burgers without onions'),
  )
  .map(([adds, name]): Said => ({ words: `${adds} ${name}`, adds }))
const order = fc.array(item, { minLength: 1, maxLength: 3 }).map(
  (items): Said => ({
    words: items.map(({ words }) => words).join(' and '),
    adds: items.reduce((sum, { adds }) => sum + adds, 0),
  }),
)
const talk = fc
  .constantFrom('the large one', 'smash', 'the veggie one', 'no ice please', 'hm let me think', 'what was that', 'yes')
  .map((words): Said => ({ words, adds: 0 }))

test('nothing that was understood gets lost, whatever is said in whatever order', () => {
  assertProperty(
    fc.property(fc.array(fc.oneof(order, talk), { maxLength: 6 }), (sentences) => {
      let draft: OrderDraft = EMPTY_DRAFT
      for (const { words, adds } of sentences) {
        // "Small cokes" may answer an open question: they are then no more pieces.
        const mayAnswer = adds === 0 || (draft.questions.length > 0 && / (?:small|smash)/.test(words))
        const before = piecesOf(draft)
        draft = hear(draft, words)
        if (mayAnswer) expect(piecesOf(draft)).toBeGreaterThanOrEqual(before)
        else expect(piecesOf(draft)).toBe(before + adds)
        expect(orderDraft.parse(draft)).toEqual(draft)
      }
      // As long as one is open, it is asked, and nothing is agreed.
      const { say } = nextQuestion(draft, 'USD', { language: 'en', isComplete: true })
      expect(say.startsWith('Which one')).toBe(draft.questions.length > 0)
      if (draft.questions.length > 0) expect(isAgreedBy(readBack(draft), true)).toBe(false)
      while (draft.questions.length > 0) {
        const [question] = draft.questions
        const before = draft.questions.length
        const rest = piecesOf(draft)
        draft = hear(draft, `the ${question?.candidates[0]?.name}`)
        expect([draft.questions.length, piecesOf(draft)]).toEqual([before - 1, rest])
      }
    }),
  )
})

test('a question that is declined takes away nothing else', () => {
  const asked = hear(EMPTY_DRAFT, 'two cokes and three burgers and fries')
  expect(asked.questions.map(({ qty }) => qty)).toEqual([2, 3])
  const declined = hear(asked, 'forget the cokes')
  expect([declined.lines.length, declined.questions.map(({ qty }) => qty)]).toEqual([1, [3]])
})

test('a person who takes over sees what is still asked about', () => {
  expect(draftSummary(hear(EMPTY_DRAFT, 'two cokes'), 'USD')).toContain('2 of: Small Coke / Large Coke')
})
