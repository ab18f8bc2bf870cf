// What callers do not want, want less of, or correct: never the opposite of what they said, and never for long.
import { describe, expect, test, vi } from 'vitest'
import { menuOf } from '#test/fixtures/voice-menu.ts'
import { applyCommands } from './order-draft.ts'
import { EMPTY_DRAFT, type OrderDraft } from './order-taker.ts'
import { intends } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import { understand } from './words-driver.ts'

const menu = menuOf(['Smash Burger', 1250], ['Pommes Frites', 450], ['Garden Salad', 690], ['Large Coke', 350])
const LIMITS = { mostAmountCents: 1_000_000, mostOfALine: 999 }

function after(draft: OrderDraft, words: string, language: SpokenLanguage): OrderDraft {
  return applyCommands(draft, understand({ draft, menu, language, words }), { menu, limits: LIMITS }).draft
}

/** Of two burgers and one fries, after these words. */
function left(words: string, language: SpokenLanguage): string[] {
  const draft = after(after(EMPTY_DRAFT, 'two smash burgers and fries', 'en'), words, language)
  return draft.lines.map(({ qty, name }) => `${qty} ${name}`)
}

describe('of two burgers and fries', () => {
  test.each<[SpokenLanguage, string, string[]]>([
    ['en', "I don't want the fries", ['2 Smash Burger']],
    ['en', "don't add fries", ['2 Smash Burger']],
    ['en', 'skip the fries', ['2 Smash Burger']],
    ['es', 'no me pongas papas fritas', ['2 Smash Burger']],
    ['en', 'remove one burger and the fries', ['1 Smash Burger']],
    ['en', 'remove the fries and I want a salad', ['2 Smash Burger', '1 Garden Salad']],
    ['en', 'swap the fries for a salad', ['2 Smash Burger', '1 Garden Salad']],
    ['en', 'only one burger', ['1 Smash Burger', '1 Pommes Frites']],
    ['en', 'just one burger', ['1 Smash Burger', '1 Pommes Frites']],
    ['en', 'I said one burger', ['1 Smash Burger', '1 Pommes Frites']],
    ['en', 'one burger not two', ['1 Smash Burger', '1 Pommes Frites']],
    ['en', 'one less burger', ['1 Smash Burger', '1 Pommes Frites']],
    ['es', 'solo una hamburguesa', ['1 Smash Burger', '1 Pommes Frites']],
    ['es', 'una hamburguesa menos', ['1 Smash Burger', '1 Pommes Frites']],
    ['en', 'just one more burger', ['1 Pommes Frites', '3 Smash Burger']],
    ['en', "please don't cancel", ['2 Smash Burger', '1 Pommes Frites']],
    ['es', 'no lo cancele', ['2 Smash Burger', '1 Pommes Frites']],
  ])('in %s, "%s" leaves %j', (language, words, order) => {
    expect(left(words, language)).toEqual(order)
  })
})

test.each<[SpokenLanguage, string]>([
  ['en', "please don't cancel the order"],
  ['en', 'I do not want to cancel it'],
  ['es', 'no lo cancele'],
  ['es', 'no cancele el pedido'],
])('in %s, "%s" is no cancellation', (language, words) => {
  expect(intends('cancel', words, language)).toBe(false)
})

test('a long talk is looked through a bounded number of times: others wait for it', () => {
  const words = Array.from({ length: 120 }, (_, index) => `w${index}x`).join(' ')
  const find = vi.spyOn(menu, 'find')
  understand({ draft: EMPTY_DRAFT, menu, language: 'en', words })
  expect(find.mock.calls.length).toBeLessThan(20)
  find.mockRestore()
})
