// Notices that two boxes use one gateway's identity (a copied SD card): their boots take turns, which a single box never does.
import type { GatewayId } from '#shared/ids.ts'

/** Returns of a boot that another one had replaced, within the span, that count as proof. */
const RETURNS = 2
const SPAN_MS = 120_000
/** For so long the box that came second gets no welcome. */
const REFUSE_MS = 60_000

interface Watched {
  boots: { bootId: string; atMs: number }[]
  owner: { bootId: string; untilMs: number } | null
}

export class TwinWatch {
  readonly #watched = new Map<GatewayId, Watched>()

  /**
   * A hello of this boot arrived. @param nowMs monotonic
   * @returns `refuse`: another box was there first; `twins`: the same, noticed just now; `welcome` otherwise.
   */
  observe(gatewayId: GatewayId, bootId: string, nowMs: number): 'welcome' | 'twins' | 'refuse' {
    const watched = this.#watched.get(gatewayId) ?? { boots: [], owner: null }
    this.#watched.set(gatewayId, watched)
    if (watched.owner && nowMs < watched.owner.untilMs) return watched.owner.bootId === bootId ? 'welcome' : 'refuse'
    watched.owner = null
    if (watched.boots.at(-1)?.bootId === bootId) return 'welcome'
    watched.boots = [...watched.boots.filter((boot) => nowMs - boot.atMs < SPAN_MS), { bootId, atMs: nowMs }].slice(-16)
    const ids = watched.boots.map((boot) => boot.bootId)
    if (ids.length - new Set(ids).size < RETURNS) return 'welcome'
    // The first that has returned: one that has not may have ended, and would leave the place empty.
    const first = ids.find((id, at) => ids.includes(id, at + 1)) ?? bootId
    watched.owner = { bootId: first, untilMs: nowMs + REFUSE_MS }
    watched.boots = []
    return first === bootId ? 'welcome' : 'twins'
  }
}
