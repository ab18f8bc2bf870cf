// The answer of each operation, as JSON. Instants are ISO 8601; names and texts from outside are as they were sent: escape them for display.
import type { ConfirmLevel } from '#gateway/printers/confirm-level.ts'
import type { BoxSettings, GuideState } from '#gateway/storage/box-settings-store.ts'
import type { PrinterState } from '#shared/print-job.ts'
import type { KanjiMode } from '#shared/printer-profile.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import type { FontPack } from '#shared/raster/font-library.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import type { WhatIf } from '#shared/tickets/what-if.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import type { HeldCourse } from '#shared/wire/kitchen.ts'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import type { BackupAnswer, BackupPreviewAnswer, FileAnswer, RestoreAnswer } from './backup-answers.ts'
import type { CheckAnswer } from './check-answers.ts'
import type { DiscoverAnswer, FamilyAnswer, IdentityAnswer } from './device-answers.ts'
import type { HealthAnswer } from './health-answers.ts'
import type { HttpsAnswer } from './https-answer.ts'
import type { OrderHistoryOf, OrderPage } from './order-answers.ts'
import type { CsvAnswer, ReportAnswer } from './report-answers.ts'
import type { RecentOrder, StationsAnswer } from './station-answers.ts'

export interface StatusAnswer {
  app: string
  gatewayId: string
  merchantName: string
  ready: boolean
  /** Where a phone in this network finds the page; the likeliest first. */
  pageUrls: string[]
  /** Where kitchen displays find theirs: by plain http, which old tablets take. */
  displayUrls: string[]
  https: HttpsAnswer
  time: string
  link: LinkAnswer
  queue: { queued: number; held: number; parked: number; unreported: number }
  printers: PrinterAnswer[]
}

/** The state of the machine. Null: it cannot be read. */
export interface BoxFigures {
  disk: { freeBytes: number; totalBytes: number; isFull: boolean } | null
  memory: { rssBytes: number; limitBytes: number | null }
  /** `offsetMs`: the relay's time minus this machine's, null until it is known. `behindLastRunMs`: how far the machine's clock was behind the last run's at the start. */
  clock: { offsetMs: number | null; behindLastRunMs: number }
  temperatureCelsius: number | null
  /** Of built-in storage: plain SD cards do not report it. */
  storageWearPercent: number | null
}

export interface LatencyAnswer {
  hours: number
  tickets: number
  /** Half of them took at most so long from the order's arrival to paper, milliseconds. */
  p50Ms: number | null
  p95Ms: number | null
  /** Equal slices of these hours, oldest first. */
  slices: { from: string; tickets: number; p50Ms: number | null; p95Ms: number | null }[]
}

export interface BoxFiguresAnswer extends BoxFigures {
  latency: LatencyAnswer
}

export interface LinkAnswer {
  state: string
  /** What waiting will not mend; null: nothing like that is known. */
  trouble: LinkTrouble | null
  detail: string
  since: string
}

export interface PairingAnswer {
  state: 'paired' | 'unpaired'
  gatewayId: string
  merchantName: string
  timeZone: string
  /** Where the link goes, such as `mqtts://relay.example:8883`; null: nowhere. */
  relay: string | null
  link: LinkAnswer
  /** The configuration from the cloud; null before the first. */
  cloud: {
    version: number
    /** Printers that the box did not take, and fields that box and cloud wrote both. */
    printers: { name: string; printerId: string | null; state: string; words: string[] }[]
  } | null
}

/** How sure the gateway is of what this printer prints, in words. */
export type ConfirmAnswer = ConfirmLevel

export interface PrinterAnswer {
  printerId: string
  name: string
  host: string
  port: number
  profileId: string
  stations: string[]
  isDefault: boolean
  state: PrinterState
  reasons: string[]
  hint: string
  since: string
  queued: number
  parked: number
  /** `isAsked`: false while it has not answered yet since it was set up or accepted: the level means nothing then. */
  confirm: ConfirmAnswer & { isAsked: boolean }
  /** When a person typed in the code of its test ticket. */
  testedAt: string | null
  settings: PrinterSettings
  /** A message for people, such as a changed address, in English. */
  notes: string[]
  /** The same, for pages in another language. */
  told: NoteAnswer[]
  identity: IdentityAnswer
}

/** A message about a printer. */
export interface NoteAnswer {
  /** The key of the page's sentence; the text is the same in English. */
  key: string
  /** For that sentence. */
  values: Record<string, string | readonly string[]>
  text: string
}

