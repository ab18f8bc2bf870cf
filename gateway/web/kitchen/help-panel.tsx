// The help: all keys of a keyboard or bump bar, and the meaning of the marks on a ticket.
import { Drawer } from './drawer.tsx'
import { useWords } from './messages/words.tsx'

export function HelpPanel({ isByKey, onClose }: { isByKey: boolean; onClose: () => void }) {
  const { m } = useWords()
  return (
    <Drawer name="help" isByKey={isByKey} onClose={onClose}>
      <Table title={m.keysTitle} rows={m.keys} />
      <Table title={m.drawerKeysTitle} rows={m.drawerKeys} />
      <Table title={m.marksTitle} rows={m.marks} />
    </Drawer>
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
