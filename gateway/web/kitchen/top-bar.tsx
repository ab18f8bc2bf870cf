// The bar above the board: name of the display, open and late orders, what must be acknowledged, link, sound and the time.
import { useState, useSyncExternalStore } from 'react'
import { onResize } from './browser.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { nextLate } from './late-orders.ts'
import type { Messages } from './messages/en.ts'
import { printerSentence } from './messages/printer-hint.ts'
import { fill, useWords } from './messages/words.tsx'
import { PANELS, type PanelName } from './panel-names.ts'
import { refusalWords } from './refusal-words.ts'

interface TopBarProps {
  model: KitchenModel
  snapshot: Snapshot
  panel: PanelName | null
  onPanel: (name: PanelName, isByKey: boolean) => void
  late: ReadonlySet<string>
}

export function TopBar(props: TopBarProps) {
  const { m } = useWords()
  const { model, snapshot } = props
  const { hello, link, isOnShift } = snapshot
  const isFolded = useFolded(m)
  return (
    <header className={isFolded ? 'top is-folded' : 'top'}>
      <h1 dir="auto">{hello?.display.name}</h1>
      <Counts {...props} />
      <CallStrip model={model} strip={snapshot.strip} />
      <div className="chips">
        <Waiting taps={snapshot.waitingTaps} />
        <span className={`chip link-${link}`} role="status">
          <span className="link-word">{link === 'live' ? m.connected : m.connecting}</span>
        </span>
        {isOnShift && model.sounds.isOn && (
          <span className="chip sound" title={m.soundIsOn}>
            <span aria-hidden="true">♪</span>
            <span className="hidden">{m.soundIsOn}</span>
          </span>
        )}
        {isOnShift && !model.sounds.isOn && (
          <button type="button" className="side chip-waiting" onClick={() => model.startShift()}>
            {m.soundOff}
          </button>
        )}
      </div>
      <WallClock model={model} />
      <Panels {...props} />
    </header>
  )
}

/** The number of open and of late orders. A tap goes to a late one on another page. */
function Counts({ model, snapshot, late }: TopBarProps) {
  const { m, number } = useWords()
  const next = nextLate(late, snapshot.pages, snapshot.page)
  const words = fill(m.lateCount, { n: number(late.size) })
  return (
    <div className="counts-bar">
      <span className="count">{fill(m.openCount, { n: number(snapshot.views.open.length) })}</span>
      {next === null ? (
        <span className={late.size > 0 ? 'count count-late' : 'count'}>{words}</span>
      ) : (
        <button
          type="button"
          className="count count-late"
          aria-label={fill(m.lateGoTo, { n: number(late.size) })}
          onClick={() => model.goTo(next)}
        >
          {words}
        </button>
      )}
    </div>
  )
}

function Waiting({ taps }: { taps: number }) {
  const { m, number } = useWords()
  return taps > 0 && <span className="chip chip-waiting">{m.tapsWait(number(taps))}</span>
}

/** On a narrow screen behind one button. */
function Panels({ snapshot, panel, onPanel }: TopBarProps) {
  const { m, number } = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const counts: Partial<Record<PanelName, number>> = { scheduled: snapshot.views.scheduled.length }
  const choose = (name: PanelName, isByKey: boolean): void => {
    setIsOpen(false)
    onPanel(name, isByKey)
  }
  return (
    <>
      <button type="button" className="side menu" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {m.menu}
      </button>
      <nav className={isOpen ? 'panels is-open' : 'panels'} aria-label={m.menu}>
        {PANELS.map((name) => (
          <button
            type="button"
            key={name}
            className="side"
            aria-pressed={panel === name}
            onClick={({ detail }) => choose(name, detail === 0)}
          >
            {name === 'help' ? <Help /> : m[name]}
            {counts[name] ? ` ${number(counts[name])}` : ''}
          </button>
        ))}
      </nav>
    </>
  )
}

function Help() {
  const { m } = useWords()
  return (
    <>
      <span aria-hidden="true" className="question">
        ?
      </span>
      <span className="hidden help-word">{m.help}</span>
    </>
  )
}

/** Facts that staff must know before the next order. Below the tickets, so that these do not move. */
export function Banners({ snapshot }: { snapshot: Snapshot }) {
  const { m, time } = useWords()
  const { link, heardAtMs, printers, refused } = snapshot
  const faults = printers.filter(({ state, hint }) => state === 'offline' || hint !== '')
  return (
    <div className="banners" role="alert">
      {link === 'silent' && <p className="banner banner-red">{fill(m.notConnected, { time: time(heardAtMs) })}</p>}
      {faults.map((printer) => (
        <p key={printer.printerId} className="banner banner-yellow">
          <bdi>{printerSentence(printer, m)}</bdi>
        </p>
      ))}
      {refused && (
        <p className="banner banner-yellow">
          <bdi>{refusalWords(refused, m)}</bdi>
        </p>
      )}
    </div>
  )
}

// The restaurant's local time, by the gateway's clock.
function WallClock({ model }: { model: KitchenModel }) {
  const { time } = useWords()
  const text = useSyncExternalStore(model.subscribeTick, () => time(model.nowMs()))
  return (
    <span className="clock">
      <bdi>{text}</bdi>
    </span>
  )
}

// Unacknowledged voids and changes: counted, and a tap goes to the ticket on its page.

/** As many as fit a wide screen; the oldest first, so that all of them are shown in time. */
const MOST_NAMED = 4

function CallStrip({ model, strip }: { model: KitchenModel; strip: Snapshot['strip'] }) {
  const { m, number } = useWords()
  const [oldest] = strip
  if (!oldest) return null
  const count = (kind: 'void' | 'change'): number => strip.filter((item) => item.kind === kind).length
  const words = (['void', 'change'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => fill(kind === 'void' ? m.voids : m.changes, { n: number(count(kind)) }))
  return (
    <section className="calls" aria-label={m.toAcknowledge} aria-live="polite">
      <button type="button" className="call-count" onClick={() => model.goTo(oldest.orderId)}>
        {words.join(' · ')}
      </button>
      <ul>
        {strip.slice(0, MOST_NAMED).map(({ kind, orderId, number: name }) => (
          <li key={`${kind} ${orderId}`}>
            <button
              type="button"
              className={`call call-${kind}`}
              aria-label={fill(m.goToOrder, { number: name })}
              onClick={() => model.goTo(orderId)}
            >
              <bdi>#{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

// Whether the drawers' buttons are in a menu, because the bar has no room for their labels.

/**
 * Width of the bar without its labels, in CSS pixels: borders, gaps, clock, a short name; without the label of help, which is a ? there.
 */
const REST_PX = 425
/** Width of an average letter. */
const LETTER_PX = 10

/**
 * Depends on the language only, not on the current content of the bar, so that no button moves during work. @returns CSS pixels of the
 * widest screen with a menu
 */
export function widestWithMenu(m: Messages): number {
  const buttons = PANELS.map((name) => (name === 'help' ? '?' : m[name]))
  const letters = [...buttons, m.openCount, m.lateCount, m.voids, m.changes, m.connected].join('')
  // A Chinese character is as wide as two letters.
  return [...letters].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1) * LETTER_PX, REST_PX)
}

function useFolded(m: Messages): boolean {
  const query = `(max-width: ${widestWithMenu(m)}px)`
  return useSyncExternalStore(onResize, () => matchMedia(query).matches)
}
