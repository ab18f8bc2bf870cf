// An answer proves a ticket only if it was requested: unrequested bytes of a device prove nothing.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { identifyPrinter } from './identify-printer.ts'
import { tcpChannelTo } from './tcp-channel.ts'
import type { SendOutcome } from './transport.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FINE_STATUS = '\x12'
const MODEL = '_TM-T88VI\0'
const PUSHED_STATUS = '\x10\0\0\0'
const KNOWS_GS_I: PrinterCapability = { ...KNOWS_ALL, asb: false, gsParenH: false, gsR: false }
const KNOWS_GS_R: PrinterCapability = { ...KNOWS_ALL, asb: false, gsParenH: false, gsI: false }
/** DLE EOT n, and GS I with any letter. */
const STATUS_QUESTION = '\x10\x04'
const MODEL_QUESTION = '\x1dI'
const PAPER_QUESTION = '\x1dr'
const PAPER_IS_FINE = '\0'

interface Device {
  address: { host: string; port: number }
  /** Everything that it received, over all connections. */
  heard: string
  connections: number
  /** Sends on the connection that was opened last. */
  say(text: string): void
}

/** A device's answer to the bytes that it got; it answers in one segment. */
type Manner = (heard: string, device: Device) => string

/** A correct printer of this level: each query is answered once, in order. */
const honest: Manner = (heard) => {
  let answers = ''
  for (let at = 0; at < heard.length; at++) {
    if (heard.startsWith(STATUS_QUESTION, at)) answers += FINE_STATUS
    if (heard.startsWith(MODEL_QUESTION, at)) answers += MODEL
  }
  return answers
}

/** The same, if GS r is the only query that is answered in order. */
const honestByGsR: Manner = (heard) => {
  let answers = ''
  for (let at = 0; at < heard.length; at++) {
    if (heard.startsWith(STATUS_QUESTION, at)) answers += FINE_STATUS
    if (heard.startsWith(PAPER_QUESTION, at)) answers += PAPER_IS_FINE
  }
  return answers
}

