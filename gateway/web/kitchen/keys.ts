// The keys of a keyboard or bump bar, and their actions on the board. Pure except for the callbacks.

import type { ActDesk } from './act-desk.ts'
import { type BoardState, nthOnPage, selectedInSight } from './board-model.ts'
import { isChangeUnseen, nextStep, type Viewer } from './board-view.ts'
import type { PanelName } from './panel-names.ts'

export interface KeyHands {
  board: () => BoardState
  viewer: () => Viewer
  desk: Pick<ActDesk, 'tap' | 'askFireNext' | 'undoInARow' | 'goesOnUndoing'>
  select: (orderId: string) => void
  /** Turns to the page of the selected order. */
  find: (orderId: string) => void
  move: (by: 1 | -1) => void
  turn: (by: 1 | -1) => void
  canUndo: () => boolean
  togglePanel: (name: PanelName) => void
  /** True if Enter was pressed too soon after the selection had moved automatically. */
  isTooSoon: () => boolean
  deny: () => void
}

const MOVES: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
const TURNS: Readonly<Record<string, 1 | -1>> = { PageDown: 1, ']': 1, PageUp: -1, '[': -1 }

/** @returns whether it was one of the board's keys */
export function pressed(key: string, hands: KeyHands): boolean {
  if (/^\d$/.test(key)) return chooseNth(key === '0' ? 10 : Number(key), hands)
  const move = MOVES[key]
  const turn = TURNS[key]
  if (move !== undefined) hands.move(move)
  else if (turn !== undefined) hands.turn(turn)
  else if (key === 'Enter') onSelected(hands, bump)
  else return letter(key.toLowerCase(), hands)
  return true
}

function letter(key: string, hands: KeyHands): boolean {
  const { desk, viewer } = hands
  if (key === 's')
    onSelected(hands, (order) => {
      const step = nextStep(order, viewer())
      if (order.voidedAtMs === null && step?.kind === 'ready')
        desk.tap('start', { order, stations: step.stations, by: key })
      else hands.deny()
    })
  else if (key === 'f') onSelected(hands, (order) => desk.askFireNext(order, key))
  else if (key === 'r') {
    if (hands.canUndo()) desk.undoInARow()
    else if (desk.goesOnUndoing()) hands.deny()
    else hands.togglePanel('recall')
  } else if (key === 'a') hands.togglePanel('allDay')
  else return false
  return true
}

function chooseNth(n: number, hands: KeyHands): boolean {
  const chosen = nthOnPage(hands.board(), n)
  if (chosen === null) hands.deny()
  else hands.select(chosen)
  return true
}

type SelectedOrder = NonNullable<ReturnType<typeof selectedInSight>>

/** Acts only on a visible order: for an order on another page, it turns to that page. */
function onSelected(hands: KeyHands, act: (order: SelectedOrder, hands: KeyHands) => void): void {
  const state = hands.board()
  const order = selectedInSight(state)
  if (order && !hands.isTooSoon()) {
    act(order, hands)
    return
  }
  hands.deny()
  if (!order && state.selected !== null) hands.find(state.selected)
}

function bump(order: SelectedOrder, { desk, viewer, deny }: KeyHands): void {
  const by = 'Enter'
  if (order.voidedAtMs !== null) desk.tap('void-seen', { order, stations: null, by })
  else if (isChangeUnseen(order, viewer())) desk.tap('change-seen', { order, stations: null, by })
  else {
    const step = nextStep(order, viewer())
    if (step === null) deny()
    else desk.tap(step.kind, { order, stations: step.stations, by })
  }
}
