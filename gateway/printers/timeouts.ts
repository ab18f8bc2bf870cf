// Time limits of the transport, in milliseconds. Tests and unusual printers override single values.

export interface TransportTimeouts {
  connectMs: number
  /** Connecting while the printer was last seen offline: short, so that a new SYN reaches it within a second of its return. */
  reconnectMs: number
  /** One answer to a status query, which is sent twice. */
  probeMs: number
  /** The complete probe of a new printer, once. */
  learnMs: number
  /** The same for one that accepted several tickets without ever answering. */
  learnAgainMs: number
  /** Such a printer is probed only this often: its tickets should not wait for it each time. */
  lookAgainEveryMs: number
  /** Sending: the printer reads no byte and sends nothing. */
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
  /** Status queries while waiting for the proof of a printer that pushes none. */
  pollMs: number
  /** A failure that lasts this long is announced. */
  announceOfflineMs: number
  /** `close()` as a whole: a program that ends has 5 s for everything. */
  closeMs: number
  /** After a stop was requested: last chance of the proof. */
  stopMs: number
  /** DLE ENQ 1 while a recoverable error remains. */
  recoverEveryMs: number
  /** DLE DC4 8: the printer confirms that its buffers are empty. */
  discardMs: number
  /**
   * A printer that sent nothing for this time, plus or minus a fifth, is checked, for some milliseconds. An idle printer that is switched
   * off is then noticed within 25 s, for ten packets each time.
   */
  idleLookMs: number
  /** After a failed check, and after a kept connection broke, before the failure is reported, so that a busy moment is no alarm. */
  lookSoonMs: number
  /** An idle shared printer that another program uses, or that is silent, is reported only when that lasts: another till may be printing. */
  announceBusyMs: number
  /** While it is offline and nothing waits for it. */
  lookAwayMs: number
  /** A query on an exclusive connection, so that neither side considers it dead; sooner if the printer closes idle ones sooner. */
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
