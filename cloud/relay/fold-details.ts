// What a kitchen needs of an order, for a gateway that is older than its fields: their words within notes and names, which it prints. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { type JobDoc, MOST_DOCUMENT_BYTES } from '#shared/wire/gateway-link.ts'

/** As long as an older gateway prints them. */
const LONGEST = { note: 500, modifier: 80 } as const

/**
 * The document without fields that an older gateway drops: verbs are added to the names of modifiers; seat, course and allergens to the note
 * of their line; and what concerns the whole order to the note of the first line of each station, so that every ticket has it.
 * Such a gateway does not hold courses: it prints all lines at once.
 */
export function foldDetails(doc: JobDoc): JobDoc {
  if (!('order' in doc)) return doc
  const everywhere = foldOrder(doc.order, true)
  // An order of many stations with long words: once is better than not at all.
  const order =
    Buffer.byteLength(JSON.stringify(everywhere)) > MOST_DOCUMENT_BYTES ? foldOrder(doc.order, false) : everywhere
  return { ...doc, order }
}

function foldOrder(order: KitchenOrder, isAtEachStation: boolean): KitchenOrder {
  const { orderType: _1, table: _2, guests: _3, server: _4, note: _5, allergens: _6, ...known } = order
  const words = orderWords(order)
  const told = new Set<string | null>()
  const items = order.items.map((line) => {
    const place = isAtEachStation ? (line.station?.trim().toLowerCase() ?? null) : null
    const isFirst = !told.has(place)
    told.add(place)
    return foldLine(line, isFirst ? words : [])
  })
  return { ...known, items }
}

function orderWords({ orderType, table, guests, server, note, allergens }: KitchenOrder): string[] {
  const head = [
    orderType?.toUpperCase(),
    table && `TABLE ${table}`,
    guests && `${guests} GUESTS`,
    server && `SERVER ${server}`,
  ].filter(Boolean)
  return [
    ...allergyWords(allergens),
    ...(head.length === 0 ? [] : [head.join(', ')]),
    ...(note === undefined || note === '' ? [] : [`ORDER NOTE: ${note}`]),
  ]
}

function foldLine(line: KitchenLine, orderSays: readonly string[]): KitchenLine {
  const { seat, course, allergens, note = '', modifiers, ...known } = line
  const place = [seat && `SEAT ${seat}`, course && `COURSE ${course}`].filter(Boolean)
  const words = [...orderSays, ...allergyWords(allergens), ...(place.length === 0 ? [] : [place.join(', ')])]
  const whole = [...words, ...(note === '' ? [] : [note])].join('\n')
  const folded = modifiers.map(foldModifier)
  if (whole.length <= LONGEST.note) return { ...known, modifiers: folded, ...(whole === '' ? {} : { note: whole }) }
  // The guest's own note stays whole, after the rest.
  const pieces = words.flatMap((text) => piecesOf(text, LONGEST.modifier))
  const said = pieces.map((name) => ({ umsId: '', name }))
  return { ...known, modifiers: [...said, ...folded], ...(note === '' ? {} : { note }) }
}

const VERBS: Readonly<Record<string, string>> = { add: '', remove: 'NO', instead: 'SUB', side: 'SIDE' }

function foldModifier({ umsId, name, qty = 1, verb, group }: KitchenLine['modifiers'][number]) {
  const word = verb === undefined ? '' : (VERBS[verb] ?? verb.toUpperCase())
  const count = qty === 1 ? '' : `${qty}x`
  // The verb comes first: an older gateway recognises removals by it.
  const words = [word, count, name, group === undefined ? '' : `(${group})`]
  return { umsId, name: words.filter((part) => part !== '').join(' ') }
}

function allergyWords(allergens: readonly string[] = []): string[] {
  return allergens.length === 0 ? [] : [`ALLERGY: ${allergens.join(', ')}`]
}

/** Broken between words where there are some. */
function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) pieces[pieces.length - 1] = `${last} ${word}`
    else for (let at = 0; at < word.length; at += most) pieces.push(word.slice(at, at + most))
  }
  return pieces
}
