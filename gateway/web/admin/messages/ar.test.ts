// The Arabic catalogue says what the English one says, with the same values in it.
import { expect, it } from 'vitest'
import { ruleSentence } from '#gateway/web/admin/parts/rule-sentence.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'

const NAMES: Readonly<Record<string, string>> = { pass: 'PASS', bar: 'BAR' }

function said(when: RoutingRule['when'], print: Partial<RoutingRule['print']> = {}, stop = false): string {
  const rule = { name: 'A rule', when, print: { printerIds: ['pass', 'bar'], paper: 'kitchen', ...print }, stop }
  return ruleSentence(rule as RoutingRule, ar, (id) => NAMES[id] ?? id).replace(/[\u2068\u2069]/g, '')
}

it('a rule is a sentence in Arabic', () => {
  expect(said({})).toBe('كل الأصناف تذهب أيضًا إلى PASS، BAR.')
  expect(said({ station: 'Grill', orderType: 'delivery', source: 'kiosk' }, {}, true)).toBe(
    'أصناف محطة Grill في طلبات (توصيل) من kiosk تذهب فقط إلى PASS، BAR.',
  )
  expect(said({ paper: 'receipt' }, { printerIds: ['bar'], paper: 'receipt' })).toBe(
    'الإيصالات التي يرسلها آخرون تذهب أيضًا إلى BAR.',
  )
  expect(
    said({ course: 2 }, { printerIds: ['bar'], paper: 'label', copies: 2, split: 'per-item', station: 'Bag' }),
  ).toBe('كل الأصناف من الدفعة 2 تذهب أيضًا إلى BAR كملصقات (نسختان، تذكرة لكل صنف، باسم محطة Bag).')
})

it.each([
  ['what is wrong in the last check', ar.check.why, en.check.why],
  ['what else is to be known there', ar.check.notes, en.check.notes],
  ['refusals', ar.refusals.cases, en.refusals.cases],
  ['types of order', ar.rules.orderTypes, en.rules.orderTypes],
])('%s: the same keys, each with the same values', (_what, arabic, english) => {
  const gaps = (words: object) =>
    Object.entries(words).map(([key, text]) => [key, [...String(text).matchAll(/\{\w+\}/g)].map(String).sort()])
  expect(Object.fromEntries(gaps(arabic))).toEqual(Object.fromEntries(gaps(english)))
})
