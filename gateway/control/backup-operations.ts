// Backup of the box's configuration, and taking it over on this box or another. Identity stays with the box: it keeps its own stream and pairing.
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { toIso } from '#shared/clock.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { type Backup, packBackup, readBackup } from './backup-file.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { dayAndTime } from './diagnostics-operations.ts'
import { drawnLogo } from './logo-operations.ts'
import { refusalOf } from './printer-view.ts'

export function backupOperations(context: ControlContext): Pick<ControlHandlers, 'backup.make' | 'backup.restore'> {
  return {
    'backup.make': async () => {
      const { clock, printers, routing, users, logo, box, about } = context
      const madeAtMs = clock.now()
      const picture = logo.read()
      const content = {
        madeAt: toIso(madeAtMs),
        app: about().app,
        box: box.settings(),
        printers: printers
          .all()
          .map(({ capability: _, device: __, stations, ...printer }) => ({ ...printer, stations: [...stations] })),
        rules: [...routing.rules()],
        users: users.withPasswords(),
        logo: picture === null ? null : Buffer.from(picture).toString('base64'),
      }
      const bytes = await packBackup(content)
      return {
        fileName: `ticketrail-backup-${dayAndTime(madeAtMs)}.json.gz`,
        mediaType: 'application/gzip',
        base64: bytes.toString('base64'),
        contents: Object.entries(content).map(([name, part]) => ({ name, bytes: JSON.stringify(part).length })),
      }
    },

    'backup.restore': async ({ base64 }) => {
      const backup = await readBackup(Buffer.from(base64, 'base64'))
      const { users, time, box, routing, logo } = context
      const picture = backup.logo === null ? null : Buffer.from(backup.logo, 'base64')
      if (picture !== null) await drawnLogo(picture)
      const { ids, added } = await restorePrinters(context, backup)
      const rules = backup.rules.map((rule) => withIds(rule, ids))
      routing.save(rules)
      box.change(backup.box)
      if (picture !== null) logo.save(picture)
      const outcomes = backup.users.map((user) => users.add(user, time.now()))
      const known = outcomes.filter(({ ok }) => !ok).length
      return {
        printersAdded: added,
        printersChanged: backup.printers.length - added,
        rules: rules.length,
        users: outcomes.length - known,
        notes: [
          ...(known === 0 ? [] : [`${known} users were here already and keep their passwords.`]),
          'Pairing and displays belong to a box: pair this one, and add its displays anew.',
        ],
      }
    },
  }
}

/** By name: known printers are changed, others added, and those that the backup does not name stay. */
async function restorePrinters(
  { queue, printers }: ControlContext,
  backup: Backup,
): Promise<{ ids: ReadonlyMap<string, string>; added: number }> {
  const ids = new Map<string, string>()
  let added = 0
  for (const { printerId, isDefault: _, settings, ...printer } of backup.printers) {
    // The backup may come later in the list: set below.
    const alone = { ...settings, backupPrinterId: null }
    const known = named(printers.all(), printer.name)
    const change = known
      ? await queue.updatePrinter(known.printerId, { ...printer, settings: alone })
      : await queue.addPrinter({ ...printer, settings: alone })
    if (!change.ok) throw refusalOf(change.reason)
    if (!known) added++
    ids.set(printerId, change.printer.printerId)
  }
  for (const { printerId, isDefault, settings } of backup.printers) {
    const backupPrinterId = ids.get(settings.backupPrinterId ?? '') ?? null
    const change = await queue.updatePrinter(ids.get(printerId) ?? '', {
      settings: { backupPrinterId },
      ...(isDefault ? { isDefault: true as const } : {}),
    })
    if (!change.ok) throw refusalOf(change.reason)
  }
  return { ids, added }
}

function named(printers: readonly PrinterRecord[], name: string): PrinterRecord | undefined {
  const wanted = name.trim().toLowerCase()
  return printers.find((printer) => printer.name.trim().toLowerCase() === wanted)
}

/** Printers may have other ids on another box. */
function withIds(rule: RoutingRule, ids: ReadonlyMap<string, string>): RoutingRule {
  const printerIds = rule.print.printerIds.map((id) => ids.get(id) ?? id)
  return { ...rule, print: { ...rule.print, printerIds } }
}
