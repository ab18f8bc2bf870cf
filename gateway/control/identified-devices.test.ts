// What is kept of devices that a person identified.
import { expect, it } from 'vitest'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import type { DeviceAnswers } from '#shared/printer-identity.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { IdentifiedDevices } from './identified-devices.ts'

const GRILL = { host: '10.0.0.50', port: 9_100 }
const EPSON = { maker: 'EPSON', model: 'TM-T88VI', serial: 'X1' }
const said = (answers: DeviceAnswers): Identity =>
  ({ kind: 'printer', language: 'escpos', peer: GRILL.host, ...answers }) as Identity

it('is the last answer at its address, for ten minutes', async () => {
  const clock = new ManualClock()
  const identified = new IdentifiedDevices(clock)
  identified.note(GRILL, said(EPSON))
  expect(identified.answersOf(GRILL)).toEqual(EPSON)
  expect(identified.answersOf({ ...GRILL, port: 9_101 })).toBeNull()
  identified.note(GRILL, said({ ...EPSON, serial: 'X2' }))
  expect(identified.answersOf(GRILL)).toEqual({ ...EPSON, serial: 'X2' })
  await clock.advance(600_000)
  expect(identified.answersOf(GRILL)).toBeNull()
})

it('is absent for a device that does not answer, is gone, or answers with too long a text, whatever was there before', () => {
  const unreachable: Identity = { kind: 'unreachable', reason: 'timed-out', hint: '', peer: null }
  for (const next of [
    unreachable,
    said({ maker: null, model: null, serial: null }),
    said({ ...EPSON, model: 'x'.repeat(41) }),
  ]) {
    const identified = new IdentifiedDevices(new ManualClock())
    identified.note(GRILL, said(EPSON))
    identified.note(GRILL, next)
    expect(identified.answersOf(GRILL)).toBeNull()
  }
})

it('is of the newest sixty-four only', () => {
  const identified = new IdentifiedDevices(new ManualClock())
  for (let n = 1; n <= 65; n++) identified.note({ host: `10.0.0.${n}`, port: 9_100 }, said(EPSON))
  expect(identified.answersOf({ host: '10.0.0.1', port: 9_100 })).toBeNull()
  expect(identified.answersOf({ host: '10.0.0.2', port: 9_100 })).toEqual(EPSON)
})
