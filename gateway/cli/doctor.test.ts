// doctor: what is well is said too, what is not comes with what to do, and the shell is told whose fault it is.
import { describe, expect, it } from 'vitest'
import type { DisplayAnswer, PrinterAnswer, RepairAnswer } from '#gateway/control/answers.ts'
import { type Check, checksOf, type DoctorFacts, exitCodeOf } from './doctor.ts'

const LINK = { state: 'connected', trouble: null, detail: '', since: '2026-11-21T10:00:00.000Z' }
const printer = (name: string, host = '192.168.1.50', state = 'online'): PrinterAnswer =>
  ({
    name,
    host,
    port: 9_100,
    state,
    isDefault: name === 'Grill',
    queued: 0,
    confirm: { level: 'L3', isAsked: true },
  }) as PrinterAnswer
const display = (change: Partial<DisplayAnswer>): DisplayAnswer => ({
  displayId: 'dsp_1',
  name: 'Pass',
  stations: [],
  language: 'en',
  backupPrinterId: null,
  buzzAfterS: null,
  signedInAt: '2026-11-21T10:00:00.000Z',
  isAlive: true,
  lastHeardAt: null,
  isOnShift: true,
  ...change,
})
const HTTPS: DoctorFacts['status']['https'] = {
  ...{ state: 'on', port: 443, fault: null, certificateFault: null },
  certificate: {
    ...{ source: 'self-signed', fingerprint: 'AB:CD' },
    ...{ from: '2026-11-20T00:00:00.000Z', until: '2029-02-17T00:00:00.000Z' },
  },
}
const WELL: DoctorFacts = {
  status: {
    app: 'ticketrail-gateway/1',
    gatewayId: 'gw_1',
    merchantName: 'Bistro',
    ready: true,
    pageUrls: ['https://192.168.1.7/'],
    displayUrls: ['http://192.168.1.7/'],
    https: HTTPS,
    time: '',
    link: LINK,
    queue: { queued: 0, held: 0, parked: 0, unreported: 0 },
    printers: [printer('Grill')],
  },
  repairs: [],
  figures: {
    disk: { freeBytes: 8e9, totalBytes: 32e9, isFull: false },
    memory: { rssBytes: 90e6, limitBytes: 256e6 },
    clock: { offsetMs: 400, behindLastRunMs: 0 },
    temperatureCelsius: 51,
    storageWearPercent: 10,
    latency: { hours: 6, tickets: 40, p50Ms: 210, p95Ms: 480, slices: [] },
  },
  pairing: {
    state: 'paired',
    gatewayId: 'gw_1',
    merchantName: 'Bistro',
    timeZone: 'Europe/Madrid',
    relay: 'mqtts://relay.example:8883',
    link: LINK,
    cloud: null,
  },
  displays: [display({})],
  users: [{ userId: 'usr_1', name: 'Ana', role: 'technician', createdAt: '' }],
}
const repair = (key: string, severity: RepairAnswer['severity'], printer?: string): RepairAnswer => ({
  id: printer === undefined ? key : `${key}:${printer.toLowerCase()}`,
  key,
  severity,
  values: printer === undefined ? {} : { printer },
  title: 'Title',
  text: 'Do this.',
  since: null,
  fix: null,
})
const withRepairs = (...repairs: RepairAnswer[]): Check[] => checksOf({ ...WELL, repairs })
const of = (checks: readonly Check[], name: string): string[] =>
  checks.filter((one) => one.name === name).map(({ result, text }) => `${result}: ${text}`)

