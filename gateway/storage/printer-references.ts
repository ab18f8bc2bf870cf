// References to a printer outside of its own row: backups of printers and displays, routing rules, its absence. All of them are removed with the printer, in its transaction.
import type { Statement } from 'better-sqlite3'
import { type RoutingRule, routingRules } from '#shared/tickets/routing-rules.ts'
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'

/** What the removal of a printer has changed, by name. */
export interface LeftBehind {
  /** Printers and displays that have no backup any more. */
  printers: readonly string[]
  displays: readonly string[]
  /** Routing rules that print at their other printers only. */
  rulesChanged: readonly string[]
  /** Routing rules that named no other printer: their lines are routed as if the rules had never existed. */
  rulesRemoved: readonly string[]
}

export class PrinterReferences {
  readonly #db: GatewayDatabase
  readonly #printers: Statement<[string], { name: string }>
  readonly #displays: Statement<[string], { name: string }>
  readonly #endAbsence: Statement<[string]>
  readonly #dropTarget: Statement<[string]>
  readonly #values: MetaValues<'routing'>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#db = db
    this.#printers = sql.prepare(
      `update printers set settings = json_set(settings, '$.backupPrinterId', json('null'))
       where case when json_valid(settings) then settings ->> '$.backupPrinterId' end = ? returning name`,
    )
    this.#displays = sql.prepare(
      'update displays set backup_printer_id = null where backup_printer_id = ? returning name',
    )
    this.#endAbsence = sql.prepare('delete from absences where printer_id = ?')
    this.#dropTarget = sql.prepare('update absences set target = null where target = ?')
    this.#values = new MetaValues(db)
  }

  /** Call it in the transaction that removes the printer. Other stores drop their caches. */
  clear(printerId: string): LeftBehind {
    this.#endAbsence.run(printerId)
    this.#dropTarget.run(printerId)
    const named = {
      printers: this.#printers.all(printerId).map(({ name }) => name),
      displays: this.#displays.all(printerId).map(({ name }) => name),
    }
    const left = { ...named, ...this.#clearRules(printerId) }
    this.#db.overwritten.notify()
    return left
  }

  #clearRules(printerId: string): Pick<LeftBehind, 'rulesChanged' | 'rulesRemoved'> {
    const rules = readRules(this.#values.get('routing') ?? '[]')
    const hit = rules.filter(({ print }) => print.printerIds.includes(printerId))
    if (hit.length === 0) return { rulesChanged: [], rulesRemoved: [] }
    const kept = rules.map((rule) => without(rule, printerId)).filter(({ print }) => print.printerIds.length > 0)
    this.#values.put('routing', JSON.stringify(kept))
    const [removed, changed] = [true, false].map((isAlone) =>
      hit.filter(({ print }) => print.printerIds.every((id) => id === printerId) === isAlone).map(({ name }) => name),
    )
    return { rulesChanged: changed ?? [], rulesRemoved: removed ?? [] }
  }
}

/** None when they cannot be read: stations and the default printer remain. */
export function readRules(text: string): readonly RoutingRule[] {
  try {
    return routingRules.parse(JSON.parse(text))
  } catch {
    return []
  }
}

function without(rule: RoutingRule, printerId: string): RoutingRule {
  return { ...rule, print: { ...rule.print, printerIds: rule.print.printerIds.filter((id) => id !== printerId) } }
}
