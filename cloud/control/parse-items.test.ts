// An invalid menu file: each error with its line and column, and the rule for pages in other languages.
import { describe, expect, test } from 'vitest'
import { ControlRefusal } from './control-refusal.ts'
import { basisOf, menuDiff } from './menu-diff.ts'
import { parseItems } from './parse-items.ts'

const HEAD = 'umsId,name,kind,price,prepMinutes'

async function refusalOf(content: string): Promise<ControlRefusal> {
  try {
    await parseItems(content)
  } catch (error) {
    if (error instanceof ControlRefusal) return error
    throw error
  }
  throw new Error('the file was taken')
}
const places = async (content: string) => (await refusalOf(content)).errors.map(({ field, rule }) => [field, rule?.key])

describe('a wrong place', () => {
  test('is named by the line of the file: empty lines, and lines within quotes, are counted', async () => {
    const file = [HEAD, 'A,"Soup', 'of the day",item,4', '', 'B,Stew,item,eight', ',Pie,item,2'].join('\n')
    expect(await places(file)).toEqual([
      ['content.line.2.name', 'form'],
      ['content.line.5.price', 'number'],
      ['content.line.6.umsId', 'required'],
    ])
  })

  test('has the column, and the rule that it breaks', async () => {
    const file = [
      HEAD,
      'A,Soup,item,1.999',
      'B,Pie,dish,2',
      'C,Stew,item,3,1000',
      'A,Soup,item,1',
      'A,Soup,item,1',
    ].join('\n')
    expect(await places(file)).toEqual([
      ['content.line.2.price', 'form'],
      ['content.line.3.kind', 'form'],
      ['content.line.4.prepMinutes', 'at-most'],
      ['content.line.6.umsId', 'twice'],
    ])
    expect(await places('umsId,name,colour\nA,Soup,red')).toEqual([['content.line.2.colour', 'unknown']])
  })

  test('of a JSON list is named by its entry', async () => {
    expect(await places('[{"umsId": "A", "name": "Soup"}, {"umsId": "B"}, 7]')).toEqual([
      ['content.entry.2.name', 'required'],
      ['content.entry.3', 'form'],
    ])
  })

  test('is reported ten times at most', async () => {
    const wrong = Array.from({ length: 30 }, (_, n) => `${n},,item,`)
    expect(await places([HEAD, ...wrong].join('\n'))).toHaveLength(10)
    const strange = Array.from({ length: 1_000 }, (_, n) => [`column${n}`, 1])
    const { errors, message } = await refusalOf(JSON.stringify([Object.fromEntries(strange)]))
    expect([errors.length, message.length < 2_000]).toEqual([10, true])
  })
})

describe('a file of a spreadsheet', () => {
  const prices = async (content: string) =>
    (await parseItems(content)).map(({ umsId, name, priceCents }) => [umsId, name, priceCents])

  test('may have semicolons or tabs between its cells, as where a comma is the decimal sign', async () => {
    const rows = [
      ['umsId', 'name', 'price'],
      ['A', '"Soup, hot"', '12,50'],
      ['B', 'Pie', '3'],
    ]
    for (const between of [';', '\t']) {
      const file = rows.map((cells) => cells.join(between)).join('\r\n')
      expect(await prices(file)).toEqual([
        ['A', 'Soup, hot', 1250],
        ['B', 'Pie', 300],
      ])
    }
    expect(await prices('umsId,name,price\nA,Soup; hot,"12,5"')).toEqual([['A', 'Soup; hot', 1250]])
  })

  test('is refused where a comma may be a thousands separator', async () => {
    expect(await places('umsId;name;price\nA;Soup;1,250')).toEqual([['content.line.2.price', 'number']])
  })

  test('whose heading has no umsId or no name is refused by its heading alone', async () => {
    expect(await places('\nid,name,price\nA,Soup,1\nB,Pie,2')).toEqual([['content.line.2.umsId', 'column-missing']])
    expect(await places('what is this')).toEqual([
      ['content.line.1.umsId', 'column-missing'],
      ['content.line.1.name', 'column-missing'],
    ])
  })

  test.each(['\uFFFDPNG\r\n', `${HEAD}\nA,Cr\uFFFDme`, `${HEAD}\nA,\0`])(
    'that is not text in UTF-8 is refused as that: %j',
    async (content) => {
      expect((await refusalOf(content)).said?.key).toBe('menu.file-not-text')
    },
  )

  test('that is JSON, but no list, is refused as that', async () => {
    expect((await refusalOf('{"items": 3}')).said?.key).toBe('menu.file-not-json')
  })
})

test('a quote in the wrong place is named by its line', async () => {
  expect((await refusalOf(`${HEAD}\nA,Soup\nB,5" pizza`)).said).toEqual({ key: 'menu.file-quote', values: { line: 3 } })
})

test('other work on the thread gets its turns while a large menu is read and compared', async () => {
  const lines = Array.from({ length: 4_000 }, (_, n) => `UMS-${n},Soup ${n},item,4`)
  let turns = 0
  let reads = true
  const takeTurn = (): void => {
    turns++
    if (reads) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  const items = await parseItems([HEAD, ...lines].join('\n'))
  expect([items.length, turns]).toEqual([4_000, 20])
  const [diff, basis] = [await menuDiff(items, new Map()), await basisOf(items, new Map())]
  expect([diff.added, diff.items.length, basis.length]).toEqual([4_000, 500, 64])
  reads = false
  expect(turns).toBeGreaterThanOrEqual(26)
})
