// Findings over time: since when each lasts, and one that comes and goes stays on the list until it has been gone for a minute.
import type { EpochMs } from '#shared/clock.ts'
import type { Finding } from '#shared/health.ts'
import { worstFirst } from './health.ts'

interface Known {
  finding: Finding
  sinceMs: EpochMs
  /** Null: it is there. */
  goneAtMs: EpochMs | null
  /** It came back within a minute after it had gone. */
  isFlapping: boolean
}

/** A list that jumps cannot be read. */
export const HELD_MS = 60_000

export class HeldFindings {
  readonly #known = new Map<string, Known>()

  /**
   * Takes the current findings and returns the shown ones. The first time a finding is gone it disappears at once, so that the effect of a fix is
   * visible; when it came back within a minute it is kept for a minute each time that it is gone.
   * @param nowMs on a clock that never goes back
   * @param wallMs the same moment on the wall clock, for `sinceMs`
   */
  look(findings: readonly Finding[], nowMs: number, wallMs: EpochMs): Finding[] {
    const now = new Set(findings.map(({ id }) => id))
    for (const [id, known] of this.#known) {
      if (now.has(id)) continue
      known.goneAtMs ??= nowMs
      if (nowMs - known.goneAtMs >= HELD_MS) this.#known.delete(id)
    }
    const shown = findings.map((finding) => this.#note(finding, wallMs))
    const held = [...this.#known.values()].filter(({ goneAtMs, isFlapping }) => goneAtMs !== null && isFlapping)
    // What mends it was done, or is not needed.
    return worstFirst([...shown, ...held.map(({ finding }) => ({ ...finding, act: null }))])
  }

  #note(finding: Finding, wallMs: EpochMs): Finding {
    const known = this.#known.get(finding.id)
    const isBack = known !== undefined && known.goneAtMs !== null
    const isFlapping = isBack || (known?.isFlapping ?? false)
    const sinceMs = finding.sinceMs ?? known?.sinceMs ?? wallMs
    // Since when an advice applies is of no use.
    const dated = finding.severity === 'advice' ? finding : { ...finding, sinceMs }
    this.#known.set(finding.id, { finding: dated, sinceMs, goneAtMs: null, isFlapping })
    return dated
  }
}
