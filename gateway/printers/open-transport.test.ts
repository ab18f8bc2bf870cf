// Each profile gets the transport of its language, each address its channel.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { PROFILES, profileById } from '#shared/tickets/printer-profiles.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { EscposTransport } from './escpos-transport.ts'
import { openTransport } from './open-transport.ts'
import { StarTransport } from './star-transport.ts'
import type { PrinterTransport } from './transport.ts'

function transportFor(profileId: string, host = '192.0.2.1', port = 9100): PrinterTransport {
  return openTransport({
    address: { host, port },
    profile: profileById(profileId),
    capability: null,
    exclusive: false,
    interrupted: false,
    clock: new ManualClock(),
    random: () => 0.5,
    log: pino({ level: 'silent' }),
  })
}

describe('which transport speaks', () => {
  it.each(PROFILES.map(({ id, language }) => [id, language]))('%s speaks %s', (id, language) => {
    expect(transportFor(id)).toBeInstanceOf(language === 'escpos' ? EscposTransport : StarTransport)
  })

  it('a path is a device file of this machine, whatever the language', async () => {
    for (const id of ['generic-80', 'star-line', 'star-raster']) {
      const readiness = await transportFor(id, '/dev/ticketrail-nothing-here', 0).prepare(new AbortController().signal)
      expect(readiness).toMatchObject({ kind: 'offline', detail: expect.stringContaining('ENOENT') })
    }
  })
})
