// The strip below the board: pages with the number of orders and of late ones, and the undo button.
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'

/* The browser mirrors ‹ and › in right-to-left text. */

/** Numbers of page buttons, by the width of the screen: bar.css hides the classes of wider ones. */
const SPANS = [
  [3, ''],
  [5, 'far'],
  [7, 'farther'],
  [11, 'farthest'],
] as const
const MOST_BUTTONS = 11

interface PageStripProps {
  model: KitchenModel
  snapshot: Snapshot
  late: ReadonlySet<string>
}

export function PageStrip({ model, snapshot, late }: PageStripProps) {
  const { m, number } = useWords()
  const { pages } = snapshot
  const count = Math.max(1, pages.length)
  const page = Math.min(snapshot.page, count - 1)
  const of = fill(m.pageOf, { n: number(page + 1), of: number(count) })
  return (
    <footer className="strip">
      <nav className="pages" aria-label={m.pages}>
        <button
          type="button"
          className="side turn"
          aria-label={m.previousPage}
          disabled={page === 0}
          onClick={() => model.turnPage(-1)}
        >
          <span aria-hidden="true" className="arrow">
            ‹
          </span>
        </button>
        <span className="page-of" role="status">
          {of}
        </span>
        {count > 1 && <PageButtons model={model} pages={pages} late={late} page={page} />}
        <button
          type="button"
          className="side turn"
          aria-label={m.nextPage}
          disabled={page === count - 1}
          onClick={() => model.turnPage(1)}
        >
          <span aria-hidden="true" className="arrow">
            ›
          </span>
        </button>
      </nav>
      <UndoBar model={model} snapshot={snapshot} />
    </footer>
  )
}

function PageButtons({
  model,
  pages,
  late,
  page,
}: Omit<PageStripProps, 'snapshot'> & Pick<Snapshot, 'pages' | 'page'>) {
  const { m, number } = useWords()
  const first = firstOf(MOST_BUTTONS, page, pages.length)
  return (
    <ol className="page-list">
      {pages.slice(first, first + MOST_BUTTONS).map((ids, at) => {
        const place = first + at
        const lateHere = ids.filter((id) => late.has(id)).length
        const words = { n: number(place + 1), orders: number(ids.length), late: number(lateHere) }
        return (
          <li key={place} className={spanOf(place, page, pages.length)}>
            <button
              type="button"
              className="side page-button"
              aria-current={place === page ? 'page' : undefined}
              onClick={() => model.turnPage(place - page)}
            >
              <span className="hidden">{fill(m.pageNamed, words)}</span>
              <span aria-hidden="true">
                <b>{words.n}</b>
                <span className="page-count">{words.orders}</span>
                {lateHere > 0 && <span className="late-dot">{words.late}</span>}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** @returns the first of `most` pages around the current one, shifted at both ends so that there are `most` */
function firstOf(most: number, page: number, count: number): number {
  return Math.max(0, Math.min(page - (most - 1) / 2, count - most))
}

/** @returns the class of the smallest span that contains the page */
function spanOf(place: number, page: number, count: number): string {
  const span = SPANS.find(([most]) => {
    const first = firstOf(most, page, count)
    return place >= first && place < first + most
  })
  return span?.[1] ?? 'farthest'
}

function UndoBar({ model, snapshot: { undo } }: Pick<PageStripProps, 'model' | 'snapshot'>) {
  const { m } = useWords()
  return (
    <div className="undo" role="status">
      {undo && (
        <>
          <span>
            <bdi>{fill(m.undoKinds[undo.kind], { number: undo.number })}</bdi>
          </span>
          <button type="button" className="main" onClick={() => model.undo(undo.id)}>
            {m.undo}
          </button>
        </>
      )}
    </div>
  )
}
