// A removed printer: no row that affects later paper refers to it any more, in any table.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { DisplayStore } from './display-store.ts'
import { MIGRATIONS } from './migrations.ts'

/** Past events keep the names that they had: tickets and their attempts. */
const HISTORY = new Set(['tickets', 'attempts'])
const CELLAR = { ...GRILL, name: 'Cellar', port: 9102, stations: ['wine'] }
const BY = { who: 'this box', atMs: 9 }

let core: GatewayCore
let displays: DisplayStore
beforeEach(() => {
  core = new GatewayCore([GRILL, CELLAR])
  displays = new DisplayStore(core.db)
})
afterEach(() => core.stop())

/** Tables in which a value is the id, or contains it as JSON. */
function tablesThatName(id: string): string[] {
  const { sqlite } = core.db
  const tables = sqlite.prepare<[], { name: string }>("select name from sqlite_schema where type = 'table'").all()
  const named = tables.filter(({ name }) => {
    const values = (sqlite.prepare(`select * from ${name}`).all() as Record<string, unknown>[]).flatMap(Object.values)
    return values.some((value) => value === id || (typeof value === 'string' && value.includes(`"${id}"`)))
  })
  return named.map(({ name }) => name).filter((name) => !HISTORY.has(name))
}

function rule(name: string, ...printerIds: string[]): RoutingRule {
  return { name, when: {}, print: { printerIds, paper: 'kitchen' }, stop: false }
}

/** References the cellar's printer everywhere. */
function nameItEverywhere(): void {
  core.set('grill', { backupPrinterId: 'cellar' })
  displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: 'cellar', buzzAfterS: 30 }, 1)
  core.routing.save([rule('Both', 'cellar', 'grill'), rule('Wine', 'cellar'), rule('Rest', 'grill')])
  core.db.sqlite.exec(`insert into absences (printer_id, since_ms) values ('cellar', 1);
    insert into absences (printer_id, since_ms, target) values ('grill', 1, 'cellar');
    insert into cloud_printers (cloud_id, printer_id) values ('cp_1', 'cellar')`)
}

describe('a removed printer', () => {
  it('is referenced by nothing that affects later paper, and a later printer of its name inherits nothing', () => {
    nameItEverywhere()
    expect(tablesThatName('cellar')).toEqual(
      expect.arrayContaining(['printers', 'displays', 'meta', 'absences', 'cloud_printers']),
    )
    const removed = core.printers.remove('cellar', BY)
    expect(tablesThatName('cellar')).toEqual([])
    expect(removed).toMatchObject({
      ok: true,
      left: { printers: ['Grill'], displays: ['Pass'], rulesChanged: ['Both'], rulesRemoved: ['Wine'] },
    })
    core.printers.add({ ...CELLAR, profileId: 'generic-80', settings: DEFAULT_PRINTER_SETTINGS }, BY)
    expect(core.printers.find('cellar')).not.toBeNull()
    expect(displays.all()[0]?.backupPrinterId).toBeNull()
    expect(core.printers.find('grill')?.settings.backupPrinterId).toBeNull()
    expect(core.routing.rules()).toEqual([rule('Both', 'grill'), rule('Rest', 'grill')])
  })

  it('stays referenced everywhere if the disk has no space for its removal', () => {
    nameItEverywhere()
    const before = [displays.all(), core.routing.rules(), core.printers.all()]
    const makeRoom = fillDisk(core.db.sqlite)
    expect(() => core.printers.remove('cellar', BY)).toThrow('full')
    makeRoom()
    expect([displays.all(), core.routing.rules(), core.printers.all()]).toEqual(before)
  })

  it('signals the change to listeners of the displays', () => {
    nameItEverywhere()
    let told = 0
    displays.changed.subscribe(() => told++)
    core.printers.remove('grill', BY)
    expect(told).toBe(0)
    core.printers.remove('cellar', BY)
    expect(told).toBe(1)
  })
})

describe('a database of an older program', () => {
  it('with a reference to a removed backup prints nothing at a later printer of that name', () => {
    displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: null }, 1)
    core.db.sqlite.exec("update displays set backup_printer_id = 'bar'")
    core.db.sqlite.exec(MIGRATIONS.find((step) => step.includes('update displays')) ?? '')
    const later = core.crash()
    expect(new DisplayStore(later.db).all()[0]?.backupPrinterId).toBeNull()
    core = later
  })
})
