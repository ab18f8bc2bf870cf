// Which notes raise the allergy mark, in the languages that the list claims.
import { expect, it } from 'vitest'
import { namesAllergy } from './allergy-words.ts'

it.each([
  'Nut ALLERGY!!',
  'guest is allergic to shellfish',
  'Alergia a los frutos secos',
  'alérgico ao amendoim',
  'Allergie aux noix',
  'gluten-free please',
  'nut free',
  'sin gluten',
  'coeliac',
  'cœliaque',
  'celíaco',
  'Zöliakie',
  'lactose intolerant',
  'Аллергия на орехи',
  'алергія на арахіс',
  'αλλεργία στους ξηρούς καρπούς',
  '对花生过敏',
  '對花生過敏',
  'ナッツアレルギーあり',
  'ｱﾚﾙｷﾞｰ',
  '땅콩 알레르기',
  'لدي حساسية من المكسرات',
  'حساسیت به بادام',
  'אלרגיה לבוטנים',
  'แพ้ถั่ว',
  'मूंगफली से एलर्जी',
  'dị ứng đậu phộng',
])('sees an allergy in "%s"', (text) => {
  expect(namesAllergy(text)).toBe(true)
})

it.each([
  'no onion',
  'extra nuts',
  'energetic music',
  'free refill',
  'well done',
  'sin cebolla',
  'แพะ',
  '少盐',
  'ダブル',
  '',
])('sees none in "%s"', (text) => {
  expect(namesAllergy(text)).toBe(false)
})
