// Backup of the box's configuration, and taking it over on this box or another. Identity stays with the box: it keeps its own stream and pairing.
import type { BoxSettings } from '#gateway/storage/box-settings-store.ts'
import type { PrinterChange, PrinterRecord } from '#gateway/storage/printer-store.ts'
import { type PrinterWriter, WRITTEN_HERE } from '#gateway/storage/printer-writes.ts'
import { toIso } from '#shared/clock.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import type { BackupHolds, BackupPreviewAnswer } from './backup-answers.ts'
import { type Backup, type BackupKey, type OpenedBackup, openBackup, packBackup } from './backup-file.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { dayAndTime } from './diagnostics-operations.ts'
import { drawnLogo } from './logo-operations.ts'
import { refuseWeakPassphrase } from './password-rules.ts'
import { refusalOf } from './printer-view.ts'
import { userRefusal } from './user-operations.ts'

type Operations = Pick<ControlHandlers, 'backup.make' | 'backup.preview' | 'backup.restore'>

export function backupOperations(context: ControlContext): Operations {
  const { passwords, box, site } = context
  let isOneUnderWay = false
  /**
   * A key takes up to 64 MB, and for seconds one of the threads that draw tickets: no second one is queued, and none runs during a crowd of
   * sign-ins. @throws ControlRefusal
   */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isOneUnderWay || passwords.isBusy) throw busy()
    isOneUnderWay = true
    try {
      return await work()
    } finally {
      isOneUnderWay = false
    }
  }
  /** Nothing that is found out later: also its picture can be drawn. */
  const opened = async ({ base64, ...key }: BackupKey & { base64: string }): Promise<OpenedBackup> => {
    const found = await openBackup(Buffer.from(base64, 'base64'), key, passwords)
    if (found.backup.logo !== null) await drawnLogo(Buffer.from(found.backup.logo, 'base64'))
    return found
  }
  return {
    'backup.make': ({ passphrase }) =>
      alone(async () => {
        await refuseWeakPassphrase(passphrase, [box.settings().name, site.merchantName])
        const content = contentOf(context)
        const bytes = await packBackup(content, passphrase, passwords)
        box.note({ backupAtMs: context.clock.now() })
        return {
          fileName: `ticketrail-backup-${dayAndTime(context.clock.now())}.trbackup`,
          mediaType: 'application/octet-stream',
          base64: bytes.toString('base64'),
          holds: holdsOf(content),
        }
      }),

    'backup.preview': (file) => alone(async () => previewOf(context, await opened(file))),

    'backup.restore': ({ people, ...file }) =>
      alone(async () => {
        const found = await opened(file)
        const users = chosenPeople(found, people)
        const { backup } = found
        const { added, known } = takeOver(context, { ...backup, users })
        return {
          printersAdded: added,
          printersChanged: backup.printers.length - added,
          rules: backup.rules.length,
          users: users.length - known,
          notes: [
            ...(known === 0 ? [] : [`${known} users were here already and keep their passwords.`]),
            'Pairing and displays belong to a box: pair this one, and add its displays anew.',
          ],
        }
      }),
  }
}

function busy(): ControlRefusal {
  const message =
    'The box is busy with another backup, or with people who sign in: try again in a moment. Nothing was done.'
  return new ControlRefusal('refused', message, { said: { key: 'backup.busy' } })
}

function contentOf({ clock, printers, routing, users, logo, box, about }: ControlContext): Backup {
  const picture = logo.read()
  return {
    madeAt: toIso(clock.now()),
    app: about().app,
    box: keptSettings(box.settings()),
    printers: printers
      .all()
      .map(({ capability: _, device: __, stations, ...printer }) => ({ ...printer, stations: [...stations] })),
    rules: [...routing.rules()],
    users: users.withPasswords(),
    logo: picture === null ? null : Buffer.from(picture).toString('base64'),
  }
}

function holdsOf({ printers, users, rules, logo }: Backup): BackupHolds {
  return { printers: printers.length, people: users.length, rules: rules.length, hasLogo: logo !== null }
}

function previewOf(
  { printers, users, routing, box }: ControlContext,
  { backup, isProtected }: OpenedBackup,
): BackupPreviewAnswer {
  const standingOf = (printer: Backup['printers'][number]) => {
    const known = named(printers.all(), printer.name)
    if (!known) return 'new'
    return factsOf(known) === factsOf(printer) ? 'same' : 'changed'
  }
  return {
    madeAt: backup.madeAt,
    app: backup.app,
    isProtected,
    printers: backup.printers.map((printer) => {
      const { name, host, port, profileId } = printer
      return { name, host, port, profileId, standing: standingOf(printer) }
    }),
    rules: backup.rules.map(({ name }) => name),
    rulesReplaced: routing.rules().length,
    settings: settingsAfter(box.settings(), backup.box),
    settingsNow: box.settings(),
    hasLogo: backup.logo !== null,
    people: backup.users.map(({ name, role }) => ({
      name,
      role,
      standing: users.forSignIn(name) === null ? 'new' : 'here',
    })),
  }
}

