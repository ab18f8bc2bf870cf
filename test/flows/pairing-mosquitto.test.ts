// Pairing with a Mosquitto between relay and box: the relay keeps its list of passwords, so claims and revocations count there too.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { MosquittoProcess, mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
const soon: typeof expect.poll = (ask) => expect.poll(ask)
const program = mosquittoProgram()
if (program === null)
  console.warn('SKIPPED: pairing with Mosquitto, because it is not installed (apt-get install mosquitto)')

describe.skipIf(program === null)('with a Mosquitto whose passwords the relay keeps', () => {
  it('a box joins by a code, prints, is revoked for good, also while the relay is away, and joins again', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'ticketrail-mosquitto-'))
    const port = await ownPort()
    const broker = new MosquittoProcess(dir)
    const printer = new VirtualPrinter()
    const at = await printer.start()
    const url = `mqtt://127.0.0.1:${port}`
    const site = new PairSite({
      printers: `Grill=${at.host}:${at.port}`,
      cloudEnv: {
        CLOUD_BROKER_URL: url,
        CLOUD_BROKER_USERNAME: 'relay',
        CLOUD_BROKER_PASSWORD: 'relay-password-of-the-test',
        CLOUD_GATEWAY_BROKER_URL: url,
        CLOUD_MOSQUITTO_PASSWORD_FILE: broker.passwordFile,
        CLOUD_MOSQUITTO_PID_FILE: broker.pidFile,
      },
    })
    stops.push(
      async () => rmSync(dir, { recursive: true, force: true }),
      () => printer.stop(),
      () => broker.stop(),
      () => site.stop(),
    )
    const users = (): string[] => readFileSync(broker.passwordFile, 'utf8').match(/^[^:]+/gm) ?? []
    const linkOf = async () => (await site.status()).link
    await site.startRelay()
    await broker.start(program ?? '', port)
    await site.startBox()
    const first = await site.pair()
    await soon(async () => (await linkOf()).state).toBe('connected')
    expect(users()).toEqual(['relay', first])
    await site.order('T-000001')
    await printer.nextTicket((ticket) => ticket.text().includes('T-000001'))

    // Mosquitto knows one password a user: there is no second one to change to, and the operator is told what to do instead.
    await expect(site.admin('gateways', 'rotate', '--gateway', first)).rejects.toThrow('gateways code')
    // For another password the box joins anew; its former self is struck off.
    expect((await site.line('unpair')).code).toBe(0)
    const second = await site.pair()
    await soon(async () => (await linkOf()).state).toBe('connected')
    await soon(users).toEqual(['relay', second])

    // Revoked while the relay is away: struck off at its next start, and the box is told by the broker itself.
    await site.cloud.kill('SIGTERM')
    await site.admin('gateways', 'revoke', '--gateway', second)
    await site.startRelay()
    expect(users()).toEqual(['relay'])
    await site.gateway.kill('SIGTERM')
    await site.startBox()
    await soon(linkOf).toMatchObject({ trouble: 'refused', detail: expect.stringContaining('refuses this box') })
    expect(JSON.stringify(site.cloud.log)).not.toContain(site.pairing()?.token)
  })
})
