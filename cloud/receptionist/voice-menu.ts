// The menu as callers name it: items and modifiers with their prices, found by words that a recognition may have heard wrong.
import MiniSearch from 'minisearch'
import type { CatalogStore, MenuRow } from '#cloud/storage/catalog-store.ts'
import { folded } from '#shared/folded.ts'
import type { MerchantKey } from '#shared/ids.ts'
import { KeptValues } from './kept-values.ts'
import { sameMeaning } from './menu-words.ts'

/** What is sold by voice of a menu: the rest is for people. */
const MOST_ITEMS = 2_000
/** Menus whose search is kept. */
const MOST_KEPT = 64
/** Share of a phrase's words that an item's name must have. */
const LEAST_COVERED = 0.5
/** Of a menu: what a recognition is told to expect. */
const MOST_HINTS = 200

export interface MenuEntry {
  umsId: string
  /** As in the catalog, without what cannot be said. */
  name: string
  kind: 'item' | 'modifier'
  /** As the restaurant wrote it; null: none. */
  category: string | null
  /** Null: it has no price. A modifier without one costs nothing; an item without one is not sold by voice. */
  priceCents: number | null
  isSilenced: boolean
  /** Null: not counted. */
  stock: number | null
}

/** One way to say the name of an entry: `Rare (saignant)` has three. */
export interface MenuName {
  stems: readonly string[]
  entry: MenuEntry
}

export interface Heard {
  entry: MenuEntry
  /** All names that fit as well; one: it is clear. */
  candidates: readonly MenuEntry[]
  /** Share of the words that its name has, also as they were misheard; and exactly. */
  covered: number
  exact: number
  /** Share of its name that these words are. */
  share: number
}

/** Words of a text as they are compared: without case, accents and signs. */
export function wordsOf(text: string): string[] {
  return folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
}

/** `burgers` and `burger` are one word, and so are `sandwiches` and `sandwich`, `hamburguesa` and `burger`. */
export function stem(word: string): string {
  return sameMeaning(word.length <= 3 ? word : word.replace(/(?<=ch|sh|x|ss)es$/, '').replace(/(?<!s)s$/, ''))
}

export class VoiceMenu {
  readonly #byId: ReadonlyMap<string, MenuEntry>
  readonly #names: readonly MenuName[]
  readonly #search: Readonly<Record<MenuEntry['kind'], MiniSearch>>

  constructor(entries: readonly MenuEntry[]) {
    this.#byId = new Map(entries.map((entry) => [entry.umsId, entry]))
    this.#names = entries
      .flatMap((entry) => namesOf(entry.name).map((name) => ({ stems: wordsOf(name).map(stem), entry })))
      .filter(({ stems }) => stems.length > 0)
      .sort((one, other) => other.stems.length - one.stems.length)
    const ofKind = (kind: MenuEntry['kind']) => searchOf(entries.filter((entry) => entry.kind === kind))
    this.#search = { item: ofKind('item'), modifier: ofKind('modifier') }
  }

  get entries(): Iterable<MenuEntry> {
    return this.#byId.values()
  }

  /** Names in stems, the longest first. */
  get names(): readonly MenuName[] {
    return this.#names
  }

  entry(umsId: string): MenuEntry | undefined {
    return this.#byId.get(umsId)
  }

  /** Of one piece as it is sold, with its modifiers. Null: something is unknown, is no item, or has no price. */
  priceOf(umsId: string, modifiers: readonly string[]): number | null {
    const item = this.#byId.get(umsId)
    if (item?.kind !== 'item' || item.priceCents === null) return null
    let cents = item.priceCents
    for (const id of modifiers) {
      const modifier = this.#byId.get(id)
      if (modifier?.kind !== 'modifier') return null
      cents += modifier.priceCents ?? 0
    }
    return cents
  }

  /** What these words name. Null: nothing has at least half of them. */
  find(words: readonly string[], kind: MenuEntry['kind'], among?: ReadonlySet<string>): Heard | null {
    const asked = [...new Set(words.map(stem))]
    if (asked.length === 0) return null
    const found = this.#search[kind]
      .search(asked.join(' '), { filter: ({ id }) => among?.has(id as string) ?? true })
      .flatMap(({ id, queryTerms }) => {
        const entry = this.#byId.get(id as string)
        return entry === undefined ? [] : [{ entry, ...closeness(entry, asked, new Set(queryTerms).size) }]
      })
      .filter(({ covered }) => covered >= LEAST_COVERED)
      .sort((one, other) => other.covered - one.covered || other.exact - one.exact || other.whole - one.whole)
    const [best] = found
    if (best === undefined) return null
    const equal = found.filter(
      ({ covered, exact, whole }) => covered === best.covered && exact === best.exact && whole === best.whole,
    )
    const { entry, covered, exact, share } = best
    return { entry, candidates: equal.map((one) => one.entry), covered, exact, share }
  }

  hints(): string[] {
    return [...this.#byId.values()]
      .filter(({ kind }) => kind === 'item')
      .map(({ name }) => name)
      .slice(0, MOST_HINTS)
  }
}

/** `whole`: the words are the whole name. */
function closeness(entry: MenuEntry, asked: readonly string[], matched: number) {
  const name = new Set(wordsOf(entry.name).map(stem))
  const exact = asked.filter((word) => name.has(word)).length / asked.length
  const whole = exact === 1 && name.size === asked.length ? 1 : 0
  return { covered: matched / asked.length, exact, whole, share: matched / Math.max(1, name.size) }
}

function namesOf(name: string): string[] {
  const inside = [...name.matchAll(/\(([^)]*)\)/g)].map((match) => match[1] ?? '').filter((part) => /\p{L}/u.test(part))
  return [...new Set([name, name.replaceAll(/\([^)]*\)/g, ' '), ...inside])]
}

function searchOf(entries: readonly MenuEntry[]): MiniSearch {
  const search = new MiniSearch({
    fields: ['name'],
    idField: 'umsId',
    tokenize: wordsOf,
    processTerm: stem,
    searchOptions: { combineWith: 'OR', fuzzy: (term) => (term.length > 3 ? 0.25 : false) },
  })
  search.addAll(entries.map(({ umsId, name }) => ({ umsId, name })))
  return search
}

/** Menus of merchants as they are now; the search of one is made again when it has changed. */
export class VoiceMenus {
  readonly #catalog: Pick<CatalogStore, 'menu'>
  readonly #kept = new KeptValues<VoiceMenu>(MOST_KEPT)

  constructor(catalog: Pick<CatalogStore, 'menu'>) {
    this.#catalog = catalog
  }

  async of(merchantKey: MerchantKey): Promise<VoiceMenu> {
    const rows = await this.#catalog.menu(merchantKey, MOST_ITEMS)
    return this.#kept.of(merchantKey, JSON.stringify(rows), () => new VoiceMenu(rows.map(entryOf)))
  }

  /** As it was at the last order that was taken: enough for what a recognition is to expect. It is read when none was taken yet. */
  async lately(merchantKey: MerchantKey): Promise<VoiceMenu> {
    return this.#kept.last(merchantKey) ?? this.of(merchantKey)
  }
}

const sayable = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()

function entryOf(row: MenuRow): MenuEntry {
  return {
    umsId: row.ums_id,
    name: sayable(row.name),
    kind: row.kind,
    category: row.category === null ? null : sayable(row.category),
    priceCents: row.price_cents,
    isSilenced: row.silenced_at !== null || row.stock === 0,
    stock: row.stock,
  }
}
