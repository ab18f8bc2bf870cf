// What a program knows of the restaurant that it stands in. Read anew each time: pairing changes it while everything runs.

export interface SiteFacts {
  /** For the log; empty while unpaired. */
  readonly gatewayId: string
  readonly merchantName: string
  /** IANA zone of the restaurant. */
  readonly timeZone: string
}
