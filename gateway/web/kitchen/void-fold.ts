// An order that was called off stands folded: how much was called off, the first of it, and its button; nobody makes the rest. Pure.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { TicketBlock } from './ticket-blocks.ts'

/** Lines of a folded ticket, each without what belongs to it. */
export const FOLDED_LINES = 4
/** With no more than this below its banners a ticket stands whole: folded it would be hardly less tall. */
const MOST_WHOLE = 8

/** @param blocks of the whole ticket @param isOpen somebody wants to read all of it @returns the same blocks when there is nothing to fold */
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
  // Where all lines stand there is nothing to count.
  const counted = more === 0 ? blocks : blocks.map((block) => withCount(block, lines.length))
  if (isOpen) {
    // At the same place as in the folded ticket: behind the first lines.
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

/** @returns the place behind the line at this place and what belongs to it */
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