/** What was never set where the backup was made takes nothing away here. */
function settingsAfter(now: BoxSettings, { name, timeZone, language, thresholds }: Backup['box']): BoxSettings {
  const kept = thresholds ?? now.thresholds
  return { name: name || now.name, timeZone: timeZone || now.timeZone, language, thresholds: kept }
}

/** Older programs can read it as long as nothing is set that they do not support. */
function keptSettings({ thresholds, ...settings }: BoxSettings): Backup['box'] {
  return Object.keys(thresholds).length === 0 ? settings : { ...settings, thresholds: { ...thresholds } }
}

/** As far as it can be compared between boxes: ids differ. */
function factsOf({
  name,
  host,
  port,
  profileId,
  stations,
  settings,
}: Backup['printers'][number] | PrinterRecord): string {
  const { backupPrinterId: _, ...others } = settings
  return JSON.stringify([name, host, port, profileId, stations, Object.entries(others).sort()])
}

/** People are restored only by name. @throws ControlRefusal */
function chosenPeople({ backup, isProtected }: OpenedBackup, names: readonly string[]): Backup['users'] {
  if (names.length > 0 && !isProtected)
    throw refusedPeople(
      'backup.plain-people',
      'this backup has no passphrase, so anybody may have put people into it: add them anew instead',
    )
  return names.map((name) => {
    const found = backup.users.find((user) => isAlike(user.name, name))
    if (!found) throw refusedPeople('backup.unknown-person', `the backup has no person called ${name}`)
    return found
  })
}

function refusedPeople(key: string, message: string): ControlRefusal {
  return new ControlRefusal('invalid', `people: ${message}`, { errors: [{ field: 'people', message }], said: { key } })
}

/** All of it in one transaction, or nothing. @throws ControlRefusal */
function takeOver(context: ControlContext, backup: Backup): { added: number; known: number } {
  const { atomically, queue, kitchen, routing, box, logo, log } = context
  const before = logo.read()
  let isPictureNew = false
  try {
    const outcome = atomically(() => {
      const { ids, added } = restorePrinters(context, backup)
      routing.save(backup.rules.map((rule) => withIds(rule, ids)))
      box.change(settingsAfter(box.settings(), backup.box))
      const known = restorePeople(context, backup.users)
      // A file, so it comes last before the commit: a power cut between the two changes the picture on receipts alone.
      if (backup.logo !== null) logo.save(Buffer.from(backup.logo, 'base64'))
      isPictureNew = backup.logo !== null
      return { added, known }
    })
    queue.printersWereWritten()
    kitchen.boxWasChanged()
    const people = backup.users.map(({ name }) => name)
    if (people.length > 0) log.warn({ people }, 'people were taken over from a backup')
    return outcome
  } catch (error) {
    if (isPictureNew && before === null) logo.remove()
    if (isPictureNew && before !== null) logo.save(before)
    throw error
  }
}

/** By name: known printers are changed, others added, and those that the backup does not name stay. */
function restorePrinters(
  { printers, time }: ControlContext,
  backup: Backup,
): { ids: ReadonlyMap<string, string>; added: number } {
  const by: PrinterWriter = { who: WRITTEN_HERE, atMs: time.now() }
  const ids = new Map<string, string>()
  let added = 0
  for (const { printerId, isDefault: _, settings, ...printer } of backup.printers) {
    // The backup may come later in the list: set below.
    const alone = { ...printer, settings: { ...settings, backupPrinterId: null } }
    const known = named(printers.all(), printer.name)
    const stored = written(known ? printers.update(known.printerId, alone, by) : printers.add(alone, by))
    if (!known) added++
    ids.set(printerId, stored.printerId)
  }
  for (const { printerId, isDefault, settings } of backup.printers) {
    const backupPrinterId = ids.get(settings.backupPrinterId ?? '') ?? null
    const roles = { settings: { backupPrinterId }, ...(isDefault ? { isDefault: true as const } : {}) }
    written(printers.update(ids.get(printerId) ?? '', roles, by))
  }
  return { ids, added }
}

function written(change: PrinterChange): PrinterRecord {
  if (change.ok) return change.printer
  throw refusalOf(change.reason)
}

/** People who already exist keep password and role. @returns how many those are */
function restorePeople({ users, time }: ControlContext, people: Backup['users']): number {
  let known = 0
  for (const person of people) {
    const outcome = users.add(person, time.now())
    if (outcome.ok) continue
    if (outcome.reason !== 'name-taken') throw userRefusal(outcome.reason)
    known++
  }
  return known
}

function named(printers: readonly PrinterRecord[], name: string): PrinterRecord | undefined {
  return printers.find((printer) => isAlike(printer.name, name))
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** Printers may have other ids on another box. */
function withIds(rule: RoutingRule, ids: ReadonlyMap<string, string>): RoutingRule {
  const printerIds = rule.print.printerIds.map((id) => ids.get(id) ?? id)
  return { ...rule, print: { ...rule.print, printerIds } }
}
