// What is wrong with a screen of the kitchen that only a person can mend: nothing prints what it does not show. Pure.
import type { DisplayAnswer, PrinterAnswer, RepairAnswer } from './answers.ts'
import { repair } from './repair.ts'

/** None for a screen that nobody has signed in to, and none where no printer could take over. */
export function displayRepairs(display: DisplayAnswer, printers: readonly PrinterAnswer[]): RepairAnswer[] {
  const { displayId, name, backupPrinterId, signedInAt, isAlive } = display
  // Printers come with the default one first.
  const [backup] = printers
  if (backupPrinterId !== null || signedInAt === null || !backup) return []
  const key = isAlive ? 'display-no-backup' : 'display-unseen'
  return [
    repair(key, {
      id: `${key}:${displayId}`,
      severity: isAlive ? 'info' : 'warning',
      title: isAlive
        ? `Display ${name} has no backup printer`
        : `Display ${name} is silent, and nothing prints instead`,
      text: isAlive
        ? 'Nothing prints its orders when it is silent. Choose a printer that does.'
        : 'Orders of its stations are shown nowhere else. Switch the screen on, or choose a printer that prints them meanwhile.',
      values: { display: name, backup: backup.name },
      fix: {
        operation: 'displays.update',
        input: { displayId, backupPrinter: backup.printerId },
        label: `Let ${backup.name} print them`,
      },
    }),
  ]
}
