// doctor: working parts are listed too, problems come with what to do, and the exit code shows where the problem is.
import { describe, expect, it } from 'vitest'
import type { DisplayAnswer, PrinterAnswer } from '#gateway/control/answers.ts'
import type { FindingAnswer } from '#gateway/control/health-answers.ts'
import type { FindingSubject } from '#shared/health.ts'
import { type Check, checksOf, type DoctorFacts, exitCodeOf } from './doctor.ts'

const LINK = { state: 'connected', trouble: null, detail: '', since: '2026-11-21T10:00:00.000Z' }
const printer = (name: string, host = '192.168.1.50', state = 'online'): PrinterAnswer =>
  ({
    printerId: name.toLowerCase(),
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
  kind: 'kitchen',
  stations: [],
  language: 'en',
  backupPrinterId: null,
  buzzAfterS: null,
  showNames: false,
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
  findings: [],
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
const BOX: FindingSubject = { kind: 'box', id: '', name: '' }
const finding = (key: string, severity: FindingAnswer['severity'], subject = BOX): FindingAnswer => ({
  id: subject.id === '' ? key : `${key}:${subject.id}`,
  key,
  severity,
  subject,
  values: {},
  title: 'Title',
  text: 'Do this.',
  since: null,
  cost: null,
  act: null,
})
const GRILL: FindingSubject = { kind: 'printer', id: 'grill', name: 'Grill' }
const PASS: FindingSubject = { kind: 'display', id: 'dsp_1', name: 'Pass' }
const withFindings = (...findings: FindingAnswer[]): Check[] => checksOf({ ...WELL, findings })
const of = (checks: readonly Check[], name: string): string[] =>
  checks.filter((one) => one.name === name).map(({ result, text }) => `${result}: ${text}`)

describe('doctor', () => {
  it('passes a healthy box, part by part, with the measurements', () => {
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
      'temperature: 51 °C',
      'storage: 10 % worn',
      'default printer: Grill takes what no station serves',
      'printer Grill: online at 192.168.1.50, confirms each ticket, 0 wait',
      'display Pass: alive',
      'queue: 0 wait, 0 for their time, 0 for a person',
      'reports: 0 results not yet told to the relay',
      'order to paper: half of 40 tickets within 210 ms, 95 % within 480 ms, last 6 hours',
    ])
  })

  it('reports problems in the words of the findings, at the part that they concern', () => {
    const checks = withFindings(finding('disk-full', 'critical'), finding('printer-untested', 'advice', GRILL))
    expect(of(checks, 'disk')).toEqual(['fail: Title. Do this.'])
    expect(of(checks, 'printer Grill')).toEqual([expect.stringMatching(/^pass: online/), 'warn: Title. Do this.'])
    expect(of(withFindings(finding('not-paired', 'warning')), 'pairing')).toEqual(['warn: Title. Do this.'])
    expect(of(withFindings(finding('something-new', 'warning')), 'set-up')).toEqual(['warn: Title. Do this.'])
  })

  it('reports the consequence, and which button fixes it', () => {
    const act = { kind: 'do' as const, key: 'take-over', values: {}, operation: 'displays.take-over', input: {} }
    const silent: FindingAnswer = {
      ...finding('display-silent', 'critical', PASS),
      cost: { key: 'orders-unseen', count: 12, values: {}, text: '12 orders are on no screen.' },
      act: { ...act, label: 'Show its orders on Fry', role: 'manager' },
    }
    const checks = checksOf({ ...WELL, displays: [display({ isAlive: false })], findings: [silent] })
    expect(of(checks, 'display Pass')).toEqual([
      'fail: Title. Do this. 12 orders are on no screen. On the page: Show its orders on Fry.',
    ])
    expect(of(checks, 'set-up')).toEqual([])
    expect(exitCodeOf(checks)).toBe(1)
  })

  it('does not report a printer as well when it is not', () => {
    expect(of(withFindings(finding('printer-down', 'critical', GRILL)), 'printer Grill')).toEqual([
      'fail: Title. Do this.',
    ])
  })

  it('does not wait with a printer that has just gone down, as the list does', () => {
    const down = { ...printer('Grill', '192.168.1.50', 'offline'), hint: 'Is it switched on?' }
    const status = { ...WELL.status, printers: [down] }
    const checks = checksOf({ ...WELL, status, findings: [finding('printer-untested', 'advice', GRILL)] })
    expect(of(checks, 'printer Grill')).toEqual([
      'fail: Grill does not print. Is it switched on?',
      'warn: Title. Do this.',
    ])
    expect(exitCodeOf(checks)).toBe(4)
    const told = checksOf({ ...WELL, status, findings: [finding('printer-down', 'critical', GRILL)] })
    expect(of(told, 'printer Grill')).toEqual(['fail: Title. Do this.'])
  })

  it('shows in its exit code whether the printers, the relay, or the box itself have a problem', () => {
    const down = finding('printer-down', 'critical', GRILL)
    const away = finding('relay-name', 'critical')
    expect(exitCodeOf(withFindings(down))).toBe(4)
    expect(exitCodeOf(withFindings(away))).toBe(5)
    expect(exitCodeOf(withFindings(down, away))).toBe(1)
    expect(exitCodeOf(withFindings(finding('disk-full', 'critical')))).toBe(1)
    expect(exitCodeOf(checksOf({ ...WELL, status: { ...WELL.status, ready: false } }))).toBe(1)
    expect(exitCodeOf(withFindings(finding('update-undone', 'warning')))).toBe(0)
  })

  it('does not alarm for an update that installs itself, nor for a link that is a moment old', () => {
    expect(of(withFindings(finding('update-available', 'advice')), 'update')).toEqual(['pass: Title. Do this.'])
    const link = { ...LINK, state: 'connecting', detail: 'ECONNRESET' }
    const checks = checksOf({ ...WELL, status: { ...WELL.status, link } })
    expect(of(checks, 'relay')).toEqual(['warn: connecting since 2026-11-21T10:00:00.000Z: ECONNRESET'])
    expect(exitCodeOf(checks)).toBe(0)
  })

  it('decides nothing itself: a part without a finding is well', () => {
    const figures = { ...WELL.figures, temperatureCelsius: 83, storageWearPercent: 90 }
    const status = { ...WELL.status, queue: { ...WELL.status.queue, parked: 2 } }
    const checks = checksOf({ ...WELL, status, figures, displays: [display({ isAlive: false })] })
    expect(checks.filter(({ result }) => result !== 'pass')).toEqual([])
    const named = withFindings(finding('box-hot', 'warning'), finding('tickets-parked', 'critical', GRILL))
    expect(of(named, 'temperature')).toEqual(['warn: Title. Do this.'])
    expect(of(named, 'queue')).toEqual(['warn: 0 wait, 0 for their time, 0 for a person'])
  })
})
