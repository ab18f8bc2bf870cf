// Plays the sounds of the board, once, or repeatedly until the order is seen or acknowledged.
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { Viewer } from './board-view.ts'
import { type Sound, type SoundModes, soundOf, Unheard } from './sound-events.ts'
import type { Noise } from './sounds.ts'

export interface BellLinks {
  play: (noise: Noise) => void
  modes: () => SoundModes
}

export class Bell {
  readonly #links: BellLinks
  readonly #unheard = new Unheard()

  constructor(links: BellLinks) {
    this.#links = links
  }

  play(noise: Noise): void {
    if (noise === 'deny' || this.#links.modes()[noise] !== 'off') this.#links.play(noise)
  }

  /** @param changes each order before (as this display showed it) and after; each kind of sound is played once */
  ring(changes: readonly { before: BoardOrder | undefined; after: BoardOrder }[], viewer: Viewer): void {
    const sounds = new Set<Sound>()
    for (const { before, after } of changes) {
      const sound = soundOf(before, after, viewer)
      if (sound === null) continue
      sounds.add(sound)
      this.#unheard.add(sound, after.orderId)
    }
    for (const sound of sounds) this.play(sound)
  }

  /** Repeats the sounds of orders that were not seen or acknowledged yet. */
  again(open: readonly BoardOrder[], viewer: Viewer): void {
    for (const sound of this.#unheard.toRepeat(this.#links.modes(), open, viewer)) this.play(sound)
  }

  /** Somebody has touched the screen. */
  seen(): void {
    this.#unheard.clear()
  }

  keepOnly(board: { has(orderId: string): boolean }): void {
    this.#unheard.keepOnly(board)
  }
}
