// What a modifier does, read from its words in many languages or from the client's verb.
import { describe, expect, it } from 'vitest'
import { inReadingOrder, modifierWords } from './modifier-words.ts'

const read = (name: string, more: object = {}) => modifierWords({ umsId: 'm', name, ...more }, (text) => text.trim())
const paper = (name: string, more: object = {}) => {
  const { sign, words } = read(name, more)
  return `${sign} ${words}`
}

describe('modifierWords', () => {
  it.each([
    ['86 pickles', '- 86 pickles'],
    ['Mayo no', '- Mayo no'],
    ['Mayo: No', '- Mayo: No'],
    ['Onion (none)', '- Onion (none)'],
    ['Cebolla - no', '- Cebolla - no'],
    ['Zwiebeln: keine', '- Zwiebeln: keine'],
    ['лук - нет', '- лук - нет'],
    ['No onion', '- NO onion'],
    ['Hold the mayo', '- HOLD THE mayo'],
    ['w/o ice', '- W/O ice'],
    ['Without nuts', '- WITHOUT nuts'],
    ['sin cebolla', '- SIN cebolla'],
    ['sem cebola', '- SEM cebola'],
    ['sans oignon', '- SANS oignon'],
    ['pas de sel', '- PAS DE sel'],
    ['ohne Zwiebeln', '- OHNE Zwiebeln'],
    ['Keine Gurken', '- KEINE Gurken'],
    ['senza cipolla', '- SENZA cipolla'],
    ['zonder ui', '- ZONDER ui'],
    ['bez cebuli', '- BEZ cebuli'],
    ['Без лука', '- БЕЗ лука'],
    ['Χωρίς αλάτι', '- ΧΩΡΊΣ αλάτι'],
    ['utan lök', '- UTAN lök'],
    ['fără ceapă', '- FĂRĂ ceapă'],
    ['soğan olmasın', '- soğan olmasın'],
    ['Zwiebeln weglassen', '- Zwiebeln weglassen'],
    ['بدون بصل', '- بدون بصل'],
    ['בלי בצל', '- בלי בצל'],
    ['不要香菜', '- 不要香菜'],
    ['走蔥', '- 走蔥'],
    ['去冰', '- 去冰'],
    ['ねぎ抜き', '- ねぎ抜き'],
    ['양파 빼주세요', '- 양파 빼주세요'],
    ['ไม่ใส่ผักชี', '- ไม่ใส่ผักชี'],
    ['không hành', '- KHÔNG hành'],
    ['w/out onion', '- W/OUT onion'],
    ['no-onion', '- NO-onion'],
    ['NO-ONION', '- NO-ONION'],
    ['0 onion', '- 0 onion'],
    ['onions off', '- onions off'],
    ['exclude pickles', '- EXCLUDE pickles'],
    ['Pickles: remove', '- Pickles: remove'],
    ['onion=no', '- onion=no'],
    ['no_onion', '- NO_onion'],
    ['- no onion', '- - NO onion'],
    ['(no onion)', '- (NO onion)'],
    ['"no onion"', '- "NO onion"'],
    ['never salt', '- NEVER salt'],
    ['add no salt', '- ADD NO salt'],
    ['Extra no bacon', '- EXTRA NO bacon'],
    ['86ed tomato', '- 86ED tomato'],
    ['leave the pickles out', '- leave the pickles out'],
    ['soğansız', '- soğansız'],
    ['tuzsuz', '- tuzsuz'],
    ['hagyma nélkül', '- hagyma nélkül'],
  ])('"%s" is left out', (name, expected) => {
    expect(paper(name)).toBe(expected)
  })

  it.each([
    ['Sub salad for fries', '<> SUB salad for fries'],
    ['Substitute rice', '<> SUBSTITUTE rice'],
    ['salad instead of fries', '<> salad instead of fries'],
    ['No fries, salad instead', '<> NO fries, salad instead'],
    ['arroz en vez de papas', '<> arroz en vez de papas'],
    ['Reis statt Pommes', '<> Reis statt Pommes'],
    ['riz à la place des frites', '<> riz à la place des frites'],
    ['Вместо сметаны масло', '<> ВМЕСТО сметаны масло'],
    ['换成米饭', '<> 换成米饭'],
    ['밥 대신 면', '<> 밥 대신 면'],
    ['Dressing on the side', '// Dressing on the side'],
    ['sauce à part', '// sauce à part'],
    ['Salsa aparte', '// Salsa aparte'],
    ['酱汁分开', '// 酱汁分开'],
    ['Extra bacon', '++ Extra bacon'],
    ['Käse extra', '++ Käse extra'],
    ['doble queso', '++ doble queso'],
    ['多放辣', '++ 多放辣'],
    ['Light ice', '+- Light ice'],
    ['easy on the salt', '+- easy on the salt'],
    ['poco picante', '+- poco picante'],
    ['少盐', '+- 少盐'],
    ['Add cheese', '+ Add cheese'],
    ['加辣', '+ 加辣'],
    ['Medium rare', '+ Medium rare'],
  ])('"%s" stands as "%s"', (name, expected) => {
    expect(paper(name)).toBe(expected)
  })

  it.each([
    'Nori',
    'Casino',
    'Mayo: yes',
    'Vino',
    'No. 5 sauce',
    '86 g',
    'Normal',
    'Sub',
    'Light',
    'Since 1920',
    '免费米饭',
    'Ei',
    'Sesame',
    'Nothing else',
    'Quite spicy',
    'Tira de asado',
    '免治牛肉',
    '走地鸡',
    '86 proof rum',
    'No Name Steak',
    'Extra virgin olive oil',
    'Heavy cream',
    'Little Gem lettuce',
    'Light beer',
    'Mais (corn)',
    'SIN City sauce',
    'NO problem',
    'No thanks',
    'No, thank you',
    'No-bake crumble',
    'No-show',
    'Never mind',
    '10% off',
    'Half off',
    'Kick off',
    'X large',
    'X-tra crispy',
    'Ücretsiz',
    'Cadiz',
  ])('"%s" says nothing of the kind', (name) => {
    expect(read(name)).toEqual({ does: 'plain', sign: '+', words: name })
  })

  it.each([
    '- onion',
    '-egg',
    '\u2013 egg',
    'x onion',
    'nem hagyma',
    'Nem rán',
    'Not spicy',
    '0 sugar cola',
    'şekersiz kola',
  ])('puts no sign before "%s": it may be left out, or not', (name) => {
    expect(read(name)).toEqual({ does: 'unclear', sign: '', words: name })
  })

  it('reads the text after the dash of a list', () => {
    expect(paper('- extra cheese')).toBe('++ - extra cheese')
    expect(paper('• no onion')).toBe('- • NO onion')
  })

  it('prefers the client’s verb to the words of the name', () => {
    expect(paper('Tomato', { verb: 'remove' })).toBe('- NO Tomato')
    expect(paper('No tomato', { verb: 'remove' })).toBe('- NO tomato')
    expect(paper('Salad', { verb: 'instead', group: 'Side' })).toBe('<> SUB Side: Salad')
    expect(paper('Ranch', { verb: 'side' })).toBe('// SIDE Ranch')
    expect(paper('No-bake crumble', { verb: 'add', qty: 2 })).toBe('+ 2x No-bake crumble')
    expect(paper('No onion', { verb: 'add' })).toBe('+ No onion')
    expect(paper('bread', { verb: 'halve' })).toBe('+ (halve) bread')
    expect(paper('Medium', { group: 'Cooking' })).toBe('+ Cooking: Medium')
    expect(read('').words).toBe('')
  })

  it('puts removals first, then replacements', () => {
    const names = ['Extra bacon', 'Sub salad', 'Hot', 'No onion', 'Side of ranch', '86 pickles']
    expect(inReadingOrder(names.map((name) => read(name))).map(({ words }) => words)).toEqual([
      'NO onion',
      '86 pickles',
      'SUB salad',
      'Extra bacon',
      'Hot',
      'Side of ranch',
    ])
  })
})
