// The kitchen's screens as a technician or manager sets them up: names, stations, one-time codes, what prints while they are silent.
import type { DisplayChange, DisplayRecord } from '#gateway/storage/display-store.ts'
import { toIso } from '#shared/clock.ts'
import type { CodeAnswer, DisplayAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

type Operations = Pick<
  ControlHandlers,
  'displays.list' | 'displays.add' | 'displays.update' | 'displays.remove' | 'displays.code'
>

export function displayOperations(context: ControlContext): Operations {
  const { displays, printers, time } = context
  const codeFor = (displayId: string): CodeAnswer => {
    const made = displays.newCode(displayId, time.now())
    if (!made) throw unknownDisplay(displayId)
    return { code: made.code, path: `/kitchen/#code=${made.code}`, expiresAt: toIso(made.expiresAtMs) }
  }
  /** By id or name; null and absent stay what they are. */
  const backupOf = (named: string | null | undefined): { backupPrinterId?: string | null } => {
    if (named === undefined || named === null) return named === null ? { backupPrinterId: null } : {}
    const found = printers
      .all()
      .find(({ printerId, name }) => printerId === named || name.toLowerCase() === named.toLowerCase())
    if (!found)
      throw new ControlRefusal('not-found', `There is no printer ${named}.`, {
        said: { key: 'printer.unknown-printer' },
      })
    return { backupPrinterId: found.printerId }
  }
  const done = (change: DisplayChange, displayId: string): DisplayAnswer => {
    if (change.ok) return displayOf(context, change.display)
    if (change.reason === 'unknown-display') throw unknownDisplay(displayId)
    throw new ControlRefusal('refused', WORDS[change.reason], { said: { key: `display.${change.reason}` } })
  }
  return {
    'displays.list': () => displays.all().map((display) => displayOf(context, display)),

    'displays.add': ({ backupPrinter, ...display }) => {
      const facts = { ...display, backupPrinterId: backupOf(backupPrinter).backupPrinterId ?? null }
      const added = done(displays.add(facts, time.now()), display.name)
      return { ...added, ...codeFor(added.displayId) }
    },

    'displays.update': ({ displayId, backupPrinter, name, kind, stations, language, buzzAfterS, showNames }) => {
      const change = {
        ...(name !== undefined && { name }),
        ...(kind !== undefined && { kind }),
        ...(stations !== undefined && { stations }),
        ...(language !== undefined && { language }),
        ...(buzzAfterS !== undefined && { buzzAfterS }),
        ...(showNames !== undefined && { showNames }),
        ...backupOf(backupPrinter),
      }
      return done(displays.update(displayId, change), displayId)
    },

    'displays.remove': ({ displayId }) => {
      if (!displays.remove(displayId)) throw unknownDisplay(displayId)
      return { displayId }
    },

    'displays.code': ({ displayId }) => codeFor(displayId),
  }
}

const WORDS = {
  'name-taken': 'Another display has this name.',
  'not-its-kind':
    'Only a kitchen screen has stations, a backup printer and a buzzer, and only a pick-up board shows names.',
  'too-many': 'There are 64 displays: remove one that is no longer used.',
} as const

export function unknownDisplay(displayId: string): ControlRefusal {
  return new ControlRefusal('not-found', `There is no display ${displayId}.`, {
    said: { key: 'display.unknown-display' },
  })
}

function displayOf({ screens, time, printers }: ControlContext, display: DisplayRecord): DisplayAnswer {
  const { displayId, name, kind, stations, language, backupPrinterId, buzzAfterS, showNames, claimedAtMs } = display
  const isAlive = screens.isAlive(displayId)
  const backup = backupPrinterId === null ? null : printers.find(backupPrinterId)
  const agoMs = isAlive ? null : screens.heardAgoMs(displayId)
  return {
    displayId,
    name,
    kind,
    stations: [...stations],
    language,
    backupPrinterId: backup?.printerId ?? null,
    buzzAfterS,
    showNames,
    signedInAt: claimedAtMs === null ? null : toIso(claimedAtMs),
    isAlive,
    // Whole seconds: it stays the same between reads.
    lastHeardAt: agoMs === null ? null : toIso(Math.round((time.now() - agoMs) / 1_000) * 1_000),
    isOnShift: screens.isOnShift(displayId),
  }
}
