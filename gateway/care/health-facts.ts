// The input for the findings of a box: the state of all its parts at one moment. Nothing here decides.
import type { StationFacts } from '#gateway/kitchen/station-ways.ts'
import type { DiskVerdict } from '#gateway/storage/disk-proof.ts'
import type { SeenStation } from '#gateway/storage/station-lines.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { FindingValues, UnheardPart } from '#shared/health.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'

export interface HealthFacts {
  /** On the wall clock of the box, as all instants here. */
  nowMs: EpochMs
  link: LinkFacts
  printers: readonly PrinterFacts[]
  /** The cooks' screens. */
  displays: readonly DisplayFacts[]
  /** Of runners and guests: no order waits for them. Absent: there are none. */
  otherScreens?: readonly DisplayFacts[]
  /** Of which lines came in the last days. */
  stations: readonly SeenStation[]
  /** By which each station's lines come into the kitchen now. */
  ways: StationFacts
  /** Null: the board could not be read. */
  board: BoardFacts | null
  box: BoxFacts
  https: HttpsFacts
  zone: ZoneFacts
  people: PeopleFacts
  /** Tickets of the last hours whose paper shows characters as code points, newest first. */
  unprintable: readonly UnprintableFacts[]
}

export interface LinkFacts {
  state: string
  detail: string
  sinceMs: EpochMs
  trouble?: LinkTrouble | null
  /** Results that were not reported to the relay yet. */
  unreported: number
}

export interface PrinterFacts {
  printerId: string
  name: string
  host: string
  port: number
  stations: readonly string[]
  isDefault: boolean
  /** `unknown`: it has not been asked yet. */
  state: 'online' | 'offline' | 'unknown'
  reasons: readonly string[]
  hint: string
  /** No report within twice its polling interval, or never. */
  isUnheard: boolean
  /** ISO: since when it is in that state. */
  since: string
  queued: number
  /** Arrival of the oldest ticket that waits; null: none waits. */
  oldestMs: EpochMs | null
  parked: number
  /** ISO; null: the code of its test ticket was never typed in. */
  testedAt: string | null
  settings: Pick<PrinterSettings, 'paused' | 'backupPrinterId' | 'papers' | 'split' | 'copies'>
  /** Messages about it, in the words of its watch. */
  told: readonly { key: string; values: FindingValues; text: string }[]
  /** Another device at its address, or one elsewhere that may be it; null: none. */
  device: DeviceFacts | null
}

export interface DeviceFacts {
  kind: 'quieter' | 'other' | 'elsewhere'
  /** In one line, in the words on the device. */
  known: string
  found: string
  /** For printers.accept. */
  deviceId: string
}

export interface DisplayFacts {
  displayId: string
  name: string
  /** Empty: expo. */
  stations: readonly string[]
  backupPrinterId: string | null
  signedInAt: string | null
  isAlive: boolean
  /** No report for longer than allowed; right after a start none has one. */
  isSilent: boolean
  /** Silent although it answers: it has no live feed, or draws nothing of what it is sent. Absent: it is not. */
  isStuck?: boolean
  lastHeardAt: string | null
  /** Name of the display whose stations it shows in addition to its own; null: none. */
  standsInFor: { displayId: string; name: string } | null
  /** A connected screen has taken over for it. Absent: none has. */
  isCovered?: boolean
}

export interface BoardFacts {
  /** Unfinished orders that are on no connected screen. */
  unseen: number
  /** By display that is silent, its open orders: on no screen, printed in its place, or on expo alone. */
  byDisplay: ReadonlyMap<string, { unseen: number; printed: number; onExpo: number }>
}

export interface BoxFacts {
  /** Null: it cannot be asked. */
  disk: { freeBytes: number; totalBytes: number; isFull: boolean } | null
  clock: ClockFacts
  /** `lostTickets` null: nothing of it could be read. */
  database: { replacedAtMs: number; lostTickets: number | null; savedTickets: number; folder: string } | null
  /** As found at the start; `withdrawn`: how many of the marked tickets were taken out since, on the word of the relay. `isHolding`: what waited is held until the relay has answered. */
  image: Pick<DiskVerdict, 'doubt' | 'marked' | 'proofFile'> & { withdrawn: number; isHolding: boolean }
  memory: { rssBytes: number; limitBytes: number | null }
  temperatureCelsius: number | null
  storageWearPercent: number | null
  /** As the updater noted it. */
  update: { undoneVersion: string | null; availableVersion: string | null } | null
  /** Relay time. */
  nowMs: number
  /** Parts of the machine that were not measured within twice their period. */
  unheard: readonly UnheardPart[]
}

export interface ClockFacts {
  /** Relay time minus this machine's clock; null without a time from the relay. */
  offsetMs: number | null
  /** The time that the last run noted lies so far ahead of this machine's clock at the start; 0 when it does not. */
  behindLastRunMs: number
}

export interface HttpsFacts {
  fault: string | null
  certificate: { source: 'provided' | 'self-signed'; until: string } | null
  certificateFault: string | null
}

export interface ZoneFacts {
  /** That a person set on the box; empty: none. */
  own: string
  /** That the pairing brought; null: not paired. */
  relay: string | null
}

export interface PeopleFacts {
  users: number
  /** When the first person was set up, and when the last backup was made; null: never. */
  sinceMs: EpochMs | null
  backupMs: EpochMs | null
  /** Where a phone finds the page. */
  pageUrls: readonly string[]
}

export interface UnprintableFacts {
  ticketId: string
  orderNumber: string
  printerName: string
  unprintable: number | null
  settledAtMs: EpochMs | null
}
