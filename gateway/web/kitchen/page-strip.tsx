// The strip below the board: which page is seen, how many orders each has and how many of them are late; and what can be undone.
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'

/* The browser turns ‹ and › around by itself where one reads from the right. */

/** So many pages beside the one that is seen have buttons; smaller screens have fewer of them. */
const MOST_BESIDE = 5
const FEW_BESIDE = 2

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
  const first = Math.max(0, Math.min(page - MOST_BESIDE, pages.length - 2 * MOST_BESIDE - 1))
  return (
    <ol className="page-list">
      {pages.slice(first, first + 2 * MOST_BESIDE + 1).map((ids, at) => {
        const place = first + at
        const lateHere = ids.filter((id) => late.has(id)).length
        const words = { n: number(place + 1), orders: number(ids.length), late: number(lateHere) }
        return (
          <li key={place} className={Math.abs(place - page) > FEW_BESIDE ? 'far' : undefined}>
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
