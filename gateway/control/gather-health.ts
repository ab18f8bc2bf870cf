// What the health of the box is decided by, asked of all its parts. Decides nothing itself.
import type { HealthFacts } from '#gateway/care/health-facts.ts'
import type { DisplayAnswer, PrinterAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { kindOfDevice, sideWords } from './device-words.ts'

/** A shift, so that who comes in the evening is told of the noon. */
const UNPRINTABLE_MS = 12 * 3_600_000
const MOST_UNPRINTABLE = 5

export type HealthSources = Pick<ControlHandlers, 'printers.list' | 'displays.list'>

export async function gatherHealth(context: ControlContext, handlers: HealthSources): Promise<HealthFacts> {
  const { about, box, boxFacts, clock, history, https, site, stationLines, time, users } = context
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
  return {
    nowMs,
    link: { ...link.link, unreported: link.unreported },
    printers: printers.map((printer) =>
      printerFacts(printer, context, onWallOf(oldest.get(printer.printerId), onWall)),
    ),
    displays: displays.map((display) => displayFacts(display, context, displays)),
    otherScreens: others.map((display) => displayFacts(display, context, displays)),
    stations: (await stationLines.seen(time.now())).map(({ station, lines }) => ({ station, lines })),
    ways: waysOf(context, displays),
    board: await boardFacts(context),
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
  { queue, clock }: ControlContext,
  oldestMs: number | null,
): HealthFacts['printers'][number] {
  const { known, found } = identity
  const sides = found && { known: sideWords(known), found: sideWords(found), deviceId: found.deviceId }
  const heardMs = queue.printers().find(({ printerId }) => printerId === printer.printerId)?.heardMs ?? null
  const isOverdue = heardMs !== null && clock.now() - heardMs > PRINTER_HEARD_MS
  const isUnheard = printer.state === 'unknown' || (printer.state === 'online' && isOverdue && !printer.settings.paused)
  return { ...printer, oldestMs, isUnheard, device: sides && { kind: kindOfDevice(identity), ...sides } }
}

function displayFacts(
  display: DisplayAnswer,
  { screens, box }: ControlContext,
  all: readonly DisplayAnswer[],
): HealthFacts['displays'][number] {
  const standIn = box.notes().standIns.find(({ by }) => by === display.displayId)
  const other = all.find(({ displayId }) => displayId === standIn?.displayId)
  const isSilent = display.signedInAt !== null && screens.isSilent(display.displayId)
  return { ...display, isSilent, standsInFor: other ? { displayId: other.displayId, name: other.name } : null }
}

function waysOf({ printers, queue, routing }: ControlContext, displays: readonly DisplayAnswer[]): HealthFacts['ways'] {
  const views = new Map(queue.printers().map((view) => [view.printerId, view]))
  return {
    printers: printers.all().map((printer) => {
      const view = views.get(printer.printerId)
      const isPaused = printer.settings.paused
      return { ...printer, state: view?.state ?? 'unknown', isPaused, ...(view && { ticketsGoTo: view.ticketsGoTo }) }
    }),
    displays,
    rules: [...routing.rules()],
  }
}

/** Null: it could not be read, as the log of the board says. */
async function boardFacts({ kitchen }: ControlContext): Promise<HealthFacts['board']> {
  try {
    const { orders, byDisplay } = await kitchen.unseen()
    return { unseen: orders.length, byDisplay }
  } catch {
    return null
  }
}
