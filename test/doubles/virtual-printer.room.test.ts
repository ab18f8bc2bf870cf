// The virtual printer judges everything else, so first it is judged itself: bytes in, status out, paper.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from './manual-clock.ts'
import { VirtualPrinter, type VirtualPrinterOptions } from './virtual-printer.ts'

let printer: VirtualPrinter
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await printer.stop()
})

/** A bare socket that collects what the printer says. */
class Client {
  readonly socket: Socket
  readonly closed: Promise<void>
  #heard = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk) => {
      this.#heard = Buffer.concat([this.#heard, chunk])
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  write(hex: string): void {
    this.socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
  }

  print(text: string, cut = true): void {
    this.socket.write(Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(cut ? [0x1d, 0x56, 0x42, 0] : [])]))
  }

  /** The next answer of that many bytes, as hex. */
  async hear(bytes: number): Promise<string> {
    while (this.#heard.length < bytes) await once(this.socket, 'data')
    const answer = this.#heard.subarray(0, bytes).toString('hex')
    this.#heard = this.#heard.subarray(bytes)
    return answer
  }
}

async function start(options: VirtualPrinterOptions = {}): Promise<Client> {
  printer = new VirtualPrinter(options)
  await printer.start()
  return join()
}

async function join(): Promise<Client> {
  const client = new Client(connect({ ...printer.address, allowHalfOpen: true }))
  clients.push(client)
  await once(client.socket, 'connect')
  return client
}

describe('status', () => {
  it('answers DLE EOT on arrival, also without paper', async () => {
    const client = await start()
    client.write('100401 100402 100403 100404')
    expect(await client.hear(4)).toBe('12121212')
    printer.paperOut()
    client.print('waits\n')
    client.write('100401 100402 100403 100404')
    expect(await client.hear(4)).toBe('1a32127e')
    expect(printer.tickets).toEqual([])
  })

  it('answers in-order queries in their turn, after the data before them', async () => {
    const client = await start()
    client.print('a\n', false)
    const stopped = printer.onOffline.next()
    printer.paperOut(2)
    client.print('b\nc\n')
    client.write('1d7201 1d4943 1d28480600303041424344')
    await stopped
    client.write('100401')
    expect(await client.hear(1)).toBe('1a')
    printer.loadPaper()
    expect(await client.hear(1 + 10 + 7)).toBe(`00${Buffer.from('_TM-T88VI\0').toString('hex')}37224142434400`)
    expect(printer.tickets[0]?.text()).toBe('a\nb\nc')
  })

  it('pushes ASB when switched on and at each change, until ESC @', async () => {
    const client = await start()
    client.write('1d610e')
    expect(await client.hear(4)).toBe('10000000')
    printer.openCover()
    expect(await client.hear(4)).toBe('38000000')
    printer.closeCover()
    expect(await client.hear(4)).toBe('10000000')
    printer.paperNearEnd()
    expect(await client.hear(4)).toBe('10000300')
    client.write('1b40 1d4943')
    await client.hear(10)
    printer.loadPaper()
    client.write('100404')
    expect(await client.hear(1)).toBe('12')
  })

  it('a cutter jam ends with DLE ENQ 1 (continues), DLE ENQ 2 or DLE DC4 8 (drops the ticket)', async () => {
    const client = await start()
    for (const [command, answer, tickets] of [
      ['100501', '', 1],
      ['100502', '', 1],
      ['10140801031401060208', '372500', 1],
    ] as const) {
      printer.jamCutter()
      const stopped = printer.onOffline.next((offline) => offline)
      client.print('jam\n')
      await stopped
      client.write('100401 100403')
      expect(await client.hear(2)).toBe('3a1a')
      printer.clearJam()
      const going = printer.onOffline.next((offline) => !offline)
      client.write(command)
      await going
      if (answer) expect(await client.hear(3)).toBe(answer)
      client.write('100401')
      expect(await client.hear(1)).toBe('12')
      expect(printer.tickets).toHaveLength(tickets)
    }
  })

  it('a real-time command inside an image acts as well', async () => {
    const client = await start()
    client.write('1d763000 0100 0300 100401')
    expect(await client.hear(1)).toBe('12')
  })
})

