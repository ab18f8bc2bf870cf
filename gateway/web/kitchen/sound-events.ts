// Which sound a change of the board makes, and which sounds are repeated until somebody reacts. Pure.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { isChangeUnseen, isExpo, isHeldLine, ownLines, type Viewer } from './board-view.ts'

export const SOUNDS = ['new', 'changed', 'void', 'ready'] as const
export type Sound = (typeof SOUNDS)[number]

/** `repeat`: until somebody touches the screen, or acknowledges what must be acknowledged. */
export const SOUND_MODES = ['off', 'once', 'repeat'] as const
export type SoundMode = (typeof SOUND_MODES)[number]
export type SoundModes = Record<Sound, SoundMode>

/** What must be acknowledged is repeated until it is. A new order sounds once, because in a rush nobody touches the screen for it. */
export const USUAL_MODES: Readonly<SoundModes> = { new: 'once', changed: 'repeat', void: 'repeat', ready: 'once' }

/**
 * The sound of a change.
 * @param before the order as this display showed it; undefined: not shown
 * @returns null if nothing happened that this display signals
 */
export function soundOf(before: BoardOrder | undefined, after: BoardOrder, viewer: Viewer): Sound | null {
  if (ownLines(after, viewer).length === 0 || after.isScheduled) return null
  if (after.voidedAtMs !== null) return before?.voidedAtMs === null ? 'void' : null
  if (!before || before.isScheduled) return after.addOnTo === null ? 'new' : 'changed'
  if (isFired(before, after, viewer)) return 'new'
  if (after.recalledAtMs !== null && after.recalledAtMs !== before.recalledAtMs) return 'changed'
  return isExpo(viewer) && after.readyAtMs !== null && before.readyAtMs === null ? 'ready' : null
}

/** True if a course with lines of this display was fired elsewhere: they are to be made now. */
function isFired(before: BoardOrder, after: BoardOrder, viewer: Viewer): boolean {
  return ownLines(after, viewer).some((line) => isHeldLine(line, before) && !isHeldLine(line, after))
}

/** Orders whose sounds nobody has reacted to. */
export class Unheard {
  readonly #waiting = new Map<Sound, Set<string>>()

  add(sound: Sound, orderId: string): void {
    this.#waiting.set(sound, (this.#waiting.get(sound) ?? new Set()).add(orderId))
  }

  /** Somebody has touched the screen. */
  clear(): void {
    this.#waiting.clear()
  }

  /** Drops orders that have left the board: a screen that nobody touches for weeks must not use more and more memory. */
  keepOnly(board: { has(orderId: string): boolean }): void {
    for (const orders of this.#waiting.values()) keepOnly(orders, board)
  }

  /** @param open what is on the screen; orders that have left it make no sound */
  toRepeat(modes: SoundModes, open: readonly BoardOrder[], viewer: Viewer): Sound[] {
    return SOUNDS.filter(
      (sound) => modes[sound] === 'repeat' && open.some((order) => this.#calls(sound, order, viewer)),
    )
  }

  #calls(sound: Sound, order: BoardOrder, viewer: Viewer): boolean {
    // What is on the board is not acknowledged yet: otherwise it would be gone.
    if (sound === 'void') return order.voidedAtMs !== null
    if (sound === 'changed' && isChangeUnseen(order, viewer)) return true
    return this.#waiting.get(sound)?.has(order.orderId) ?? false
  }
}

/** Removes what `board` does not have. */
export function keepOnly(orderIds: Set<string>, board: { has(orderId: string): boolean }): void {
  for (const orderId of orderIds) if (!board.has(orderId)) orderIds.delete(orderId)
}
