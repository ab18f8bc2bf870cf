// Each profile gets the language of its family, each address its channel.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { PROFILES, profileById } from '#shared/tickets/printer-profiles.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { ByteChannel } from './byte-channel.ts'
import { openTransport, transportOver } from './open-transport.ts'

const DLE_EOT_1 = '100401'
const ESC_ACK_SOH = '1b0601'

function optionsFor(profileId: string) {
  return {
    profile: profileById(profileId),
    capability: null,
    exclusive: false,
    interrupted: false,
    clock: new ManualClock(),
    random: () => 0.5,
    log: pino({ level: 'silent' }),
  }
}

/** An open connection without answers. */
function channelTo(onWrite: (bytes: Uint8Array) => void): ByteChannel {
  return {
    connectedAtMs: 0,
    peer: null,
    activity: new Signal(),
    end: null,
    endCode: '',
    halfClosed: false,
    destroyed: false,
    acknowledgesLate: false,
    unsentBytes: 0,
    onData: () => {},
    write: (bytes) => {
      onWrite(bytes)
      return true
    },
    halfClose: () => {},
    destroy: () => {},
  }
}

/** The first query to a new printer of this profile. */
function firstQuestion(profileId: string): Promise<string> {
  return new Promise((resolve) => {
    const channel = channelTo((bytes) => resolve(Buffer.from(bytes).toString('hex')))
    const transport = transportOver({
      ...optionsFor(profileId),
      openChannel: async () => channel,
      openStatusPort: null,
    })
    void transport.prepare(new AbortController().signal)
  })
}

describe('the language of a printer', () => {
  it.each(PROFILES.map(({ id, language }) => [id, language]))('%s uses %s', async (id, language) => {
    expect(await firstQuestion(id)).toBe(language === 'escpos' ? DLE_EOT_1 : ESC_ACK_SOH)
  })

  it('a path is a device file of this machine, in any language', async () => {
    for (const id of ['generic-80', 'star-line', 'star-raster']) {
      const address = { host: '/dev/ticketrail-nothing-here', port: 0 }
      const transport = openTransport({ ...optionsFor(id), address })
      const readiness = await transport.prepare(new AbortController().signal)
      expect(readiness).toMatchObject({ kind: 'offline', detail: expect.stringContaining('ENOENT') })
    }
  })
})