describe('doctor', () => {
  it('passes a box that is well, part by part, with what it measured', () => {
    const checks = checksOf(WELL)
    expect(checks.filter(({ result }) => result !== 'pass')).toEqual([])
    expect(exitCodeOf(checks)).toBe(0)
    expect(checks.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'gateway: ticketrail-gateway/1 is ready',
      'page: https://192.168.1.7/',
      'people: 1 may sign in',
      'https: certificate self-signed until 2029-02-17T00:00:00.000Z, SHA-256 AB:CD',
      'pairing: Bistro, gw_1',
      'relay: connected since 2026-11-21T10:00:00.000Z',
      'disk: 8000 MB of 32000 MB free',
      'memory: 90 MB in use of 256 MB',
      'clock: within 1 s of the relay',
      'time zone: Europe/Madrid',
      'database: whole',
      'newest disk: this disk is the newest, or no tickets were waiting on it',
      'update: none was undone, none waits',
      'default printer: Grill takes what no station serves',
      'temperature: 51 °C',
      'storage: 10 % worn',
      'printer Grill: online at 192.168.1.50, proof L3, 0 wait',
      'display Pass: alive',
      'queue: 0 wait, 0 for their time, 0 for a person',
      'reports: 0 results not yet told to the relay',
      'order to paper: half of 40 tickets within 210 ms, 95 % within 480 ms, last 6 hours',
    ])
  })

  it('says in the words of the repairs what is not well, at the part that it is about', () => {
    const checks = withRepairs(repair('disk-full', 'error'), repair('printer-untested', 'info', 'Grill'))
    expect(of(checks, 'disk')).toEqual(['fail: Title. Do this.'])
    expect(of(checks, 'printer Grill')).toEqual([expect.stringMatching(/^pass: online/), 'warn: Title. Do this.'])
    expect(of(withRepairs(repair('not-paired', 'warning')), 'pairing')).toEqual(['warn: Title. Do this.'])
    expect(of(withRepairs(repair('something-new', 'warning')), 'set-up')).toEqual(['warn: Title. Do this.'])
  })

  it('does not call a printer well that is not', () => {
    expect(of(withRepairs(repair('printer-down', 'error', 'Grill')), 'printer Grill')).toEqual([
      'fail: Title. Do this.',
    ])
  })

  it('tells the shell whether it is the printers, the relay, or the box itself', () => {
    const down = repair('printer-down', 'error', 'Grill')
    const away = repair('relay-unreachable', 'error')
    expect(exitCodeOf(withRepairs(down))).toBe(4)
    expect(exitCodeOf(withRepairs(away))).toBe(5)
    expect(exitCodeOf(withRepairs(down, away))).toBe(1)
    expect(exitCodeOf(withRepairs(repair('disk-full', 'error')))).toBe(1)
    expect(exitCodeOf(checksOf({ ...WELL, status: { ...WELL.status, ready: false } }))).toBe(1)
    expect(exitCodeOf(withRepairs(repair('update-undone', 'warning')))).toBe(0)
  })

  it('does not alarm for an update that installs itself, nor for a link that is a moment old', () => {
    expect(of(withRepairs(repair('update-available', 'info')), 'update')).toEqual(['pass: Title. Do this.'])
    const link = { ...LINK, state: 'connecting', detail: 'ECONNRESET' }
    const checks = checksOf({ ...WELL, status: { ...WELL.status, link } })
    expect(of(checks, 'relay')).toEqual(['warn: connecting since 2026-11-21T10:00:00.000Z: ECONNRESET'])
    expect(exitCodeOf(checks)).toBe(0)
  })

  it('finds two printers at one address, which print each other’s tickets', () => {
    const printers = [printer('Grill'), printer('Fry'), printer('Bar', '192.168.1.52')]
    const checks = checksOf({ ...WELL, status: { ...WELL.status, printers } })
    expect(of(checks, 'addresses')[0]).toMatch(/^fail: Grill and Fry have the same address 192\.168\.1\.50\./)
  })

  it('warns of a page that phones cannot reach, and of a box that nobody can sign in to', () => {
    const status = { ...WELL.status, pageUrls: ['http://127.0.0.1:8081/'] }
    const checks = checksOf({ ...WELL, status, users: [] })
    expect(of(checks, 'page')[0]).toMatch(/^warn: .*on this machine only/)
    expect(of(checks, 'people')[0]).toMatch(/^warn: Nobody can sign in yet/)
  })

  it('warns of screens that are silent or never signed in, and of a hot or worn machine', () => {
    const silent = display({ isAlive: false, lastHeardAt: '2026-11-21T11:00:00.000Z', backupPrinterId: 'grill' })
    const fresh = display({ name: 'Fry', signedInAt: null, isAlive: false })
    const figures = { ...WELL.figures, temperatureCelsius: 83, storageWearPercent: 90 }
    const checks = checksOf({ ...WELL, displays: [silent, fresh], figures })
    expect(of(checks, 'display Pass')[0]).toMatch(/^warn: silent since 2026-11-21T11.* Its backup printer prints/)
    expect(of(checks, 'display Fry')[0]).toMatch(/^warn: No screen has signed in/)
    expect(of(checks, 'temperature')[0]).toMatch(/^warn: 83 °C/)
    expect(of(checks, 'storage')[0]).toMatch(/^warn: 90 % worn/)
  })

  it('says at a screen that nothing prints for it, in the words of the repairs', () => {
    const alone = { ...repair('display-unseen', 'warning'), values: { display: 'Pass', backup: 'Grill' } }
    const checks = checksOf({ ...WELL, displays: [display({ isAlive: false })], repairs: [alone] })
    expect(of(checks, 'display Pass')).toEqual([
      expect.stringContaining('Nothing prints instead.'),
      'warn: Title. Do this.',
    ])
    expect(of(checks, 'set-up')).toEqual([])
  })

  it('warns of tickets that wait for a person', () => {
    const queue = { ...WELL.status.queue, parked: 2 }
    const checks = checksOf({ ...WELL, status: { ...WELL.status, queue } })
    expect(of(checks, 'queue')).toEqual(['warn: 0 wait, 0 for their time, 2 for a person'])
  })
})
