// Tells the gateway that this screen is alive, which orders it has drawn, and which somebody stood before.
import type { Cancel, Clock } from '#shared/clock.ts'
import { keepOnly } from './sound-events.ts'

export interface SignsOfLifeLinks {
  clock: Clock
  post: (path: string, body: unknown) => Promise<{ status: number }>
  isOnShift: () => boolean
  /** The board is on the screen. */
  isOnBoard: () => boolean
  signedOut: () => void
}

const EVERY_MS = 5_000
const SOON_MS = 50
/** As many as one sign of life may name. */
const MOST_NAMED = 500
const PATH = '/kitchen/api/here'

export class SignsOfLife {
  readonly #links: SignsOfLifeLinks
  readonly #rendered = new Set<string>()
  #unsaid: string[] = []
  /** Orders that somebody has seen here, and those of which the box does not know it. */
  readonly #noticed = new Set<string>()
  #unsaidNoticed: string[] = []
  #boardAtMs: number | undefined
  /** A box of an older version refuses a word that it cannot read. */
  #canSayBoard = true
  #cancelSoon: Cancel | null = null

  constructor(links: SignsOfLifeLinks) {
    this.#links = links
  }

  start(): void {
    this.#links.clock.every(EVERY_MS, () => void this.say())
  }

  /**
   * These orders are on the screen.
   * @param boardAtMs of a board without cooks' orders: of which moment of the box it is, epoch ms; said with the next sign
   */
  rendered(orderIds: readonly string[], boardAtMs = this.#boardAtMs): void {
    this.#boardAtMs = boardAtMs
    const fresh = orderIds.filter((id) => !this.#rendered.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#rendered.add(id)
    this.#unsaid.push(...fresh)
    this.#saySoon()
  }

  /** Somebody stands before these. */
  noticed(orderIds: readonly string[]): void {
    const fresh = orderIds.filter((id) => this.#rendered.has(id) && !this.#noticed.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#noticed.add(id)
    this.#unsaidNoticed.push(...fresh)
    this.#saySoon()
  }

  /** The gateway may have started anew: it is told again what this screen shows, and what was seen on it. */
  begin(board: { has(orderId: string): boolean }): void {
    this.#unsaid = []
    this.#rendered.clear()
    this.keepOnly(board)
    this.#unsaidNoticed = [...this.#noticed]
  }

  keepOnly(board: { has(orderId: string): boolean }): void {
    keepOnly(this.#rendered, board)
    keepOnly(this.#noticed, board)
  }

  async say(): Promise<void> {
    this.#cancelSoon?.()
    this.#cancelSoon = null
    const { post, isOnShift, isOnBoard, signedOut } = this.#links
    if (!isOnBoard()) return
    const rendered = this.#unsaid.splice(0, MOST_NAMED)
    const noticed = this.#unsaidNoticed.splice(0, MOST_NAMED)
    const boardAtMs = this.#canSayBoard ? this.#boardAtMs : undefined
    const { status } = await post(PATH, { rendered, noticed, onShift: isOnShift(), boardAtMs })
    if (status === 400) this.#canSayBoard = false
    if (status !== 200) {
      this.#unsaid.unshift(...rendered)
      this.#unsaidNoticed.unshift(...noticed)
    }
    if (status === 401) signedOut()
  }

  /** A feed that breaks says nothing of why: a refused sign of life does. */
  async checkSignIn(): Promise<void> {
    const { post, isOnShift, signedOut } = this.#links
    const { status } = await post(PATH, { rendered: [], noticed: [], onShift: isOnShift() })
    if (status === 401) signedOut()
  }

  #saySoon(): void {
    this.#cancelSoon ??= this.#links.clock.after(SOON_MS, () => void this.say())
  }
}
