// What the health of the box is decided by, asked of all its parts. Decides nothing itself.
import type { HealthFacts } from '#gateway/care/health-facts.ts'
import type { DisplayAnswer, PrinterAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { kindOfDevice, sideWords } from './device-words.ts'

/** A shift, so that the evening still sees the noon. */
const UNPRINTABLE_MS = 12 * 3_600_000
const MOST_UNPRINTABLE = 5

export type HealthSources = Pick<ControlHandlers, 'printers.list' | 'displays.list'>

/** @param seen which stations orders name */
export async function gatherHealth(
  context: ControlContext,
  handlers: HealthSources,
  seen: SeenStations,
): Promise<HealthFacts> {
  const { about, box, boxFacts, clock, history, https, queue, site, time, users } = context
  const printers = await handlers['printers.list']({})
  const screens = await handlers['displays.list']({})
  const displays = screens.filter(({ kind }) => kind === 'kitchen')
  const others = screens.filter(({ kind }) => kind !== 'kitchen')
  const link = about()
  const nowMs = clock.now()
  // Of tickets and orders all instants are relay time.
  const onWall = (ms: number): number => ms - time.now() + nowMs
  const oldest = context.waiting.oldestByPrinter()
  const people = users.all()
  const heard = new Map(queue.printers().map(({ printerId, heardMs }) => [printerId, heardMs]))
  const shown = displays.map((display) => displayFacts(display, context, displays))
  return {
    nowMs,
    link: { ...link.link, unreported: link.unreported },
    printers: printers.map((printer) => ({
      ...printerFacts(printer, { heardMs: heard.get(printer.printerId) ?? null, nowMs }),
      oldestMs: onWallOf(oldest.get(printer.printerId), onWall),
    })),
    displays: shown,
    otherScreens: others.map((display) => displayFacts(display, context, displays)),
    stations: await seen.now(),
    ways: context.ways(),
    board: await boardFacts(context, shown),
    box: boxFacts(),
    https: https(),
    zone: { own: box.settings().timeZone, relay: site.relayTimeZone ?? null },
    people: {
      users: people.length,
      sinceMs: people.length === 0 ? null : Math.min(...people.map(({ createdAtMs }) => createdAtMs)),
      backupMs: box.notes().backupAtMs,
      pageUrls: context.pageUrls(),
    },
    unprintable: history.withUnprintable(time.now() - UNPRINTABLE_MS, MOST_UNPRINTABLE).map((ticket) => ({
      ...ticket,
      settledAtMs: ticket.settledAtMs === null ? null : onWall(ticket.settledAtMs),
    })),
  }
}

const onWallOf = (ms: number | undefined, onWall: (ms: number) => number): number | null =>
  ms === undefined ? null : onWall(ms)

/** Twice the time after which an idle printer is asked, with its spread. */
const PRINTER_HEARD_MS = 150_000

function printerFacts(
  { identity, ...printer }: PrinterAnswer,
  { heardMs, nowMs }: { heardMs: number | null; nowMs: number },
): Omit<HealthFacts['printers'][number], 'oldestMs'> {
  const { known, found } = identity
  const sides = found && { known: sideWords(known), found: sideWords(found), deviceId: found.deviceId }
  const isOverdue = heardMs !== null && nowMs - heardMs > PRINTER_HEARD_MS
  const isUnheard = printer.state === 'unknown' || (printer.state === 'online' && isOverdue && !printer.settings.paused)
  return { ...printer, isUnheard, device: sides && { kind: kindOfDevice(identity), ...sides } }
}

function displayFacts(
  display: DisplayAnswer,
  { screens, box }: ControlContext,
  all: readonly DisplayAnswer[],
): HealthFacts['displays'][number] {
  const { standIns } = box.notes()
  const standIn = standIns.find(({ by }) => by === display.displayId)
  const other = all.find(({ displayId }) => displayId === standIn?.displayId)
  const isSilent = display.signedInAt !== null && screens.isSilent(display.displayId)
  const isStuck = isSilent && screens.isStuck(display.displayId)
  const isCovered = standIns.some(({ displayId, by }) => displayId === display.displayId && screens.isAlive(by))
  const standsInFor = other ? { displayId: other.displayId, name: other.name } : null
  return { ...display, isSilent, isStuck, standsInFor, isCovered }
}

/** The board is not read for nothing: while no screen is silent, all orders are on one. Null: it could not be read. */
async function boardFacts(
  { kitchen }: ControlContext,
  displays: HealthFacts['displays'],
): Promise<HealthFacts['board']> {
  if (!displays.some(({ isSilent }) => isSilent)) return { unseen: 0, byDisplay: new Map() }
  try {
    const { orders, byDisplay } = await kitchen.unseen()
    return { unseen: orders.length, byDisplay }
  } catch {
    return null
  }
}

/** The new orders are gone through once a minute, more rarely while something waits to print: looking must not slow what prints. */
const LOOK_EVERY_MS = 60_000
/** A dead printer with a ticket must not stop it for days. */
const LOOK_AT_LAST_MS = 6 * LOOK_EVERY_MS

export class SeenStations {
  readonly #context: Pick<ControlContext, 'stationLines' | 'history' | 'clock' | 'time'>
  #seen: HealthFacts['stations'] = []
  #lookedMs: number | null = null

  constructor(context: Pick<ControlContext, 'stationLines' | 'history' | 'clock' | 'time'>) {
    this.#context = context
  }

  async now(): Promise<HealthFacts['stations']> {
    const { stationLines, history, clock, time } = this.#context
    const nowMs = clock.monotonicMs()
    const ageMs = this.#lookedMs === null ? Number.POSITIVE_INFINITY : nowMs - this.#lookedMs
    if (ageMs < LOOK_EVERY_MS || (ageMs < LOOK_AT_LAST_MS && history.isAnyQueued())) return this.#seen
    this.#lookedMs = nowMs
    this.#seen = await stationLines.seen(time.now())
    return this.#seen
  }
}
