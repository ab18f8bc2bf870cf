// The bar above the board: who this screen is, whether it is connected, what waits, what is wrong with the printers.
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { printerHint } from './messages/printer-hint.ts'
import { fill, useWords } from './messages/words.tsx'
import { PANELS, type PanelName } from './panel-names.ts'

interface TopBarProps {
  model: KitchenModel
  snapshot: Snapshot
  panel: PanelName | null
  onPanel: (name: PanelName) => void
}

export function TopBar({ model, snapshot, panel, onPanel }: TopBarProps) {
  const { m, number } = useWords()
  const { hello, link, waitingTaps, views, isOnShift } = snapshot
  const counts = { allDay: null, scheduled: views.scheduled.length, recall: null, settings: null }
  return (
    <header className="top">
      <h1>
        {hello?.display.name} <span className="chip">{number(views.open.length)}</span>
      </h1>
      <div className="chips" role="status">
        <span className={`chip link-${link}`}>{link === 'live' ? m.connected : m.connecting}</span>
        {waitingTaps > 0 && <span className="chip chip-waiting">{m.tapsWait(number(waitingTaps))}</span>}
      </div>
      <nav className="panels">
        {isOnShift && !model.sounds.isOn && (
          <button type="button" className="side chip-waiting" onClick={() => model.startShift()}>
            {m.soundOff}
          </button>
        )}
        {PANELS.map((name) => (
          <button type="button" key={name} className="side" aria-pressed={panel === name} onClick={() => onPanel(name)}>
            {m[name]}
            {counts[name] ? ` ${number(counts[name])}` : ''}
          </button>
        ))}
      </nav>
    </header>
  )
}

/** What somebody must know before the next order. */
export function Banners({ snapshot }: { snapshot: Snapshot }) {
  const { m, time } = useWords()
  const { link, heardAtMs, printers, refused } = snapshot
  const faults = printers.filter(({ state, hint }) => state === 'offline' || hint !== '')
  return (
    <div className="banners" role="alert">
      {link === 'silent' && <p className="banner banner-red">{fill(m.notConnected, { time: time(heardAtMs) })}</p>}
      {faults.map((printer) => (
        <p key={printer.printerId} className="banner banner-yellow">
          {fill(m.printerFault, { name: printer.name, hint: printerHint(printer, m) })}
        </p>
      ))}
      {refused && (
        <p className="banner banner-yellow">
          {fill(m.refusedReasons[refused.reason ?? ''] ?? m.refused, { number: refused.number })}
        </p>
      )}
    </div>
  )
}
