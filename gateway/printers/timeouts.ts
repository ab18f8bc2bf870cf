// How long the transport waits for what, in milliseconds. Tests and odd printers override single values.

export interface TransportTimeouts {
  connectMs: number
  /** Connect while the printer was last seen away: short, so that a fresh SYN meets it within a second of its return. */
  reconnectMs: number
  /** One answer to a status question; asked twice. */
  probeMs: number
  /** What does this printer answer? Waited once for a new printer. */
  learnMs: number
  /** The same for one that took several tickets without ever answering. */
  learnAgainMs: number
  /** Such a one is asked in vain only so often: its tickets should not wait for it each time. */
  lookAgainEveryMs: number
  /** Sending: the printer takes no byte and sends nothing. */
  noProgressMs: number
  /** Lower bound of the wait for the proof; above it, twice the estimate plus `confirmSlackMs`. */
  confirmMs: number
  confirmSlackMs: number
  /** Part of the estimate: cutting and the start of the motor. */
  cutMs: number
  /** Paper out or cover open in the middle of a ticket, with the socket kept. */
  blockedMs: number
  /** Peer's FIN after our half-close, with everything confirmed. */
  finMs: number
  /** Peer's FIN, above the estimate, when that FIN is the only evidence. */
  finEvidenceMs: number
  /** An idle connection is kept this long for the next ticket. */
  lingerMs: number
  /** Status questions while waiting for the proof of a printer that pushes none. */
  pollMs: number
  /** A failure that lasts this long is announced. */
  announceOfflineMs: number
  /** `close()` as a whole: a program that ends has 5 s for everything. */
  closeMs: number
  /** After a stop was asked for: last chance of the proof. */
  stopMs: number
  /** DLE ENQ 1 while a recoverable error remains. */
  recoverEveryMs: number
  /** DLE DC4 8: the printer confirms that its buffers are empty. */
  discardMs: number
  /**
   * After this time without a byte from a printer, plus or minus a fifth, it is checked, for some milliseconds. An idle printer that is
   * switched off is then noticed within 25 s, for ten packets each time.
   */
  idleLookMs: number
  /** After a check that failed, and after a kept connection broke: before the failure is reported, so that a busy moment is no alarm. */
  lookSoonMs: number
  /** An idle shared printer that another program uses, or that is silent, is reported only when that lasts: another till may be printing. */
  announceBusyMs: number
  /** While it is away and nothing waits for it. */
  lookAwayMs: number
  /** A question on an exclusive connection, so that neither side takes it for dead; sooner where the printer closes idle ones sooner. */
  heartbeatMs: number
}

export const DEFAULT_TIMEOUTS: TransportTimeouts = {
  connectMs: 3_000,
  reconnectMs: 900,
  probeMs: 1_000,
  learnMs: 1_000,
  learnAgainMs: 250,
  lookAgainEveryMs: 600_000,
  noProgressMs: 15_000,
  confirmMs: 5_000,
  confirmSlackMs: 3_000,
  cutMs: 1_500,
  blockedMs: 600_000,
  finMs: 2_000,
  finEvidenceMs: 5_000,
  lingerMs: 1_500,
  pollMs: 1_000,
  announceOfflineMs: 3_000,
  closeMs: 1_000,
  stopMs: 2_000,
  recoverEveryMs: 10_000,
  discardMs: 1_500,
  idleLookMs: 15_000,
  lookSoonMs: 2_000,
  announceBusyMs: 10_000,
  lookAwayMs: 5_000,
  heartbeatMs: 25_000,
}
