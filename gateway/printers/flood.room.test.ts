// A device that floods us must not use up a processor core: its connection ends, the log and the page show the reason, and the gateway does not reconnect in a loop.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { FLOODED, MOST_UNASKED_BYTES } from './flood-guard.ts'
import { identifyPrinter } from './identify-printer.ts'
import { tcpChannelTo } from './tcp-channel.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** More than any kernel buffers on the way, so that it only ends when the other side does. */
const FLOOD = Buffer.alloc(32_000_000, 'A')

interface Flooder {
  address: { host: string; port: number }
  connections: number
}

/** `start`: what it waits for on each connection before it floods. */
async function flooder(start: 'at once' | 'the ticket'): Promise<Flooder> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    device.connections++
    sockets.add(socket)
    socket.on('error', () => {})
    if (start === 'at once') socket.write(FLOOD)
    socket.on('data', (chunk) => {
      if (chunk.includes('line 1\n')) socket.write(FLOOD)
      else if (chunk.includes(Buffer.from([0x10, 0x04, 0x01]))) socket.write(Buffer.from([0x12]))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const device = { address: { host: '127.0.0.1', port }, connections: 0 }
  return device
}

function rigAt({ address }: Flooder, options: RigOptions = {}): PrinterRig {
  const rig = new PrinterRig(options)
  cleanups.push(() => rig.stop())
  rig.connect(address)
  return rig
}

describe('a device that floods', () => {
  it.each([null, undefined])(
    'gets no ticket, and counts as not responding (recorded before: %s)',
    async (capability) => {
      const device = await flooder('at once')
      const rig = rigAt(device, capability === undefined ? {} : { capability })
      const offline = rig.health.next(({ state }) => state === 'offline')
      expect(await rig.send('A')).toEqual({
        kind: 'not-sent',
        readiness: { kind: 'busy', reason: 'not-responding', detail: FLOODED },
      })
      // Only the usual check follows, after a while.
      expect(device.connections).toBe(1)
      expect((await offline).reasons).toEqual(['not-responding'])
    },
  )

  it('in the middle of a ticket proves nothing', async () => {
    const rig = rigAt(await flooder('the ticket'))
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'not-responding', detail: FLOODED })
  })

  it('is logged once until it works again', async () => {
    const lines: { msg: string; limitBytes?: number }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const rig = rigAt(await flooder('at once'), { transport: { log } })
    for (const name of ['A', 'B', 'C']) expect(await rig.send(name)).toMatchObject({ kind: 'not-sent' })
    expect(lines.filter(({ msg }) => msg === FLOODED)).toMatchObject([{ limitBytes: MOST_UNASKED_BYTES }])
  })

  it('cannot be identified, and the technician sees that it does not answer', async () => {
    const { address } = await flooder('at once')
    const clock = new UnhurriedClock()
    clock.start()
    cleanups.push(() => clock.stop())
    const { signal } = new AbortController()
    const options = { openChannel: tcpChannelTo(address), clock, random: Math.random, signal }
    expect(await identifyPrinter(options)).toMatchObject({ kind: 'unreachable', reason: 'not-responding' })
  })
})