export interface IdentifyAnswer {
  host: string
  port: number
  /** `silent`: it accepts connections but answers no question that ESC/POS printers answer. */
  answer: 'identified' | 'silent' | 'unreachable'
  maker: string | null
  model: string | null
  serial: string | null
  mac: string | null
  suggestedProfileId: string | null
  /** Null: it could not be asked. */
  confirm: ConfirmAnswer | null
  reasons: string[]
  words: string
}

export interface VerifyAnswer {
  printer: PrinterAnswer
}

/** A ticket that was queued. */
export interface QueuedAnswer {
  ticketId: string
}

export interface CountAnswer {
  tickets: number
}

/** `left`: names of printers and displays without a backup now, and of routing rules that changed or went. */
export interface RemovedAnswer extends CountAnswer {
  left: { printers: string[]; displays: string[]; rulesChanged: string[]; rulesRemoved: string[] }
}

export interface TicketAnswer {
  ticketId: string
  printJobId: string
  /** As the client calls its order; empty: it is of none. */
  orderId: string
  /** The number of its order as on paper; empty: it has none. */
  orderNumber: string
  printerId: string
  printer: string
  movedFrom: string | null
  kind: string
  paper: string
  state: string
  reason: string | null
  attempts: number
  possibleDuplicate: boolean
  confirmation: string | null
  method: string | null
  receivedAt: string
  notBefore: string | null
  settledAt: string | null
  /** Characters that the paper shows as code points; null: not known. */
  unprintable: number | null
}

/** How far a test order has come. */
export interface TestOrderAnswer {
  printJobId: string
  /** As on paper and screens. */
  number: string
  receivedAt: string
  /** `printedAfterMs`: since it was received; null: not printed. */
  tickets: (TicketAnswer & { printedAfterMs: number | null })[]
  /** Screens that show it, or would if they were on. */
  displays: DisplayStanding[]
  readyAt: string | null
  pickedUpAt: string | null
  /** False: the numbers on its papers are no longer known, because the program was started since. */
  canTypeNumbers: boolean
  /** Each printer, station and screen: proved, or what is wrong. */
  check: CheckAnswer
}

export interface DisplayStanding {
  displayId: string
  name: string
  isAlive: boolean
  /** Drawn on the screen. */
  isSeen: boolean
}

export interface TicketPage {
  tickets: TicketAnswer[]
  /** `before` of the next page; null: this is the last. */
  next: number | null
}

export interface TimelineAnswer {
  at: string
  /** Since it was received. */
  afterMs: number
  step: string
  attempt: number | null
  by: string | null
}

export interface AttemptAnswer {
  attempt: number
  printer: string
  startedAt: string | null
  connectedAt: string | null
  firstByteAt: string | null
  lastByteAt: string | null
  endedAt: string
  outcome: string
  method: string | null
  reason: string | null
  detail: string | null
}

export interface TicketHistoryAnswer extends TicketAnswer {
  acceptedAt: string | null
  timeline: TimelineAnswer[]
  attemptList: AttemptAnswer[]
  trace: string[]
}

export type OrderHistoryAnswer = OrderHistoryOf<TicketHistoryAnswer>

export interface PreviewAnswer {
  profileId: string
  text: string
  svg: string
  operations: { offset: number; length: number; name: string; detail: string }[]
  warnings: string[]
  /** Characters of the order that this paper shows as code points. */
  unprintable: number
}

export interface ProfileAnswer {
  id: string
  vendor: string
  models: string[]
  columns: number
  cut: string
  image: string
  /** How the printer's own Chinese, Japanese or Korean characters are sent; null: it has none. */
  kanji: KanjiMode | null
  /** Die-cut labels of this height; null: a roll. */
  labelMm: number | null
}

export interface BoxSettingsAnswer extends BoxSettings {
  /** The time zone of paper, pages and screens: this one, otherwise the relay's. */
  timeZoneUsed: string
  /** That of the relay; null: the box is not paired. */
  relayTimeZone: string | null
}

export interface UserAnswer {
  userId: string
  name: string
  role: 'technician' | 'manager'
  createdAt: string
}

export interface LogAnswer {
  lines: { position: number; at: string; level: string; message: string; details: Record<string, unknown> }[]
  /** `before` of the next page; null: this is the last. */
  next: number | null
}

