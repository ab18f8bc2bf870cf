// Renders the blocks of a ticket: warnings, course headings, lines with modifiers and notes, progress of the stations.
import { listed } from '#shared/ui/isolation.ts'
import { isHeldLine, isLineDone } from './board-view.ts'
import { fill, useWords } from './messages/words.tsx'
import type { BlockContent, TicketBlock } from './ticket-blocks.ts'
import type { TicketActs } from './ticket-buttons.tsx'

type Of<Is extends BlockContent['is']> = Extract<BlockContent, { is: Is }>
type LineContent = Of<'line' | 'modifier' | 'line-note' | 'line-allergy'>

/** Blocks one below the other; those of a line are one button. */
export function Blocks({ blocks, acts }: { blocks: readonly TicketBlock[]; acts: TicketActs }) {
  return runsOf(blocks).map((run) => {
    const [first] = run
    if (!first) return null
    if (isOfLine(first.content)) return <Line key={`line ${first.content.place}`} contents={run} acts={acts} />
    // The button that opens and closes stays the same element.
    const key = first.content.is === 'fold' ? 'fold' : first.key
    return <Alone key={key} content={first.content} acts={acts} />
  })
}

/** Lines in a row are one list. */
function runsOf(blocks: readonly TicketBlock[]): TicketBlock[][] {
  const runs: TicketBlock[][] = []
  for (const block of blocks) {
    const last = runs[runs.length - 1]
    const [first] = last ?? []
    const isSame =
      first && isOfLine(first.content) && isOfLine(block.content) && first.content.place === block.content.place
    if (last && isSame) last.push(block)
    else runs.push([block])
  }
  return runs
}

function isOfLine(content: BlockContent): content is LineContent {
  return 'place' in content
}

function Alone({ content, acts }: { content: BlockContent; acts: TicketActs }) {
  switch (content.is) {
    case 'banner':
      return <Banner content={content} />
    case 'order-allergy':
      return <Allergy content={content} />
    case 'order-note':
      return (
        <p className="order-note">
          <Quoted {...content} />
        </p>
      )
    case 'course':
      return <Course content={content} acts={acts} />
    case 'stations':
      return <Stations content={content} />
    case 'fold':
      return <Fold content={content} acts={acts} />
    default:
      return null
  }
}

function Banner({ content: { tone, word, text, lines } }: { content: Of<'banner'> }) {
  const { m, number } = useWords()
  return (
    <p className={`strap strap-${tone}`}>
      <strong>
        <bdi>{lines === undefined ? fill(m[word], { number: text }) : fill(m.voidedLines, { n: number(lines) })}</bdi>
      </strong>
      {word === 'voided' && text !== '' && (
        <span className="reason">
          {m.voidReason + m.colon}
          <bdi>{text}</bdi>
        </span>
      )}
    </p>
  )
}

function Allergy({ content: { words, dishes } }: { content: Of<'order-allergy'> }) {
  const { m, number } = useWords()
  return (
    <p className="strap allergy">
      <strong>
        ⚠ {m.allergy + m.colon}
        <bdi>{words}</bdi>
        {dishes.map(({ item, seat }) => (
          <span key={`${seat} ${item}`} className="allergy-of">
            <bdi>{item}</bdi>
            {seat !== null && ` ${fill(m.seat, { n: number(seat) })}`}
          </span>
        ))}
      </strong>
    </p>
  )
}

function Quoted({ text, opens, closes }: { text: string; opens: boolean; closes: boolean }) {
  const [open, close] = useWords().m.quotes
  return (
    <>
      {opens && open}
      <bdi>{text}</bdi>
      {closes && close}
    </>
  )
}

function Course({ content: { course, isHeld }, acts }: { content: Of<'course'>; acts: TicketActs }) {
  const { m, number } = useWords()
  const name = fill(m.course, { n: number(course) })
  const isArmed = acts.armed === `fire ${course}`
  return (
    <div className={isHeld ? 'course-head course-held' : 'course-head'}>
      <h3>
        {name}
        {isHeld && ` · ${m.hold}`}
      </h3>
      {isHeld && (
        <button
          type="button"
          className={isArmed ? 'side fire armed' : 'side fire'}
          aria-label={`${isArmed ? m.fireAgain : m.fire}: ${name}`}
          onClick={() => acts.fire(course)}
        >
          {isArmed ? m.fireAgain : m.fire}
        </button>
      )}
    </div>
  )
}

