// What is done when a screen is silent: another one shows its stations too, or its open orders are printed.
import type { StandIn } from '#gateway/storage/box-settings-store.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import { fold } from '#shared/tickets/route.ts'
import type { DisplayAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { unknownDisplay } from './display-operations.ts'
import { requirePrinter } from './printer-view.ts'
import { requireFewStations } from './station-limit.ts'

type Operations = Pick<ControlHandlers, 'displays.take-over' | 'displays.give-back' | 'displays.print-board'>

type KnownStandIn = StandIn & Required<Pick<StandIn, 'lent'>>

export function standInOperations(
  context: ControlContext,
  handlers: Pick<ControlHandlers, 'displays.list'>,
): Operations {
  const { displays, box, atomically, kitchen, screens } = context
  const required = (displayId: string): DisplayRecord => {
    const found = displays.find(displayId)
    if (!found) throw unknownDisplay(displayId)
    return found
  }
  /** @throws ControlRefusal, which takes back the note as well: a runner's screen has no stations */
  const setStations = (displayId: string, stations: readonly string[]): void => {
    requireFewStations(displays.find(displayId)?.name ?? displayId, stations)
    if (displays.update(displayId, { stations }).ok) return
    throw new ControlRefusal('refused', 'That screen cannot show stations: choose another one.', {
      said: { key: 'display.no-stations' },
    })
  }
  /** Without those of screens that are no more. */
  const known = (): KnownStandIn[] =>
    box.notes().standIns.flatMap((one) => {
      const lent = one.lent ?? displays.find(one.displayId)?.stations ?? []
      return displays.find(one.by) ? [{ ...one, lent }] : []
    })
  const release = (displayId: string, stands: Parameters<typeof givenBack>[1]): void => {
    const { kind, stations } = required(displayId)
    // Screens of other kinds have none, whatever they had before.
    if (kind === 'kitchen') setStations(displayId, givenBack(stations, stands))
  }
  const shown = async (wanted: string): Promise<DisplayAnswer> => {
    const found = (await handlers['displays.list']({})).find(({ displayId }) => displayId === wanted)
    if (!found) throw unknownDisplay(wanted)
    return found
  }
  return {
    'displays.take-over': async ({ displayId, by }) => {
      const silent = required(displayId)
      const other = required(by)
      requireTakeOver(silent, other, screens.isAlive(displayId))
      const standIns = known()
      // Its stations before the first of several take-overs.
      const before = standIns.find((one) => one.by === by)?.before ?? other.stations
      const ended = standIns.filter((one) => one.displayId === displayId)
      const going = standIns.filter((one) => one.displayId !== displayId)
      const added = { displayId, by, before: [...before], lent: [...silent.stations] }
      atomically(() => {
        box.note({ standIns: [...going, added] })
        // The screen that had taken over until now shows only its own again.
        for (const one of ended) if (one.by !== by) release(one.by, { ended: [one], going: ofScreen(going, one.by) })
        setStations(by, together(other.stations, silent.stations))
      })
      return await shown(by)
    },

    'displays.give-back': async ({ displayId }) => {
      required(displayId)
      const standIns = known()
      const ended = ofScreen(standIns, displayId)
      if (ended.length === 0)
        throw new ControlRefusal('refused', 'This screen has not taken over for another one.', {
          said: { key: 'display.no-stand-in' },
        })
      atomically(() => {
        box.note({ standIns: standIns.filter(({ by }) => by !== displayId) })
        release(displayId, { ended, going: [] })
      })
      return await shown(displayId)
    },

    'displays.print-board': async ({ printer }) => ({
      tickets: await kitchen.printBoard(requirePrinter(context, printer).printerId),
    }),
  }
}

function ofScreen(standIns: readonly KnownStandIn[], displayId: string): KnownStandIn[] {
  return standIns.filter(({ by }) => by === displayId)
}

/** @throws ControlRefusal when the one shows nothing that is lost, or the other one is not a kitchen screen */
function requireTakeOver(silent: DisplayRecord, other: DisplayRecord, isAlive: boolean): void {
  if (silent.displayId === other.displayId)
    throw new ControlRefusal('invalid', 'Another screen takes over: name one.', {
      said: { key: 'display.take-over-itself' },
    })
  if (other.kind !== 'kitchen')
    throw new ControlRefusal('refused', 'Only a kitchen screen can take over: cooks do not work from the others.', {
      said: { key: 'display.not-its-kind' },
    })
  if (silent.kind !== 'kitchen')
    throw new ControlRefusal('refused', 'Only a kitchen screen is taken over: this one shows no stations.', {
      said: { key: 'display.not-its-kind' },
    })
  if (isAlive)
    throw new ControlRefusal('refused', `${silent.name} answers: only a silent screen is taken over.`, {
      said: { key: 'display.answers', values: { display: silent.name } },
    })
}

type Lent = Pick<StandIn, 'before'> & { lent: readonly string[] }

/** What a screen shows while it has taken over for others. An empty list is expo, which shows everything. */
export function together(own: readonly string[], added: readonly string[]): string[] {
  return own.length === 0 || added.length === 0 ? [] : union(own, added)
}

/**
 * What a screen shows when it no longer replaces some: its stations before, and those still taken over, with what a person has added
 * since and without what a person has removed. If that is nothing, or if a person has changed between expo and stations,
 * it stays as the person left it: an empty list would be expo.
 * @param stations as it shows them now
 * @param ended at least one
 * @param going those that it still replaces
 */
export function givenBack(
  stations: readonly string[],
  { ended, going }: { ended: readonly Lent[]; going: readonly Lent[] },
): string[] {
  const before = ended[0]?.before ?? stations
  const still = going.map(({ lent }) => lent).reduce<readonly string[]>(together, before)
  const given = ended.map(({ lent }) => lent).reduce<readonly string[]>(together, still)
  if ((stations.length === 0) !== (given.length === 0)) return [...stations]
  if (still.length === 0 || given.length === 0) return [...still]
  const added = without(stations, given)
  const left = union(without(still, without(given, stations)), added)
  return left.length === 0 ? [...stations] : left
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others.map(fold))
  return some.filter((station) => !gone.has(fold(station)))
}

function union(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set<string>()
  return [...some, ...others].filter((station) => !known.has(fold(station)) && known.add(fold(station)))
}
