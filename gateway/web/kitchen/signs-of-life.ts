// Heartbeats of this display to the gateway: which orders it shows, and which of them somebody has seen.
import type { Cancel, Clock } from '#shared/clock.ts'
import { keepOnly } from './sound-events.ts'

export interface SignsOfLifeLinks {
  clock: Clock
  post: (path: string, body: unknown) => Promise<{ status: number }>
  isOnShift: () => boolean
  /** True if the board is on the screen. */
  isOnBoard: () => boolean
  signedOut: () => void
}

const EVERY_MS = 5_000
const SOON_MS = 50
/** Maximum number of orders in one heartbeat. */
const MOST_NAMED = 500
const PATH = '/kitchen/api/here'

export class SignsOfLife {
  readonly #links: SignsOfLifeLinks
  readonly #rendered = new Set<string>()
  #unsaid: string[] = []
  /** Orders that somebody has seen here, and those of them that are not reported yet. */
  readonly #noticed = new Set<string>()
  #unsaidNoticed: string[] = []
  #boardAtMs: number | undefined
  /** False for a gateway of an older version, which refuses unknown fields. */
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
   * @param boardAtMs on a display without cooks' orders: the time of the board that is shown, epoch ms; sent with the next heartbeat
   */
  rendered(orderIds: readonly string[], boardAtMs = this.#boardAtMs): void {
    this.#boardAtMs = boardAtMs
    const fresh = orderIds.filter((id) => !this.#rendered.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#rendered.add(id)
    this.#unsaid.push(...fresh)
    this.#saySoon()
  }

  /** Somebody has touched the screen with these orders. */
  noticed(orderIds: readonly string[]): void {
    const fresh = orderIds.filter((id) => this.#rendered.has(id) && !this.#noticed.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#noticed.add(id)
    this.#unsaidNoticed.push(...fresh)
    this.#saySoon()
  }

  /** The gateway may have restarted: reports again what this display shows and what was seen on it. */
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

  /** A broken feed does not show the reason; a refused heartbeat does. */
  async checkSignIn(): Promise<void> {
    const { post, isOnShift, signedOut } = this.#links
    const { status } = await post(PATH, { rendered: [], noticed: [], onShift: isOnShift() })
    if (status === 401) signedOut()
  }

  #saySoon(): void {
    this.#cancelSoon ??= this.#links.clock.after(SOON_MS, () => void this.say())
  }
}
