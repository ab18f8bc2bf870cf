// What is done when a screen is silent: another one shows its stations too, or its open orders are printed.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import { fold } from '#shared/tickets/route.ts'
import type { DisplayAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { unknownDisplay } from './display-operations.ts'
import { requirePrinter } from './printer-view.ts'

type Operations = Pick<ControlHandlers, 'displays.take-over' | 'displays.give-back' | 'displays.print-board'>

export function standInOperations(
  context: ControlContext,
  handlers: Pick<ControlHandlers, 'displays.list'>,
): Operations {
  const { displays, box, atomically, kitchen } = context
  const required = (displayId: string): DisplayRecord => {
    const found = displays.find(displayId)
    if (!found) throw unknownDisplay(displayId)
    return found
  }
  /** @throws ControlRefusal, which takes back the note as well: a runner's screen has no stations */
  const setStations = (displayId: string, stations: readonly string[]): void => {
    if (displays.update(displayId, { stations }).ok) return
    throw new ControlRefusal('refused', 'That screen cannot show stations: choose another one.', [], {
      key: 'display.no-stations',
    })
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
      if (silent.displayId === other.displayId)
        throw new ControlRefusal('invalid', 'Another screen takes over: name one.', [], {
          key: 'display.take-over-itself',
        })
      if (other.kind !== 'kitchen')
        throw new ControlRefusal('refused', 'Only a kitchen screen takes over: no cook looks at the others.', [], {
          key: 'display.not-its-kind',
        })
      const { standIns } = box.notes()
      // What it had before the first of several that it stands in for.
      const before = standIns.find((one) => one.by === by)?.before ?? other.stations
      const others = standIns.filter((one) => one.displayId !== displayId)
      atomically(() => {
        box.note({ standIns: [...others, { displayId, by, before: [...before] }] })
        setStations(by, together(other.stations, silent.stations))
      })
      return await shown(by)
    },

    'displays.give-back': async ({ displayId }) => {
      const { stations } = required(displayId)
      const { standIns } = box.notes()
      const own = standIns.find(({ by }) => by === displayId)
      if (!own)
        throw new ControlRefusal('refused', 'This screen stands in for no other one.', [], {
          key: 'display.no-stand-in',
        })
      const ended = standIns.filter(({ by }) => by === displayId)
      const lent = ended.flatMap((one) => displays.find(one.displayId)?.stations ?? [])
      atomically(() => {
        box.note({ standIns: standIns.filter(({ by }) => by !== displayId) })
        setStations(displayId, withoutLent(stations, own.before, lent))
      })
      return await shown(displayId)
    },

    'displays.print-board': async ({ printer }) => ({
      tickets: await kitchen.printBoard(requirePrinter(context, printer).printerId),
    }),
  }
}

/** An empty list is expo, which shows everything. */
function together(own: readonly string[], added: readonly string[]): string[] {
  if (own.length === 0 || added.length === 0) return []
  const known = new Set(own.map(fold))
  return [...own, ...added.filter((station) => !known.has(fold(station)))]
}

/** What it had before, with what a person has given it since. */
function withoutLent(stations: readonly string[], before: readonly string[], lent: readonly string[]): string[] {
  if (before.length === 0) return []
  const known = new Set([...before, ...lent].map(fold))
  return [...before, ...stations.filter((station) => !known.has(fold(station)))]
}
