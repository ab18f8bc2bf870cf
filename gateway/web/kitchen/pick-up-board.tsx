// The guests' board: order numbers in two columns, preparing and ready. It needs no touch, and gets only the number of an order.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { PickUpRow } from '#shared/wire/kitchen-screens.ts'
import { onResize, onTouch, stayAwake } from './browser.ts'
import { useDrawnBoard } from './drawn-board.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import './pick-up.css'
import { type Box, numberSize } from './pick-up-layout.ts'
import { Speaker } from './speaker.ts'

/** How long a newly ready number is highlighted. */
const HIGHLIGHT_MS = 60_000

export function PickUpBoard({ model, snapshot }: { model: KitchenModel; snapshot: Snapshot }) {
  const { m, time } = useWords()
  const { hello, link, heardAtMs } = snapshot
  const rows = hello?.pickUp ?? []
  const ready = rows.filter(({ state }) => state === 'ready')
  const minute = useSyncExternalStore(model.subscribeTick, () => Math.floor(model.nowMs() / 60_000))
  const { chime, isOn } = useChime(ready, model)
  useEffect(stayAwake, [])
  useDrawnBoard(model)
  return (
    <div className="pick-up">
      <header>
        <h1 dir="auto">{hello?.restaurant || hello?.display.name}</h1>
        {!isOn && (
          <button type="button" onClick={() => void chime.unlock()}>
            {m.soundOff}
          </button>
        )}
        <time>{time(minute * 60_000)}</time>
      </header>
      {link === 'silent' && (
        <p className="stale" role="alert">
          {fill(m.pickUpStale, { time: time(heardAtMs) })}
        </p>
      )}
      <main>
        <Numbers
          model={model}
          state="preparing"
          title={m.preparing}
          rows={rows.filter((row) => !ready.includes(row))}
        />
        <Numbers model={model} state="ready" title={m.pickUpReady} rows={ready} />
      </main>
    </div>
  )
}

interface NumbersProps {
  model: KitchenModel
  state: PickUpRow['state']
  title: string
  rows: readonly PickUpRow[]
}

function Numbers({ model, state, title, rows }: NumbersProps) {
  const { number } = useWords()
  const place = useRef<HTMLOListElement>(null)
  const { box, screen } = useBox(place)
  const letters = Math.max(1, ...rows.map((row) => Array.from(row.number).length))
  const nameLetters = Math.max(0, ...rows.map(({ name = '' }) => Array.from(name).length))
  const { fontPx, columns, shown } = numberSize({ count: rows.length, letters, nameLetters }, box, screen)
  // New numbers are highlighted for a minute, so the result changes with time.
  const fresh = useSyncExternalStore(model.subscribeTick, () => freshOf(rows, model.nowMs())).split('\n')
  return (
    <section className={state} aria-label={title}>
      <h2>{title}</h2>
      <ol
        ref={place}
        style={{ fontSize: fontPx, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        aria-live={state === 'ready' ? 'polite' : 'off'}
      >
        {rows.slice(0, shown).map((row) => (
          <li key={keyOf(row)} className={fresh.includes(keyOf(row)) ? 'fresh' : ''}>
            <bdi className="number">{row.number}</bdi>
            {row.name !== undefined && <bdi className="name">{row.name}</bdi>}
          </li>
        ))}
        {shown < rows.length && (
          <li className="others">
            <bdi>+{number(rows.length - shown)}</bdi>
          </li>
        )}
      </ol>
    </section>
  )
}

/** Keys of the numbers that became ready within the last minute, as one string, so that equal results do not render again. */
function freshOf(rows: readonly PickUpRow[], nowMs: number): string {
  const fresh = rows.filter(({ state, sinceMs }) => state === 'ready' && nowMs - sinceMs < HIGHLIGHT_MS)
  return fresh.map(keyOf).join('\n')
}

/** Two sources may have the same number. */
function keyOf({ number, sinceMs }: PickUpRow): string {
  return `${sinceMs} ${number}`
}

/** Sounds when a number becomes ready, once for all that arrive together; not for numbers that were ready when the page opened. */
function useChime(ready: readonly PickUpRow[], model: KitchenModel): { chime: Chime; isOn: boolean } {
  const chime = useMemo(() => new Chime(), [])
  const [isOn, setOn] = useState(false)
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const unlock = () => void chime.unlock().then(() => setOn(chime.isOn))
    // Without a touch where the browser allows it; otherwise with the first touch anywhere.
    unlock()
    const forget = onTouch(unlock, () => undefined)
    return () => {
      forget()
      chime.close()
    }
  }, [chime])
  useEffect(() => {
    const before = known.current
    known.current = new Set(ready.map(keyOf))
    const hasNew = ready.some((row) => !before?.has(keyOf(row)) && model.nowMs() - row.sinceMs < HIGHLIGHT_MS)
    if (before !== null && hasNew) chime.ring(model.snapshot().settings.volume)
  }, [chime, model, ready])
  return { chime, isOn }
}

/** The sizes of the area for numbers and of the screen, measured again after each render, since a banner takes space. */
function useBox(place: { readonly current: HTMLElement | null }): { box: Box; screen: Box } {
  const [size, setSize] = useState({ box: NO_BOX, screen: NO_BOX })
  const measure = useCallback(() => {
    const { clientWidth = 0, clientHeight = 0 } = place.current ?? {}
    const box = { widthPx: clientWidth, heightPx: clientHeight }
    const screen = { widthPx: innerWidth, heightPx: innerHeight }
    setSize((before) => (isSame(before.box, box) && isSame(before.screen, screen) ? before : { box, screen }))
  }, [place])
  useEffect(measure)
  useEffect(() => onResize(measure), [measure])
  return size
}

const NO_BOX: Box = { widthPx: 0, heightPx: 0 }

function isSame(a: Box, b: Box): boolean {
  return a.widthPx === b.widthPx && a.heightPx === b.heightPx
}

// The two tones of the guests' board. Many of these displays are never touched.

/** Pitch in Hz, and start in seconds. */
const TONES = [
  { hz: 784, inS: 0 },
  { hz: 1_046, inS: 0.22 },
] as const
const RINGS_S = 0.9

class Chime extends Speaker {
  /** @param volume 0 to 1 */
  ring(volume: number): void {
    for (const tone of TONES) this.tone({ ...tone, forS: RINGS_S, volume, fades: true })
  }
}
