// Upgrading a file of the first release: everything in it is kept, and doubts too.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { AllowedAddressStore } from './allowed-address-store.ts'
import { type GatewayDatabase, openGatewayDatabase } from './database.ts'
import { HistoryStore } from './history-store.ts'
import { JobStore } from './job-store.ts'
import { MIGRATIONS } from './migrations.ts'
import { PrinterStore } from './printer-store.ts'
import { ReportStore } from './report-store.ts'
import { RoutingStore } from './routing-store.ts'

describe('a file of the first release', () => {
  let dir: string
  let db: GatewayDatabase
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'gateway-upgrade-'))
    const old = new Database(join(dir, 'gateway.db'))
    old.exec(MIGRATIONS[0] ?? '')
    old.exec(`insert into meta values ('stream', 's1'), ('epoch', '3'), ('last_seq', '2'), ('clock', '5');
      insert into printers values ('grill', 'Grill', '127.0.0.1', 9100, 'generic-80', '["grill"]', 1, null, 1);
      insert into jobs values ('pj_1', 's1', 1, 'order', null, '{}', 0, 'd', null, null, 10, null, null, null, null);
      insert into tickets (ticket_id, job_id, printer_id, kind, content, digest, state, attempts, possible_duplicate, started_at_ms)
        values ('pj_1-1', 'pj_1', 'grill', 'order', '{"station":null,"items":[],"alsoAt":[]}', 'd', 'queued', 1, 1, 20),
               ('pj_1-2', 'pj_1', 'fry', 'order', '{"station":null,"items":[],"alsoAt":[]}', 'd', 'queued', 0, 0, null);
      pragma user_version = 1`)
    old.close()
    db = openGatewayDatabase(join(dir, 'gateway.db'))
  })
  afterEach(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })

  it('keeps its tickets, and that the last one at a printer may be incomplete', () => {
    const jobs = new JobStore(db, new ReportStore(db), { now: () => 100 })
    expect(['grill', 'fry'].map((id) => [jobs.door.hasTicketFor(id), jobs.door.lastMayBePartial(id)])).toEqual([
      [true, true],
      [true, false],
    ])
    expect(new HistoryStore(db).ticket('pj_1-1')).toMatchObject({
      ticket: { state: 'queued', paper: 'kitchen', movedFrom: null, receivedAtMs: 10 },
      acceptedAtMs: null,
      attempts: [{ attempt: 1, outcome: 'retry', startedAtMs: 20 }],
      trace: [],
    })
  })

  it('allows its printers at their addresses, and keeps what is allowed later', () => {
    const { host, port } = { host: '203.0.113.7', port: 22 }
    const printers = new PrinterStore(db)
    new AllowedAddressStore(db, printers.all()).add({ host, port })
    const later = new AllowedAddressStore(db, [])
    expect([later.has({ host: '127.0.0.1', port: 9_100 }), later.has({ host, port })]).toEqual([true, true])
  })

  it('has printers with the default settings, and no rules', () => {
    expect(new PrinterStore(db).find('grill')?.settings).toEqual(DEFAULT_PRINTER_SETTINGS)
    const routing = new RoutingStore(db)
    expect(routing.rules()).toEqual([])
    const rule = { name: 'Drinks', when: {}, print: { printerIds: ['bar'], paper: 'kitchen' as const }, stop: false }
    routing.save([rule])
    expect(new RoutingStore(db).rules()).toEqual([rule])
    db.sqlite.exec(`update meta set value = '[{' where key = 'routing'`)
    expect(new RoutingStore(db).rules()).toEqual([])
  })

  it('treats settings that cannot be read as the defaults', () => {
    db.sqlite.exec(`update printers set settings = '{"doubt":"maybe"}'`)
    expect(new PrinterStore(db).find('grill')?.settings).toEqual(DEFAULT_PRINTER_SETTINGS)
  })
})
