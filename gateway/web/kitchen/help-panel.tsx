// The help: every key of a keyboard or bump bar, and what the marks of a ticket mean.
import { useWords } from './messages/words.tsx'
import './panels.css'

export function HelpPanel({ onClose }: { onClose: () => void }) {
  const { m } = useWords()
  return (
    <section className="panel" aria-label={m.help}>
      <div className="panel-head">
        <h2>{m.help}</h2>
        <button type="button" className="side" onClick={onClose}>
          {m.close}
        </button>
      </div>
      <Table title={m.keysTitle} rows={m.keys} />
      <Table title={m.marksTitle} rows={m.marks} />
    </section>
  )
}

function Table({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl className="help">
        {rows.map(([mark, meaning]) => (
          <div key={mark}>
            <dt>
              <bdi>{mark}</bdi>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
