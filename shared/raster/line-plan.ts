// Splits a line of a ticket into pieces to draw, with their positions. Pure, except for the lookup of fonts.
import { graphemes, isEmoji, isWide } from '#shared/tickets/display-width.ts'
import { textPictureDots } from '#shared/tickets/line-height.ts'
import { lineHeight, lineWidth, type TicketRun } from '#shared/tickets/line-layout.ts'
import type { RasterRequest } from '#shared/tickets/text-raster.ts'
import { hasRightToLeft, type Placed, visualOrder } from './bidi-order.ts'
import type { Found } from './font-library.ts'
import { type DrawnPiece, type Piece, rightOf } from './piece.ts'

/** A piece, or the space between two pieces. */
export interface Item {
  piece: Piece | null
  /** Width in dots. Null: the width of the drawn piece. */
  widthDots: number | null
}

export interface RunPlan {
  items: readonly Item[]
  xDots: number
  widthDots: number
  heightDots: number
  underline: boolean
  alarm: boolean
}

export interface LinePlan {
  widthDots: number
  heightDots: number
  runs: readonly RunPlan[]
}

export type FaceOf = (grapheme: string, isEmoji: boolean) => Found | Promise<Found>

// After a letter that it draws with several signs side by side, the engine places the next letter too far left. So these scripts are drawn
// letter by letter. Their letters are not joined, except by a line above them.
const SYLLABIC = new RegExp(
  `[${['Thai', 'Lao', 'Tibt', 'Mymr', 'Khmr', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Java', 'Bali', 'Sund', 'Cham', 'Lana', 'Mtei', 'Tale', 'Talu'].map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
)
/** Scripts whose letters are joined by a line: there is no space between them. */
const ON_A_LINE = /[\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}]/u

/** Squeeze factors are rounded to steps, so that drawn pieces can be reused. */
const SQUEEZE_STEPS = 32

/** Plans one line. Each run begins in its column, whatever the width of the drawn text before it. */
export async function planLine({ line, dots, cell }: RasterRequest, faceOf: FaceOf): Promise<LinePlan> {
  const unit = textPictureDots(cell.heightDots)
  const width = lineWidth(line) * cell.widthDots
  const left = line.align === 'left' ? 0 : line.align === 'right' ? dots - width : Math.floor((dots - width) / 2)
  let xDots = Math.max(0, left)
  const runs: RunPlan[] = []
  for (const run of line.runs) {
    const columnDots = cell.widthDots * (run.widthScale ?? 1)
    const heightDots = unit * (run.heightScale ?? 1)
    const items = await itemsOf(run, { columnDots, heightDots, faceOf })
    const columns = lineWidth({ align: 'left', runs: [run] })
    const widthDots = columns * cell.widthDots
    const { underline = false, alarm = false } = run
    runs.push({ items, xDots, widthDots, heightDots, underline, alarm })
    xDots += widthDots
  }
  return { widthDots: dots, heightDots: unit * lineHeight(line), runs }
}

async function itemsOf(
  run: TicketRun,
  { columnDots, heightDots, faceOf }: { columnDots: number; heightDots: number; faceOf: FaceOf },
): Promise<Item[]> {
  const parts = graphemes(run.text)
  const order: Placed[] = hasRightToLeft(run.text)
    ? visualOrder(
        parts.map(({ text }) => text),
        run.isRightToLeft === true,
      )
    : parts.map((_, index) => ({ index, isRightToLeft: false }))
  const items: Item[] = []
  let word: Piece | null = null
  for (const { index, isRightToLeft } of order) {
    const { text, width } = parts[index] ?? { text: '', width: 0 }
    if (text === ' ' || text === '') {
      items.push({ piece: null, widthDots: width * columnDots })
      word = null
      continue
    }
    const emoji = width === 2 && isEmoji(text)
    const { face } = await faceOf(text, emoji)
    const { id, family, isMonospaced } = face
    const kind = emoji
      ? 'emoji'
      : isMonospaced && width === 1
        ? 'cell'
        : isWide(text) && !isRightToLeft
          ? 'wide'
          : 'free'
    const isWord = kind === 'free' && !SYLLABIC.test(text)
    if (isWord && word !== null && word.face === id && word.isRightToLeft === isRightToLeft) {
      word.text = isRightToLeft ? text + word.text : word.text + text
      word.columns += width
      continue
    }
    const piece: Piece = {
      text,
      face: id,
      family,
      kind,
      size: face.text,
      isRightToLeft,
      columns: width,
      bold: run.bold ?? false,
      columnDots,
      lineDots: heightDots,
      squeeze: 1,
    }
    items.push({ piece, widthDots: kind === 'free' ? null : width * columnDots })
    word = isWord ? piece : null
  }
  return items
}

/** The plan with too wide pieces squeezed. `naturalWidth`: the width of a piece without squeeze. */
export function fittedPlan(plan: LinePlan, naturalWidth: (piece: Piece) => number): LinePlan {
  return { ...plan, runs: plan.runs.map((run) => ({ ...run, items: fittedItems(run, naturalWidth) })) }
}

function fittedItems({ items, widthDots }: RunPlan, naturalWidth: (piece: Piece) => number): Item[] {
  const fixed = items.reduce((sum, item) => sum + (item.widthDots ?? 0), 0)
  const free = items.flatMap(({ piece, widthDots: own }) => (own === null && piece !== null ? [piece] : []))
  const squeezeOf = squeezeEach(widthDots - fixed, free, naturalWidth)
  return items.map((item) => {
    const { piece } = item
    if (piece === null) return item
    const own = item.widthDots === null ? squeezeOf(piece) : squeezeToPlace(piece, item.widthDots, naturalWidth(piece))
    return own === 1 ? item : { ...item, piece: { ...piece, squeeze: own } }
  })
}

/** Letters squeezed to this factor are still readable: if no more is needed, the line is squeezed evenly. */
const EVEN_SQUEEZE = 0.75

/**
 * The squeeze factor of each free piece of a run. Beyond EVEN_SQUEEZE, only pieces that are far too wide for their columns are squeezed:
 * one sign must not make the words beside it unreadable.
 */
function squeezeEach(
  room: number,
  pieces: readonly Piece[],
  naturalWidth: (piece: Piece) => number,
): (piece: Piece) => number {
  const even = squeezeTo(
    room,
    pieces.reduce((sum, piece) => sum + naturalWidth(piece), 0),
  )
  if (even >= EVEN_SQUEEZE) return () => even
  const place = ({ columns, columnDots }: Piece): number => Math.max(1, columns * columnDots)
  const ratio = (piece: Piece): number => naturalWidth(piece) / place(piece)
  let [roomLeft, placeLeft] = [room, pieces.reduce((sum, piece) => sum + place(piece), 0)]
  // Pieces that are narrow for their columns first: the space that they leave is for the others.
  for (const piece of pieces.toSorted((a, b) => ratio(a) - ratio(b))) {
    const share = Math.max(0, roomLeft / placeLeft)
    if (ratio(piece) > share) return (each) => squeezeTo(place(each) * share, naturalWidth(each))
    roomLeft -= naturalWidth(piece)
    placeLeft -= place(piece)
  }
  return () => 1
}

/** Letters of monospaced fonts may exceed their columns slightly; some of their signs are two columns wide. */
const LEANING = 1.3

function squeezeToPlace({ kind }: Piece, room: number, natural: number): number {
  return kind === 'cell' && natural <= room * LEANING ? 1 : squeezeTo(room, natural)
}

function squeezeTo(room: number, natural: number): number {
  if (natural <= room) return 1
  return Math.max(1, Math.floor((room / natural) * SQUEEZE_STEPS)) / SQUEEZE_STEPS
}

/** Width of a free piece in dots: its ink, and one dot before the next piece. */
export function advanceOf({ text }: Piece, drawn: DrawnPiece): number {
  return Math.max(0, rightOf(drawn) + (ON_A_LINE.test(text) ? 0 : 1))
}