/** A press marks it as made. The whole line is the button, for fingers that are wet and in a hurry. */
function Line({ contents, acts }: { contents: readonly TicketBlock[]; acts: TicketActs }) {
  const { order } = acts
  const [first] = contents
  const place = first && isOfLine(first.content) ? first.content.place : 0
  const line = order.lines[place]
  const isVoid = order.voidedAtMs !== null
  const isHeld = !isVoid && line !== undefined && isHeldLine(line, order)
  const isDone = line !== undefined && isLineDone(line, place, order) && !isHeld
  const pieces = contents.map(({ content, key }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: two pieces of a line may have the same text
    return isOfLine(content) && <Piece key={`${index} ${key}`} content={content} />
  })
  const className = `line${isDone ? ' done' : ''}${isVoid ? ' struck' : ''}${isHeld ? ' held' : ''}`
  return (
    <div className={className}>
      {isVoid || isHeld ? (
        pieces
      ) : (
        <button type="button" className="strike" aria-pressed={isDone} onClick={() => acts.strike(place)}>
          {pieces}
        </button>
      )}
    </div>
  )
}

function Piece({ content }: { content: LineContent }) {
  const { m, number } = useWords()
  const last = 'isLast' in content && content.isLast ? ' last' : ''
  switch (content.is) {
    case 'line':
      return (
        <span className={content.isAlone ? 'item alone' : 'item'}>
          <span className={content.line.qty > 1 ? 'qty many' : 'qty'}>{number(content.line.qty)}</span>{' '}
          <span className="name">
            <bdi>{content.line.name}</bdi>
            {content.line.seat !== null && (
              <>
                {' '}
                <span className="seat">{fill(m.seat, { n: number(content.line.seat) })}</span>
              </>
            )}
            {content.nobodys !== null && (
              <span className="nobodys">{fill(m.nobodysStation, { station: content.nobodys })}</span>
            )}
          </span>
        </span>
      )
    case 'modifier':
      return (
        <span className={`modifier modifier-${content.does}${last}`}>
          <span className="sign">{content.sign}</span> <bdi>{content.words}</bdi>
        </span>
      )
    case 'line-note':
      return (
        <span className={`note${last}`}>
          <Quoted {...content} />
        </span>
      )
    case 'line-allergy':
      return (
        <span className={`line-allergy${last}`}>
          <strong className="allergy">
            ⚠ {m.allergy}
            {content.words.length > 0 && m.colon}
            <bdi>{listed(content.words, m.comma)}</bdi>
          </strong>
        </span>
      )
  }
}

/** Shows the rest of a voided order's lines, and hides them again. */
function Fold({ content: { more, isOpen }, acts }: { content: Of<'fold'>; acts: TicketActs }) {
  const { m, number } = useWords()
  const words = more > 0 ? fill(m.foldMore, { n: number(more) }) : m.foldAll
  return (
    <button
      type="button"
      className="fold"
      aria-expanded={isOpen}
      onClick={({ detail }) => acts.fold(acts.order.orderId, detail === 0)}
    >
      {isOpen ? m.foldLess : words}
    </button>
  )
}

function Stations({ content: { stations, isAll } }: { content: Of<'stations'> }) {
  const { m, number } = useWords()
  return (
    <p className="stations">
      {!isAll && <span>{m.alsoAt + m.colon}</span>}
      {stations.map(({ key, name, done, lines, isReady, isStarted }) => (
        <span key={key} className={isReady ? 'station station-ready' : 'station'}>
          <span aria-hidden="true">{isReady ? '✓' : isStarted ? '◐' : '○'} </span>
          <bdi>{name || m.kitchen}</bdi>{' '}
          {fill(isAll ? '{done}/{lines}' : m.doneOf, { done: number(done), lines: number(lines) })}
        </span>
      ))}
    </p>
  )
}
