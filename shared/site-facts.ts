// A program's data about its restaurant. Read each time: pairing changes it while everything runs.
import type { OwnThresholds } from './kitchen-times.ts'

export interface SiteFacts {
  /** For the log; empty while unpaired. */
  readonly gatewayId: string
  readonly merchantName: string
  /** That a person gave the box on its page: guests read it, whatever the account is called. Empty or absent: none was given. */
  readonly ownName?: string
  /** IANA zone of the restaurant. */
  readonly timeZone: string
  /** That a person set on the box itself: it wins over that of the relay, on paper too. Empty or absent: none was set. */
  readonly ownTimeZone?: string
  /** From which age a person has set orders to be soon late, and late. Absent: as usual. */
  readonly ownThresholds?: OwnThresholds
  /** That the relay gave the box when it was paired; null or absent: it is not paired. */
  readonly relayTimeZone?: string | null
}
