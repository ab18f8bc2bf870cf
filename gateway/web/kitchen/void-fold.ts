// Folds a voided order, which nobody makes any more: how much was voided, the first lines, and its button. Pure.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { TicketBlock } from './ticket-blocks.ts'

/** Lines of a folded ticket, each without its modifiers and notes. */
export const FOLDED_LINES = 4
/** With at most this many blocks below its banners a ticket is not folded: folded it would hardly be shorter. */
const MOST_WHOLE = 8

/** @param blocks of the whole ticket @param isOpen true if somebody opened it @returns the same blocks if there is nothing to fold */
export function withFold(
  blocks: readonly TicketBlock[],
  { voidedAtMs }: Pick<BoardOrder, 'voidedAtMs'>,
  isOpen: boolean,
): readonly TicketBlock[] {
  if (voidedAtMs === null || blocks.filter(isBody).length <= MOST_WHOLE) return blocks
  const lines = blocks.filter(({ content }) => content.is === 'line')
  const more = Math.max(0, lines.length - FOLDED_LINES)
  const toggle: TicketBlock = {
    kind: 'tail',
    key: JSON.stringify(['fold', more, isOpen]),
    content: { is: 'fold', more, isOpen },
  }
  // If all lines are shown, there is nothing to count.
  const counted = more === 0 ? blocks : blocks.map((block) => withCount(block, lines.length))
  if (isOpen) {
    // At the same place as in the folded ticket: after the first lines.
    const last = lines[FOLDED_LINES - 1] ?? lines[lines.length - 1]
    const place = last ? endOfLine(blocks, blocks.indexOf(last)) : blocks.length - 1
    return [...counted.slice(0, place), toggle, ...counted.slice(place)]
  }
  const foot = counted.filter(({ kind }) => kind === 'foot')
  const top = counted.filter((block) => !isBody(block) && block.kind !== 'foot')
  return [...top, ...lines.slice(0, FOLDED_LINES).map(bare), toggle, ...foot]
}

function isBody({ kind, content }: TicketBlock): boolean {
  return kind !== 'head' && kind !== 'foot' && content.is !== 'banner'
}

/** @returns the index after the line at `at` and its modifiers and notes */
function endOfLine(blocks: readonly TicketBlock[], at: number): number {
  let end = at + 1
  while (blocks[end]?.kind === 'more') end++
  return end
}

function withCount(block: TicketBlock, lines: number): TicketBlock {
  const { content } = block
  if (content.is !== 'banner' || content.word !== 'voided') return block
  return { ...block, key: JSON.stringify([block.key, lines]), content: { ...content, lines } }
}

function bare(block: TicketBlock): TicketBlock {
  const { content } = block
  if (content.is !== 'line' || content.isAlone) return block
  return { ...block, key: JSON.stringify([block.key, 'bare']), content: { ...content, isAlone: true } }
}
