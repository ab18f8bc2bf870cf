// doctor: what is well is said too, and what is not comes with what to do.
import { describe, expect, it } from 'vitest'
import type { PrinterAnswer, RepairAnswer, StatusAnswer } from '#gateway/control/answers.ts'
import { checksOf, hasFailed } from './doctor.ts'

const STATUS: StatusAnswer = {
  app: 'ticketrail-gateway/1',
  gatewayId: '',
  merchantName: '',
  ready: true,
  time: '',
  link: { state: 'connected', detail: '', since: '2026-11-21T10:00:00.000Z' },
  queue: { queued: 0, held: 0, parked: 0, unreported: 0 },
  printers: [{ name: 'Grill', state: 'online', confirm: { level: 'L3' } } as unknown as PrinterAnswer],
}
const repair = (id: string, severity: RepairAnswer['severity'], printer?: string): RepairAnswer => ({
  id,
  key: id,
  severity,
  values: printer === undefined ? {} : { printer },
  title: 'Title',
  text: 'Do this.',
  since: null,
  fix: null,
})
const of = (checks: ReturnType<typeof checksOf>, name: string): unknown =>
  checks.filter((check) => check.name === name).map(({ result, text }) => `${result}: ${text}`)

describe('doctor', () => {
  it('passes a box that is well, part by part', () => {
    const checks = checksOf(STATUS, [])
    expect(hasFailed(checks)).toBe(false)
    expect(checks.every(({ result }) => result === 'pass')).toBe(true)
    expect(checks.map(({ name }) => name)).toEqual([
      'gateway',
      'disk',
      'clock',
      'database',
      'memory',
      'update',
      'relay',
      'queue',
      'printer Grill',
    ])
  })

  it('fails for an error and warns for the rest, in the words of the repairs', () => {
    const checks = checksOf(STATUS, [repair('disk-full', 'error'), repair('printer-untested', 'info', 'Grill')])
    expect(hasFailed(checks)).toBe(true)
    expect(of(checks, 'disk')).toEqual(['fail: Title. Do this.'])
    expect(of(checks, 'printer Grill')).toEqual(['pass: online, proof L3', 'warn: Title. Do this.'])
  })

  it('does not call a printer well that is not', () => {
    const checks = checksOf(STATUS, [repair('printer-down', 'error', 'Grill')])
    expect(of(checks, 'printer Grill')).toEqual(['fail: Title. Do this.'])
  })

  it('fails while the gateway is not ready, and warns of tickets that wait for a person', () => {
    expect(hasFailed(checksOf({ ...STATUS, ready: false }, []))).toBe(true)
    const parked = checksOf({ ...STATUS, queue: { ...STATUS.queue, parked: 2 } }, [])
    expect(of(parked, 'queue')).toEqual(['warn: 0 wait, 0 for their time, 2 for a person'])
  })
})