/** A screen in the kitchen. */
export interface DisplayAnswer {
  displayId: string
  name: string
  /** `runner` and `pick-up` have no stations, no backup printer and no buzzer. */
  kind: DisplayKind
  /** Empty: expo. */
  stations: string[]
  language: string
  backupPrinterId: string | null
  /** Its buzzer sounds when nobody has reacted to an order for so long; null: never. */
  buzzAfterS: number | null
  /** A pick-up board shows first names next to the numbers. */
  showNames: boolean
  signedInAt: string | null
  /** It reported within the last 15 seconds. */
  isAlive: boolean
  /** When its last report came; null while it is connected, and when there was none since the box started. */
  lastHeardAt: string | null
  /** Somebody has started the shift: sounds are on. */
  isOnShift: boolean
}

export interface CodeAnswer {
  code: string
  /** Path of the kitchen's page that signs in by it: for a QR code behind the box's address. */
  path: string
  expiresAt: string
}

export interface OperationAnswers {
  status: StatusAnswer
  'health.list': HealthAnswer
  'displays.take-over': DisplayAnswer
  'displays.give-back': DisplayAnswer
  'displays.print-board': CountAnswer
  'settings.get': BoxSettingsAnswer
  'settings.put': BoxSettingsAnswer
  'users.list': UserAnswer[]
  'users.add': UserAnswer
  'users.update': UserAnswer
  'users.remove': UserAnswer
  'admin.setup-code': { code: string }
  /** `code`: null when it is on the paper. */
  'admin.setup-ticket': QueuedAnswer & { code: string | null }
  'admin.reset': { code: string; users: number }
  'displays.list': DisplayAnswer[]
  'displays.add': DisplayAnswer & CodeAnswer
  'displays.update': DisplayAnswer
  'displays.remove': { displayId: string }
  'displays.code': CodeAnswer
  'logs.list': LogAnswer
  'diagnostics.export': FileAnswer
  'backup.make': BackupAnswer
  'backup.preview': BackupPreviewAnswer
  'backup.restore': RestoreAnswer
  'pairing.show': PairingAnswer
  'pairing.pair': PairingAnswer
  'pairing.unpair': PairingAnswer
  profiles: ProfileAnswer[]
  fonts: FontPack[]
  'box.figures': BoxFiguresAnswer
  'printers.list': PrinterAnswer[]
  'printers.add': PrinterAnswer
  'printers.update': PrinterAnswer
  'printers.remove': RemovedAnswer
  'printers.pause': PrinterAnswer
  'printers.resume': PrinterAnswer
  'printers.move': CountAnswer
  'printers.release': CountAnswer
  'printers.accept': PrinterAnswer & { family: FamilyAnswer }
  'printers.identify': IdentifyAnswer
  'printers.test': QueuedAnswer
  'printers.verify': VerifyAnswer
  'printers.sheet': QueuedAnswer
  'printers.drawer': QueuedAnswer
  'printers.setup-ticket': QueuedAnswer
  'jobs.list': TicketPage
  'jobs.show': TicketHistoryAnswer
  'jobs.cancel': TicketAnswer
  'jobs.move': TicketAnswer
  'jobs.reprint': QueuedAnswer
  'jobs.resolve': TicketAnswer
  'jobs.preview': PreviewAnswer
  'orders.list': OrderPage
  'orders.show': OrderHistoryAnswer
  'report.get': ReportAnswer
  'report.csv': CsvAnswer
  'orders.test': TestOrderAnswer
  'orders.progress': TestOrderAnswer
  'orders.number': TestOrderAnswer
  'stations.list': StationsAnswer
  'stations.assign': StationsAnswer
  'stations.rename': StationsAnswer
  'guide.get': GuideState
  'guide.put': GuideState
  'courses.list': HeldCourse[]
  'courses.fire': { order: string; course: number; outcome: 'done' | 'already' }
  'routing.get': { rules: readonly RoutingRule[] }
  'routing.put': { rules: readonly RoutingRule[] }
  'routing.what-if': WhatIf
  'routing.recent': RecentOrder[]
  'routing.preview': PreviewAnswer
  'discover.start': DiscoverAnswer
  'discover.results': DiscoverAnswer
  'discover.stop': DiscoverAnswer
  'logo.get': { png: string | null }
  'logo.put': { widthDots: number; heightDots: number }
  'logo.remove': Record<string, never>
}
