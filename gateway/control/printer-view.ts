// Printers as operations answer them, and how one is found by the name that a person types.

import { confirmLevelOf } from '#gateway/printers/confirm-level.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord, PrinterRefusal } from '#gateway/storage/printer-store.ts'
import { hintWhileAway } from '#shared/away-hint.ts'
import { toIso } from '#shared/clock.ts'
import type { NoteAnswer, PrinterAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { isRefusedAddress } from './printer-address-policy.ts'
import { identityOf, isAsked, type PrinterWatch } from './printer-device.ts'

type Known = Pick<ControlContext, 'printers' | 'queue' | 'history'>

/** By id, else by name without regard to case. @throws ControlRefusal that lists the names */
export function requirePrinter({ printers }: Pick<ControlContext, 'printers'>, idOrName: string): PrinterRecord {
  const all = printers.all()
  const wanted = idOrName.trim().toLowerCase()
  const found =
    all.find(({ printerId }) => printerId === idOrName) ?? all.find(({ name }) => name.trim().toLowerCase() === wanted)
  if (found) return found
  const names = all.map(({ name }) => name)
  const known = names.length === 0 ? 'No printer is set up yet: add one.' : `There are: ${names.join(', ')}.`
  throw new ControlRefusal('not-found', `There is no printer ${idOrName}. ${known}`, {
    said: { key: 'printer.unknown-printer' },
  })
}

/** The printer that tickets shall move to. @throws ControlRefusal also when they are there already */
export function otherThan(context: Pick<ControlContext, 'printers'>, printerId: string, idOrName: string): string {
  const other = requirePrinter(context, idOrName).printerId
  if (other === printerId)
    throw new ControlRefusal('invalid', 'Tickets move to another printer: name one.', {
      said: { key: 'printer.move-to-itself' },
    })
  return other
}

export function printerAnswers(context: Known, watch: PrinterWatch): PrinterAnswer[] {
  const views = new Map(context.queue.printers().map((view) => [view.printerId, view]))
  const { parkedByPrinter } = context.history.counts()
  return context.printers.all().map((printer) => {
    const view = views.get(printer.printerId)
    const told = [...awayNotes(context, printer, view), ...watch.notesOf(printer)]
    return {
      ...answerOf(printer, view, parkedByPrinter.get(printer.printerId) ?? 0),
      ...awayHint(view, told),
      ...refusedHealth(view, told),
      notes: told.map(({ text }) => text),
      told,
      identity: identityOf(printer, view, watch.foundOf(printer)),
    }
  })
}

/** If no connection is made, silence is not the cause: the health has the refusal, with what to do. */
function refusedHealth(
  view: PrinterView | undefined,
  told: readonly NoteAnswer[],
): Partial<Pick<PrinterAnswer, 'state' | 'reasons' | 'hint'>> {
  const refusal = told.find(isRefusedAddress)
  if (!refusal || view?.state === 'online') return {}
  return { state: 'offline', reasons: ['not-allowed'], hint: refusal.text }
}

/** For a printer whose tickets another one prints, its words include that. */
function awayHint(view: PrinterView | undefined, told: readonly NoteAnswer[]): Partial<Pick<PrinterAnswer, 'hint'>> {
  const backup = told.find(({ key }) => key === 'away')?.values['backup']
  return view === undefined || backup === undefined ? {} : { hint: hintWhileAway(view.hint, String(backup)) }
}

function awayNotes({ printers }: Known, { printerId }: PrinterRecord, view: PrinterView | undefined): NoteAnswer[] {
  const to = view === undefined || view.ticketsGoTo === printerId ? null : printers.find(view.ticketsGoTo)
  if (to === null) return []
  const text = `It is away: its tickets go to ${to.name} until it prints again.`
  return [{ key: 'away', values: { backup: to.name }, text }]
}

function answerOf(
  printer: PrinterRecord,
  view: PrinterView | undefined,
  parked: number,
): Omit<PrinterAnswer, 'notes' | 'told' | 'identity'> {
  const { printerId, name, host, port, profileId, isDefault, settings } = printer
  return {
    printerId,
    name,
    host,
    port,
    profileId,
    stations: [...printer.stations],
    isDefault,
    state: view?.state ?? 'unknown',
    reasons: [...(view?.reasons ?? [])],
    hint: view?.hint ?? 'The printer has not been asked yet.',
    since: toIso(view?.sinceMs ?? 0),
    queued: view?.queued ?? 0,
    parked,
    confirm: { ...confirmLevelOf(printer.capability), isAsked: isAsked(printer, view) },
    testedAt: settings.testedAtMs === null ? null : toIso(settings.testedAtMs),
    settings,
  }
}

const REFUSALS: Readonly<Record<PrinterRefusal, string>> = {
  'unknown-printer': 'There is no such printer any more.',
  'name-taken': 'Another printer has this name: choose another one.',
  'too-many': 'A gateway has at most 32 printers: remove one first.',
  'unknown-backup': 'The backup printer is not there: name one that is set up.',
  'backup-is-itself': 'A printer cannot be its own backup: name another one.',
  'tickets-wait': 'Tickets wait at this printer: move them to another one first, or let them print.',
  printing: 'A ticket is on its way to this printer: wait until it has ended, or switch the printer off.',
}

export function refusalOf(reason: PrinterRefusal): ControlRefusal {
  const kind = reason === 'unknown-printer' ? 'not-found' : 'refused'
  return new ControlRefusal(kind, REFUSALS[reason], { said: { key: `printer.${reason}` } })
}