describe('paper', () => {
  it('is split at cuts and stores its connection and time', async () => {
    const clock = new ManualClock()
    const client = await start({ clock })
    client.print('one\n')
    client.print('two\n')
    client.print('three\n', false)
    client.write('1d7201')
    await client.hear(1)
    expect(printer.tickets.map((t) => t.text())).toEqual(['one', 'two'])
    expect(printer.unfinished).toBe('three')
    expect(printer.tickets[0]).toMatchObject({ connection: 1, drawerPulses: 0 })
    expect(printer.tickets[0]?.receivedAtMs).toBe(clock.now())
    expect(await printer.nextTicket((t) => t.text() === 'two')).toBe(printer.tickets[1])
  })

  it('a power cut loses the buffer and leaves the paper: the next ticket is on the same piece', async () => {
    const client = await start()
    client.print('half\nlost', false)
    client.write('1d7201')
    await client.hear(1)
    printer.powerCycle()
    await client.closed
    const next = await join()
    next.print('whole\n')
    await printer.waitForTickets(1)
    expect(printer.tickets[0]?.text()).toBe('half\nwhole')
  })

  it('is kept as text only on request, over many tickets', async () => {
    const client = await start({ keep: 'texts' })
    for (let i = 0; i < 200; i++) {
      client.write('1b40')
      client.print(`ticket ${i}\n`)
    }
    await printer.waitForTickets(200)
    expect(printer.tickets.map((t) => t.text())).toEqual(Array.from({ length: 200 }, (_, i) => `ticket ${i}`))
    expect(printer.tickets[0]?.paper).toBeNull()
  })

  it('takes time for each line', async () => {
    const clock = new ManualClock()
    const client = await start({ msPerLine: 10, clock })
    client.print('1\n2\n3\n4\n')
    await expect.poll(() => printer.unfinished).toBe('1')
    await clock.advance(39)
    expect(printer.tickets).toEqual([])
    await clock.advance(1)
    const [ticket] = await printer.waitForTickets(1)
    expect(ticket).toMatchObject({ receivedAtMs: clock.now() - 40, cutAtMs: clock.now() })
  })
})

describe('the connection', () => {
  it('serves one client; the next one when that has gone', async () => {
    const first = await start()
    const second = await join()
    second.write('100401')
    first.write('100401')
    expect(await first.hear(1)).toBe('12')
    const heard = second.hear(1)
    first.socket.end()
    expect(await heard).toBe('12')
  })

  it('stops reading when its buffer is full, without losing a byte', async () => {
    const client = await start({ bufferBytes: 1_000 })
    printer.paperOut()
    const line = `${'x'.repeat(40)}\n`
    const lines = 200_000
    const sent = new Promise<void>((resolve) => client.socket.write(line.repeat(lines), () => resolve()))
    client.print('end\n')
    const first = await Promise.race([
      sent.then(() => 'sent'),
      new Promise((resolve) => setTimeout(resolve, 200, 'held')),
    ])
    expect(first).toBe('held')
    expect(printer.receivedBytes).toBeLessThan(line.length * lines)
    printer.loadPaper()
    const [ticket] = await printer.waitForTickets(1)
    expect(ticket?.paper?.lines.length).toBeGreaterThan(lines)
  })

  it('resets after so many bytes, questions not counted, and keeps what it had', async () => {
    const client = await start()
    printer.resetAfterBytes(3, 'kept')
    client.write('100401')
    expect(await client.hear(1)).toBe('12')
    client.print('a\nbcdef\n')
    await client.closed
    expect(printer.unfinished).toBe('a')
    const next = await join()
    next.print('z\n')
    await printer.waitForTickets(1)
    expect(printer.tickets[0]?.text()).toBe('a\nbz')
  })

  it('refuses when it is off and listens at the same address again', async () => {
    const client = await start()
    const { port } = printer.address
    await printer.refuse()
    await client.closed
    await expect(join()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await printer.listenAgain()
    expect(printer.address.port).toBe(port)
    const again = await join()
    again.write('100401')
    expect(await again.hear(1)).toBe('12')
  })
})
