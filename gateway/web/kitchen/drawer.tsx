// The frame of a drawer: its head, and the keys of a keyboard or bump bar while it has the focus.
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { BOARD_TIMES } from './board-model.ts'
import { isRtl, pageMs } from './browser.ts'
import { giveFocusBack } from './given-focus.ts'
import { keyName } from './key-names.ts'
import { useWords } from './messages/words.tsx'
import type { PanelName } from './panel-names.ts'
import './panels.css'

interface DrawerProps {
  name: PanelName
  /** True if it was opened by a key: then it takes the focus. */
  isByKey: boolean
  onClose: () => void
}

export function Drawer({ name, isByKey, onClose, children }: DrawerProps & { children: ReactNode }) {
  const { m } = useWords()
  const area = useRef<HTMLElement>(null)
  useDrawerKeys(area, { name, isByKey, onClose })
  return (
    <section className="panel" aria-label={m[name]} ref={area} tabIndex={-1}>
      <div className="panel-head">
        <h2>{m[name]}</h2>
        <button type="button" className="side" onClick={onClose}>
          {m.close}
        </button>
      </div>
      {children}
    </section>
  )
}

const OWN_KEYS: Partial<Record<PanelName, string>> = { allDay: 'a', recall: 'r', help: '?' }
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** The controls that can be pressed now, in document order, without those in a closed fold. */
function controlsOf(drawer: HTMLElement): HTMLElement[] {
  return [...drawer.querySelectorAll<HTMLElement>('button, input, select, summary')].filter(
    (control) => !control.matches(':disabled') && control.getClientRects().length > 0,
  )
}

const isOfHead = (control: HTMLElement): boolean => control.closest('.panel-head') !== null

function useDrawerKeys(area: RefObject<HTMLElement | null>, { name, isByKey, onClose }: DrawerProps): void {
  /** When Enter last pressed a control, or the focus moved automatically: an Enter directly after that may be a bounce. */
  const quietFromMs = useRef(Number.NEGATIVE_INFINITY)
  const lead = useRef((place: HTMLElement) => {
    quietFromMs.current = pageMs()
    place.focus()
  })
  useLayoutEffect(() => {
    const drawer = area.current
    if (drawer === null) return
    const before = document.activeElement
    if (isByKey) {
      const first = controlsOf(drawer).find((control) => !isOfHead(control))
      // The counts of the day have no controls, so the bump bar continues to control the board beside them.
      if (first || name !== 'allDay') lead.current(first ?? drawer)
    }
    return () => {
      if (!drawer.contains(document.activeElement)) return
      // After the drawer has left the page, unless another one has taken the focus.
      void Promise.resolve().then(() => {
        if (document.activeElement === document.body) giveFocusBack(before, null)
      })
    }
  }, [area, name, isByKey])
  useLayoutEffect(() => {
    const drawer = area.current
    const listen = (event: KeyboardEvent): void => {
      if (drawer === null || event.ctrlKey || event.metaKey || event.altKey) return
      // The board behind gets no keys.
      event.stopPropagation()
      const key = keyName(event, isRtl())
      const step = STEPS[key]
      if (step !== undefined) {
        if (moved(drawer, event, step)) event.preventDefault()
      } else if (key === 'Enter' || key === ' ') {
        const isBounce = event.repeat || pageMs() - quietFromMs.current < BOARD_TIMES.sameSpotMs
        if (isBounce) event.preventDefault()
        else if (key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type === 'checkbox')
          event.target.click()
        if (!isBounce) quietFromMs.current = pageMs()
      } else if (!event.repeat && (key === 'Escape' || key.toLowerCase() === OWN_KEYS[name])) {
        event.preventDefault()
        onClose()
      }
    }
    drawer?.addEventListener('keydown', listen)
    return () => drawer?.removeEventListener('keydown', listen)
  }, [area, name, onClose])
  useFocusOnNext(area, lead)
}

/** @returns whether the arrow moved to another control. Left and right belong to a focused field; without controls arrows scroll. */
function moved(drawer: HTMLElement, { target, key }: KeyboardEvent, step: 1 | -1): boolean {
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
  const isField =
    target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'checkbox')
  if (isField && isSideways) return false
  const controls = controlsOf(drawer)
  if (controls.every(isOfHead)) return false
  const at = target instanceof HTMLElement ? controls.indexOf(target) : -1
  const from = at === -1 && step === -1 ? 0 : at
  controls[(from + step + controls.length) % controls.length]?.focus()
  return true
}

/** When the focused control disappears, such as a recalled order, the next one gets the focus. */
function useFocusOnNext(area: RefObject<HTMLElement | null>, lead: RefObject<(place: HTMLElement) => void>): void {
  const had = useRef<HTMLElement | null>(null)
  const stood = useRef<readonly HTMLElement[]>([])
  useLayoutEffect(() => {
    const drawer = area.current
    const came = ({ target }: FocusEvent): void => {
      had.current = target instanceof HTMLElement ? target : null
    }
    // Focus that a touch left behind is not kept.
    const clicked = ({ detail }: MouseEvent): void => {
      if (detail > 0) had.current = null
    }
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && drawer?.contains(activeElement)) had.current = activeElement
    drawer?.addEventListener('focusin', came)
    drawer?.addEventListener('click', clicked)
    return () => {
      drawer?.removeEventListener('focusin', came)
      drawer?.removeEventListener('click', clicked)
    }
  }, [area])
  useLayoutEffect(() => {
    const drawer = area.current
    if (drawer === null) return
    if (had.current !== null && !had.current.isConnected && document.activeElement === document.body) {
      const at = stood.current.indexOf(had.current)
      const isThere = (control: HTMLElement): boolean => control.isConnected && !isOfHead(control)
      const next = stood.current.slice(at + 1).find(isThere) ?? stood.current.slice(0, at).reverse().find(isThere)
      lead.current(next ?? controlsOf(drawer).find((control) => !isOfHead(control)) ?? drawer)
    }
    stood.current = controlsOf(drawer)
  })
}
