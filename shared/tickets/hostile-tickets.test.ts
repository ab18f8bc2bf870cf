// No text, picture or setting makes any printer do anything but print. `npm run bench -- --only hostile` runs the same checks 100,000 times.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileTicket } from '#test/fixtures/hostile-tickets.ts'
import { faultsOfTicket } from '#test/harness/judge-bytes.ts'
import { assertProperty } from '#test/harness/property.ts'
import { profileById } from './printer-profiles.ts'
import { renderJobTicket } from './render-job.ts'

const CASES = 2_500

it('a hostile ticket opens no drawer, writes no setting, and is cut once, by our own command', async () => {
  await assertProperty(
    fc.asyncProperty(hostileTicket, async ({ input, profile, raster }) => {
      const { bytes } = await renderJobTicket(input, profile, raster)
      expect(faultsOfTicket(bytes, profile, input.beeps ?? 0)).toEqual([])
    }),
    { numRuns: CASES },
  )
})

it.each([
  ['a drawer pulse', 'text\x1bp\x00\x19\xfa\x1dVB\x00'],
  ['a drawer pulse in real time', 'text\x10\x14\x01\x00\x01\x1dVB\x00'],
  ['a second cut', 'text\x1dVB\x00text\x1dVB\x00'],
  ['no cut', 'text\n'],
  ['a settings write', '\x1d(E\x03\x00\x01IN\x1dVB\x00'],
  ['a picture that swallows the rest', '\x1dv0\x00\xff\xff\xff\xff\x1dVB\x00'],
  ['a beep that nobody asked for', '\x1bB\x02\x02\x1dVB\x00'],
])('the judge itself finds %s', (_, text) => {
  expect(faultsOfTicket(Buffer.from(text, 'latin1'), profileById('generic-80'), 0)).not.toEqual([])
})