async function startDevice(manner: Manner, greeting = ''): Promise<Device> {
  const sockets = new Set<Socket>()
  let last: Socket | null = null
  const server = createServer({ noDelay: true }, (socket) => {
    device.connections++
    sockets.add(socket)
    last = socket
    socket.on('error', () => {})
    if (greeting !== '') socket.write(greeting, 'latin1')
    socket.on('data', (chunk) => {
      const heard = chunk.toString('latin1')
      device.heard += heard
      socket.write(manner(heard, device), 'latin1')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const device: Device = {
    address: { host: '127.0.0.1', port },
    heard: '',
    connections: 0,
    say: (text) => last?.write(text, 'latin1'),
  }
  return device
}

function rigAt({ address }: Device, capability: PrinterCapability | null, more: RigOptions = {}): PrinterRig {
  const rig = new PrinterRig({ ...more, capability })
  cleanups.push(() => rig.stop())
  rig.connect(address)
  return rig
}

const TALKERS: readonly [string, Manner, greeting: string][] = [
  ['sends its model with whatever it says', (heard, device) => MODEL + honest(heard, device), MODEL],
  ['sends the same bytes to whatever it hears', () => `\x12\0 7"0000\0_OK\0`, ''],
  ['answers each question twice', (heard, device) => honest(heard, device).repeat(2), ''],
  [
    'talks without end',
    (heard, device) => {
      const talk = (): void => {
        device.say(`${FINE_STATUS.repeat(4)}7"0000\0_EPSON\0${MODEL}\0 `)
        if (device.heard.length < 100_000) setImmediate(talk)
      }
      talk()
      return honest(heard, device)
    },
    `_EPSON\0${MODEL}`,
  ],
]

describe.each(TALKERS)('a device that %s', (_, manner, greeting) => {
  it('is not trusted when it is new', async () => {
    const rig = rigAt(await startDevice(manner, greeting), null)
    for (const name of ['A', 'B']) {
      const outcome = await rig.send(name)
      expect(outcome).not.toMatchObject({ confirmation: 'confirmed' })
    }
    expect(rig.learnt.filter(({ gsI, gsR, gsParenH }) => gsI || gsR || gsParenH)).toEqual([])
  })

  it('is not trusted at the address of a printer that was', async () => {
    const rig = rigAt(await startDevice(manner, greeting), KNOWS_GS_I)
    for (const name of ['A', 'B', 'C']) expect((await rig.send(name)).kind).not.toBe('printed')
    expect(rig.learnt).toEqual([])
  })

  it('is not taken for one that proves its tickets when it is identified', async () => {
    const { address } = await startDevice(manner, greeting)
    const clock = new UnhurriedClock()
    clock.start()
    cleanups.push(() => clock.stop())
    const { signal } = new AbortController()
    const timeouts = { probeMs: 100, learnMs: 100, finMs: 100 }
    const identity = await identifyPrinter({
      openChannel: tcpChannelTo(address),
      clock,
      random: Math.random,
      signal,
      timeouts,
    })
    expect(identity.kind === 'printer' ? identity.capability?.gsI : false).toBe(false)
  })
})

describe('a printer that answers only queries', () => {
  it('is trusted', async () => {
    const rig = rigAt(await startDevice(honest), null)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i', confirmation: 'confirmed' })
  })

  it('is trusted if it pushes its status: that is no answer', async () => {
    const rig = rigAt(await startDevice((heard, device) => PUSHED_STATUS + honest(heard, device), PUSHED_STATUS), null)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i', confirmation: 'confirmed' })
  })

  it('gets no ticket on a connection with an unrequested answer, and is trusted on the next', async () => {
    const device = await startDevice(honest)
    const rig = rigAt(device, KNOWS_GS_I, { timeouts: { lingerMs: 600_000 } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    device.say(`${MODEL}${PUSHED_STATUS.replace('\x10', '\x18')}`)
    await rig.health.next(({ state }) => state === 'offline')
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    expect(device.connections).toBe(2)
    expect(device.heard.match(/B line 1\n/g)).toHaveLength(1)
  })

  it('is queried again if an answer comes before its query, and gets no ticket before that', async () => {
    let stale = MODEL
    const device = await startDevice((heard, self) => {
      const text = stale + honest(heard, self)
      stale = ''
      return text
    })
    const rig = rigAt(device, KNOWS_GS_I)
    expect(await rig.send('A')).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    expect(device.heard.match(/A line 1\n/g)).toHaveLength(1)
  })
})

describe('an answer in the middle of a ticket, before its query was sent', () => {
  it('does not prove the ticket', async () => {
    const manner: Manner = (heard, device) => (heard.includes('A line 1\n') ? MODEL : honest(heard, device))
    const rig = rigAt(await startDevice(manner), KNOWS_GS_I, { profile: { paceBytesPerSec: 2_000 } })
    expect(await rig.send('A', 60)).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
  })
})

describe('a device that reports unrequested that its buffers are empty', () => {
  it('does not prove a ticket with that', async () => {
    const manner: Manner = (heard, device) => (heard.includes('line 1\n') ? '7%\0' : honest(heard, device))
    const rig = rigAt(await startDevice(manner), KNOWS_GS_I)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
  })
})

describe('a status among bytes that no printer sends', () => {
  /** DLE EOT n of a printer without paper; n is the third byte of the query. */
  const withoutPaper: Manner = (heard) => {
    const answers = ['', '\x1a', '\x32', '\x12', '\x72']
    const questions = heard.split(STATUS_QUESTION).slice(1)
    return questions.map((question) => answers[question.charCodeAt(0)]).join('')
  }

  it('does not count if another server answers each query: it is never out of paper', async () => {
    const server = await startDevice(() => 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nVary: *\r\n\r\n')
    const rig = rigAt(server, KNOWS_ALL)
    const kinds = new Set<string>()
    for (let contact = 0; contact < 5; contact++) kinds.add((await rig.prepare()).kind)
    expect([...kinds]).toEqual(['busy'])
    expect(rig.transport.health.reasons).not.toContain('media-empty')
  })

  it('counts if the printer greets each client', async () => {
    const rig = rigAt(await startDevice(withoutPaper, 'Printer 1234\r\n'), KNOWS_ALL)
    expect(await rig.prepare()).toMatchObject({ kind: 'blocked', reason: 'media-empty' })
  })
})

describe('a printer whose proof is GS r', () => {
  const isTicket = (heard: string): boolean => heard.includes('line 1\n')

  it('is trusted if each of its answers comes, and nothing else', async () => {
    const rig = rigAt(await startDevice(honestByGsR), KNOWS_GS_R)
    for (const name of ['A', 'B'])
      expect(await rig.send(name)).toMatchObject({ kind: 'printed', method: 'gs-r', confirmation: 'confirmed' })
  })

  it('is trusted if it greets each client, and if a serial line passes its flow control', async () => {
    const manner: Manner = (heard, device) => (isTicket(heard) ? '\x13\x11' : '') + honestByGsR(heard, device)
    const rig = rigAt(await startDevice(manner, 'HELLO\r\n'), KNOWS_GS_R)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-r' })
  })

  it.each([
    ['a NUL', '\0'],
    ['two NULs', '\0\0'],
    ['a line end', '\r\n'],
    ['OK', 'OK'],
    ['a space', ' '],
    ['a text', '  *  *  '],
    ['many NULs', '\0'.repeat(40)],
    ['rubbish', '\xff\0\0\xfe\0'],
  ])('swallows a ticket and says %s: proves nothing', async (_, said) => {
    const manner: Manner = (heard, device) => (isTicket(heard) ? said : honestByGsR(heard, device))
    const rig = rigAt(await startDevice(manner), KNOWS_GS_R)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
  })

  it.each([
    ['before them', '\0', ''],
    ['behind them', '', '\0'],
    ['of rubbish before them', '\xff', ''],
  ])('sends its answers and one byte %s: proves nothing', async (_, before, behind) => {
    const manner: Manner = (heard, device) => {
      const answers = honestByGsR(heard, device)
      return isTicket(heard) ? before + answers + behind : answers
    }
    const rig = rigAt(await startDevice(manner), KNOWS_GS_R)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
  })

  it('sends bytes while idle: gets no ticket on that connection, and is trusted on the next', async () => {
    const device = await startDevice(honestByGsR)
    const rig = rigAt(device, KNOWS_GS_R, { timeouts: { lingerMs: 600_000 } })
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-r' })
    device.say(`\0${PUSHED_STATUS.replace('\x10', '\x18')}`)
    await rig.health.next(({ state }) => state === 'offline')
    expect(await rig.send('B')).toMatchObject({ kind: 'printed', method: 'gs-r' })
    expect(device.connections).toBe(2)
    expect(device.heard.match(/B line 1\n/g)).toHaveLength(1)
  })

  it('sends too much for each query: as a new printer it counts as one that proves nothing', async () => {
    const rig = rigAt(await startDevice((heard, device) => `${honestByGsR(heard, device)}\0`), null)
    expect(await rig.send('A')).not.toMatchObject({ confirmation: 'confirmed' })
    expect(rig.learnt.filter(({ gsR }) => gsR)).toEqual([])
  })
})

describe('a printer whose answers to GS r cannot be distinguished from unrequested bytes', () => {
  const talkative: Manner = (heard, device) => {
    const answers = honestByGsR(heard, device)
    return heard.includes(PAPER_QUESTION) ? `${answers}\0` : answers
  }
  const AT_ONCE: RigOptions = { timeouts: { lookAgainEveryMs: 0 } }
  const MOST_TRIES = 6
  /** The outcome of a ticket, offered until the printer accepted it. */
  const offer = async (rig: PrinterRig, name: string): Promise<SendOutcome> => {
    for (let tries = 1; ; tries++) {
      const outcome = await rig.send(name)
      if (outcome.kind !== 'not-sent' || tries === MOST_TRIES) return outcome
    }
  }
  const assumed = { kind: 'printed', method: 'dle-eot', confirmation: 'assumed' }

  it('is trusted for its status only after one ticket in doubt, which is stored, and gets each further ticket once', async () => {
    const device = await startDevice(talkative)
    const rig = rigAt(device, KNOWS_GS_R)
    expect(await offer(rig, 'A')).toMatchObject({ kind: 'uncertain' })
    for (const name of ['B', 'C', 'D']) expect(await offer(rig, name)).toMatchObject(assumed)
    expect(device.heard.match(/[BCD] line 1\n/g)).toHaveLength(3)
    expect(rig.learnt.at(-1)).toMatchObject({ dleEot: true, gsR: false, talks: true })
  })

  it('is treated the same if it sends only sometimes: two tickets in doubt are enough', async () => {
    const device = await startDevice((heard, self) =>
      (heard.includes('line 1\n') ? talkative : honestByGsR)(heard, self),
    )
    const rig = rigAt(device, KNOWS_GS_R)
    for (const name of ['A', 'B']) expect(await offer(rig, name)).toMatchObject({ kind: 'uncertain' })
    for (const name of ['C', 'D']) expect(await offer(rig, name)).toMatchObject(assumed)
  })

  it('is trusted again if it was probed in silence', async () => {
    const rig = rigAt(await startDevice(honestByGsR), { ...KNOWS_GS_R, gsR: false, talks: true }, AT_ONCE)
    expect(await offer(rig, 'A')).toMatchObject({ kind: 'printed', method: 'gs-r', confirmation: 'confirmed' })
    expect(rig.learnt.at(-1)?.talks).toBeUndefined()
  })

  it('is not probed as one that proves its tickets, even if the bytes come after all answers and pushed status', async () => {
    const device = await startDevice((heard, self) => {
      if (!heard.includes(PAPER_QUESTION)) return honestByGsR(heard, self)
      rig.clock.after(20, () => self.say('\0'))
      return PUSHED_STATUS + honestByGsR(heard, self)
    })
    const rig: PrinterRig = rigAt(device, null)
    expect(await offer(rig, 'A')).toMatchObject(assumed)
    expect(rig.learnt.filter(({ gsR }) => gsR)).toEqual([])
  })
})

describe('a printer whose proof is GS I', () => {
  it.each(['_BOOT\0', '_X2AB\0', '_\0'])('swallows a ticket and sends %j: that is not its model', async (said) => {
    let isSwallowing = false
    const manner: Manner = (heard, device) => {
      if (!heard.includes('line 1\n')) return honest(heard, device)
      const answers = isSwallowing ? said : honest(heard, device)
      isSwallowing = true
      return answers
    }
    const rig = rigAt(await startDevice(manner), null)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed', method: 'gs-i' })
    expect(await rig.send('B')).toMatchObject({ kind: 'uncertain' })
  })
})
