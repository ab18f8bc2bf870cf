// Allowed printer addresses, on the real program: where the page, the command line and a name server can make the box connect to.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PageBrowser } from '#test/doubles/box-server.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { runLineOf } from '#test/harness/command-line.ts'
import { Program } from '#test/harness/program.ts'

const PASSWORD = 'seven-green-onions-2026'
/** This box, however it is written. */
const LOOPBACK = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '127.0.0.53',
    'localhost',
    'LOCALHOST.',
  ],
  ...['::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1', '0', '0.0.0.0', '::'],
]
const OTHERS = [
  ...['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '224.0.0.251', 'ff02::1', '255.255.255.255', '240.0.0.1'],
  ...['8.8.8.8', '203.0.113.7', '2001:db8::1', '64:ff9b::7f00:1'],
]

describe('the address of a printer', () => {
  let dir: string
  let env: Record<string, string>
  let program: Program
  let printer: VirtualPrinter
  let trap: Server
  let port: number
  let visits: number
  let phone: PageBrowser
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'printer-addresses-'))
    env = {
      GATEWAY_DATABASE: join(dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
      GATEWAY_HTTP_PORT: '0',
    }
    program = new Program('gateway/main.ts', env, true)
    printer = new VirtualPrinter()
    await printer.start()
    visits = 0
    trap = createServer((socket) => {
      visits++
      socket.destroy()
    })
    // Not a port that the kernel picks: a program of another test may still call the one before it there, and would count as a visit.
    port = randomInt(20_000, 30_000)
    await once(trap.listen(port, '127.0.0.1'), 'listening')
  })
  afterEach(async () => {
    await program.kill('SIGKILL')
    await printer.stop()
    await new Promise((resolve) => trap.close(resolve))
    rmSync(dir, { recursive: true, force: true })
  })
  async function start(extra: Record<string, string> = {}): Promise<void> {
    const { httpUrl } = await program.start(extra)
    phone = new PageBrowser(Number(new URL(httpUrl).port))
    const { setupCode } = (await line('welcome', '--json')).json
    if (setupCode) await phone.post('/api/v1/setup', { code: setupCode, name: 'Tea', password: PASSWORD })
    else await phone.post('/api/v1/session', { name: 'Tea', password: PASSWORD })
  }
  const line = (...args: string[]) => runLineOf(env, args)
  const added = async (): Promise<string[]> =>
    (await phone.perform('printers.list')).body.result.map(({ name }: { name: string }) => name)

  it('is refused when it leads back into the box, to a metadata service, a group or the internet, by any spelling', async () => {
    await start()
    for (const host of [...LOOPBACK, ...OTHERS]) {
      for (const [operation, body] of [
        ['printers.add', { name: 'Trap', host, port }],
        ['printers.identify', { host, port }],
      ] as const) {
        const { status, body: answer } = await phone.perform(operation, body)
        expect([operation, host, status]).toEqual([operation, host, 409])
        expect(answer.message).toContain('GATEWAY_ALLOWED_PRINTERS')
      }
    }
    expect([await added(), visits]).toEqual([[], 0])
  })

  it('is refused when a known printer is given another one, and the printer stays what it was', async () => {
    const { host } = printer.address
    await start({ GATEWAY_PRINTERS: `Grill=${host}:${printer.address.port}` })
    for (const change of [{ host: '127.1', port }, { host: '169.254.169.254' }, { port }])
      expect((await phone.perform('printers.update', { printer: 'Grill', ...change })).status).toBe(409)
    const { status } = await phone.perform('printers.update', {
      ...{ printer: 'Grill', name: 'Oven', host, port: printer.address.port },
    })
    expect([status, await added(), visits]).toEqual([200, ['Oven'], 0])
  })

  it('may be in a private network here or behind a router, at any port but those of other services', async () => {
    await start()
    const add = async (host: string, at = 9_100) =>
      (await phone.perform('printers.add', { name: `${host} ${at}`, host, port: at })).status
    expect(await Promise.all([add('10.99.1.50'), add('172.20.0.9', 4_001), add('192.168.77.8', 10_001)])).toEqual([
      200, 200, 200,
    ])
    expect([await add('no-such-printer.invalid'), await add('fd12::50')]).toEqual([200, 200])
    for (const service of [1, 22, 25, 80, 443, 631, 1_883, 6_379, 8_080, 11_211])
      expect([service, await add('10.99.1.50', service)]).toEqual([service, 409])
  })

  it('is allowed only through the control socket, with that very option', async () => {
    await start()
    const { host, port: at } = printer.address
    const asked = { name: 'Grill', host, port: at, allowAddress: true }
    expect((await phone.perform('printers.add', asked)).status).toBe(409)
    expect((await line('printers', 'add', 'Grill', `${host}:${at}`)).err).toContain('--allow-address')
    expect((await line('printers', 'add', 'Grill', `${host}:${at}`, '--allow-address')).code).toBe(0)
    const paper = printer.nextTicket((ticket) => ticket.text().includes('TEST TICKET'))
    expect((await phone.perform('printers.test', { printer: 'Grill' })).status).toBe(200)
    await paper
    // It stays allowed after a restart.
    await program.kill('SIGTERM')
    await start()
    const again = printer.nextTicket((ticket) => ticket.text().includes('TEST TICKET'))
    expect((await phone.perform('printers.test', { printer: 'Grill' })).status).toBe(200)
    await again
  })

  it('is allowed in the ranges that the settings name, and where they name a printer', async () => {
    const { host, port: at } = printer.address
    await start({ GATEWAY_PRINTERS: `Grill=${host}:${at}`, GATEWAY_ALLOWED_PRINTERS: `127.0.0.0/8:${port}` })
    expect((await phone.perform('printers.add', { name: 'Trap', host: '127.1', port })).status).toBe(200)
    expect((await phone.perform('printers.add', { name: 'Same', host, port: at })).status).toBe(200)
    const paper = printer.nextTicket((ticket) => ticket.text().includes('TEST TICKET'))
    expect((await phone.perform('printers.test', { printer: 'Grill' })).status).toBe(200)
    await paper
  })

  it('that the settings allow no more is why its printer does not print, and what to do about it', async () => {
    const { host, port: at } = printer.address
    await start({ GATEWAY_PRINTERS: `Grill=${host}:${at}` })
    await program.kill('SIGTERM')
    await start()
    const refusal = `No connection is made to ${host}:${at}: it is this box itself.`
    const [grill] = (await phone.perform('printers.list')).body.result
    expect(grill).toMatchObject({ state: 'offline', reasons: ['not-allowed'] })
    const checks = (await line('doctor', '--json')).json
    const ofGrill = checks.filter(({ name }: { name: string }) => name === 'printer Grill')
    expect(ofGrill.map(({ result }: { result: string }) => result)).toContain('fail')
    const [failed, ...others] = ofGrill.map(({ text }: { text: string }) => text)
    expect(failed).toMatch(`Grill does not print. ${refusal}`)
    expect(failed).toContain('--allow-address')
    expect(JSON.stringify([failed, others])).not.toContain('Nothing answers')
    expect(JSON.stringify(others)).not.toContain('No connection')
    expect((await line('printers', 'list')).out.split(refusal)).toHaveLength(2)
  })

  it('that a name resolves to is checked for each connection, not only when the printer is added', async () => {
    await start({ GATEWAY_ALLOWED_PRINTERS: `127.0.0.0/8:${port}` })
    expect((await phone.perform('printers.add', { name: 'Trap', host: 'localhost', port })).status).toBe(200)
    await expect.poll(() => visits).toBeGreaterThan(0)
    await program.kill('SIGTERM')
    const before = visits
    // Where that name leads is allowed no more, as when a name server gives another answer than at first.
    await start()
    await expect
      .poll(async () => (await phone.perform('printers.list')).body.result[0].notes.join(' '))
      .toContain('127.0.0.1')
    expect((await phone.perform('printers.identify', { printer: 'Trap' })).body.result).toMatchObject({
      answer: 'unreachable',
    })
    expect(visits).toBe(before)
  })
})
