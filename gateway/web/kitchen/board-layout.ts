// Lays tickets out on the board: measured blocks fill a column, then the next column, then the next page. Pure.

/**
 * `head` and `banner` open a ticket, `more` belongs to the line before it, `tail` and `foot` close it. A course heading stays with its
 * first line, the head with the first line of the ticket, the foot with the last line.
 */
export type BlockKind = 'head' | 'banner' | 'course' | 'line' | 'more' | 'tail' | 'foot'

export interface SizedBlock {
  kind: BlockKind
  /** Whole CSS pixels. */
  heightPx: number
}

export interface SizedTicket {
  id: string
  blocks: readonly SizedBlock[]
}

/** All lengths are integers in CSS pixels. */
export interface Grid {
  /** Columns per page, at least 1. */
  columns: number
  heightPx: number
  /** Between the tickets of a column. */
  gapPx: number
  /** Height of the frame of each part, without its blocks. */
  framePx: number
  /** The small head of each part except the first. */
  nextHeadPx: number
  /** The buttons in the first part of a split ticket. */
  smallFootPx: number
}

/** A ticket, or the part of it in one column. */
export interface Part {
  id: string
  /** Index range of its blocks: from this one up to, but not including, `to`. */
  from: number
  to: number
  /** Part n of `of`, from 1. */
  n: number
  of: number
  /** Both from 0. */
  page: number
  column: number
  topPx: number
  heightPx: number
}

export interface Layout {
  /** In reading order. */
  parts: readonly Part[]
  /** At least 1. */
  pages: number
}

/** The next free place. Columns are counted through all pages. */
interface Place {
  column: number
  /** Used height from the top; 0: the column is empty. */
  usedPx: number
}

/** Blocks that stay together. */
interface Atom {
  to: number
  heightPx: number
}

/** Lays out the whole board. Appending a ticket moves no other one, and the same tickets on the same grid give the same layout. */
export function layOut(tickets: readonly SizedTicket[], grid: Grid): Layout {
  const parts: Part[] = []
  let place: Place = { column: 0, usedPx: 0 }
  for (const ticket of tickets) place = layTicket(ticket, place, { grid, parts })
  const last = parts[parts.length - 1]
  return { parts, pages: last === undefined ? 1 : last.page + 1 }
}

/** Ids of the tickets of each page, in reading order. A split ticket is on each page that has a part of it. */
export function idsByPage({ parts, pages }: Layout): string[][] {
  const ids = Array.from({ length: pages }, () => new Set<string>())
  for (const { id, page } of parts) ids[page]?.add(id)
  return ids.map((page) => [...page])
}

/** Maximum height of a block: taller ones exceed their column. */
export function roomPx({ heightPx, framePx, nextHeadPx, smallFootPx }: Grid): number {
  return heightPx - framePx - Math.max(nextHeadPx, smallFootPx)
}

function layTicket(ticket: SizedTicket, free: Place, board: { grid: Grid; parts: Part[] }): Place {
  const { grid, parts } = board
  const { blocks, id } = ticket
  const wholePx = grid.framePx + heightOf(blocks, 0, blocks.length)
  const atoms = atomsOf(blocks, grid)
  const place = startOf(free, atoms[0]?.heightPx ?? 0, { wholePx, grid })
  const mine: Part[] = []
  const add = (
    from: number,
    to: number,
    { place: { column, usedPx }, heightPx }: { place: Place; heightPx: number },
  ): void => {
    const page = Math.floor(column / grid.columns)
    const where = { page, column: column % grid.columns, topPx: usedPx, heightPx }
    mine.push({ id, from, to, n: mine.length + 1, of: 0, ...where })
  }
  if (place.usedPx + wholePx <= grid.heightPx) {
    add(0, blocks.length, { place, heightPx: wholePx })
    parts.push({ ...(mine[0] as Part), of: 1 })
    return { column: place.column, usedPx: place.usedPx + wholePx }
  }
  let end = place
  let from = 0
  for (let next = 0; next < atoms.length; ) {
    const ownPx = grid.framePx + (from === 0 ? grid.smallFootPx : grid.nextHeadPx)
    let heightPx = ownPx
    let to = from
    for (let atom = atoms[next]; atom; atom = atoms[++next]) {
      // An empty column takes a block that is too tall for any.
      if (end.usedPx + heightPx + atom.heightPx > grid.heightPx && to > from) break
      heightPx += atom.heightPx
      to = atom.to
    }
    add(from, to, { place: end, heightPx })
    from = to
    end = { column: end.column + 1, usedPx: 0 }
  }
  for (const part of mine) parts.push({ ...part, of: mine.length })
  const last = mine[mine.length - 1]
  return { column: end.column - 1, usedPx: (last?.topPx ?? 0) + (last?.heightPx ?? 0) }
}

/**
 * Below the previous ticket if the whole ticket fits, or its beginning with the buttons of a split one; otherwise the top of the next
 * column.
 */
function startOf(
  { column, usedPx }: Place,
  firstPx: number,
  { wholePx, grid }: { wholePx: number; grid: Grid },
): Place {
  if (usedPx === 0) return { column, usedPx }
  const below = usedPx + grid.gapPx
  const leastPx = Math.min(wholePx, grid.framePx + firstPx + grid.smallFootPx)
  return below + leastPx <= grid.heightPx ? { column, usedPx: below } : { column: column + 1, usedPx: 0 }
}

/**
 * Splits a ticket into atoms. A line taller than half a column may break anywhere; atoms that no column holds break between their lines.
 */
function atomsOf(blocks: readonly SizedBlock[], grid: Grid): Atom[] {
  const room = roomPx(grid)
  const isTall = tallLines(blocks, grid.heightPx / 2)
  const atoms: Atom[] = []
  let from = 0
  const add = (to: number): void => {
    atoms.push({ to, heightPx: heightOf(blocks, from, to) })
    from = to
  }
  for (let start = 0; start < blocks.length; ) {
    let end = start + 1
    while (end < blocks.length && (isWithinLine(blocks, end, isTall) || isTied(blocks, end))) end++
    if (heightOf(blocks, start, end) > room)
      for (let inner = start + 1; inner < end; inner++) if (!isWithinLine(blocks, inner, isTall)) add(inner)
    add(end)
    start = end
  }
  return atoms
}

/** True if a break before this block would split a line. */
function isWithinLine(blocks: readonly SizedBlock[], at: number, isTall: readonly boolean[]): boolean {
  return blocks[at]?.kind === 'more' && !isTall[at]
}

/** True if a break before this block would separate a heading from its lines, or the buttons from all lines. */
function isTied(blocks: readonly SizedBlock[], at: number): boolean {
  const before = blocks[at - 1]?.kind
  const after = blocks[at]?.kind
  return before === 'head' || before === 'banner' || before === 'course' || after === 'tail' || after === 'foot'
}

/** For each block, whether its line is taller than `mostPx`. */
function tallLines(blocks: readonly SizedBlock[], mostPx: number): boolean[] {
  const isTall = blocks.map(() => false)
  for (let from = 0; from < blocks.length; from++) {
    if (blocks[from]?.kind !== 'line') continue
    let to = from + 1
    while (blocks[to]?.kind === 'more') to++
    if (heightOf(blocks, from, to) > mostPx) isTall.fill(true, from, to)
  }
  return isTall
}

function heightOf(blocks: readonly SizedBlock[], from: number, to: number): number {
  let sum = 0
  for (let each = from; each < to; each++) sum += blocks[each]?.heightPx ?? 0
  return sum
}
