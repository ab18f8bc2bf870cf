// Selects the command for a printer that an error has stopped between tickets. Has no effect while the cause remains.
import type { PrinterReason } from '#shared/print-job.ts'
import type { PrinterCondition } from './printer-status.ts'

/**
 * `go-on`: DLE ENQ 1. `clear`: DLE ENQ 2, which drops the rest of a broken ticket. `discard`: the same with DLE DC4 8, because some models
 * support only one of the two.
 */
export type RecoveryStep = 'none' | 'go-on' | 'clear' | 'discard'

export class Recovery {
  readonly #everyMs: number
  #dueMs = 0
  #clears = 0

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** The next step. Only the rest of our own broken ticket is ever cleared: there is nothing else of ours in the printer. */
  next(
    { reasons }: PrinterCondition,
    nowMs: number,
    left: { mayStandUncut: boolean; clearsBuffer: boolean },
  ): RecoveryStep {
    if (!isRecoverable(reasons) || nowMs < this.#dueMs) return 'none'
    this.#dueMs = nowMs + this.#everyMs
    if (!left.mayStandUncut) return 'go-on'
    return ++this.#clears % 2 === 0 && left.clearsBuffer ? 'discard' : 'clear'
  }
}

/** True for errors that DLE ENQ may end: a cutter that was freed, with the cover closed and no worse error. */
export function isRecoverable(reasons: readonly PrinterReason[]): boolean {
  return (
    (reasons.includes('cutter-error') || reasons.includes('recoverable-error')) &&
    !reasons.includes('cover-open') &&
    !reasons.includes('media-empty') &&
    !reasons.includes('unrecoverable-error')
  )
}
