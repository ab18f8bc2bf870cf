// A printer's identity on a real network of namespaces: forged answers of Epson, Star and mDNS move no ticket, the printer itself is followed, and a person decides the rest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { systemClock } from '#shared/clock.ts'
import { runLineOf } from '#test/harness/command-line.ts'
import { inDrill } from '#test/harness/drill.ts'
import { type HostProgram, Lan, whyNoNamespaces } from '#test/harness/network-namespaces.ts'

const missing = whyNoNamespaces()
if (missing !== null) process.stderr.write(`forged-discovery is skipped: ${missing}\n`)

const BOX = { address: '10.87.0.10', mac: '02:00:00:00:00:10' }
const GRILL = { address: '10.87.0.50', mac: '64:eb:8c:01:02:03' }
const MOVED = '10.87.0.57'
const STRANGER = { address: '10.87.0.66', mac: '02:00:00:00:00:66' }
const BROADCAST = '10.87.0.255'
/** Times that the box's minutes are shorter than ours. */
const HURRY = '6'

describe.skipIf(missing !== null)('a printer on a real network', { timeout: 300_000 }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'forged-'))
  const env = {
    GATEWAY_DATABASE: join(dir, 'gateway.db'),
    GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
    GATEWAY_PRINTERS: `Grill=${GRILL.address}`,
    GATEWAY_HTTP_PORT: '8080',
    GATEWAY_CONTROL_SOCKET: join(dir, 'control.sock'),
    HURRY,
  }
  let lan: Lan
  let box: HostProgram
  let printer: HostProgram
  let stranger: HostProgram

  /** A device that claims the printer's hardware address in every way; `model`: what else it says over its connection. */
  const device = (host: string, address: string, model: Record<string, string | boolean | null> = {}): HostProgram => {
    const claims = { mac: GRILL.mac, model: 'TM-T88VI' }
    return lan.run(host, 'test/harness/network-device.ts', [
      JSON.stringify({ address, broadcast: BROADCAST, model, claims }),
    ])
  }
  const isOn = (program: HostProgram) => program.line((line) => line['ready'] === true)
  const papers = (program: HostProgram): number => program.lines.filter((line) => 'ticket' in line).length
  const call = (operation: string, body: unknown = {}) => callControl(env.GATEWAY_CONTROL_SOCKET, operation, body)
  async function grill(): Promise<PrinterAnswer> {
    const [found] = (await call('printers.list')) as PrinterAnswer[]
    if (!found) throw new Error('no printer')
    return found
  }
  /** As soon as it holds; the test's own limit ends the wait. */
  async function until(holds: (printer: PrinterAnswer) => boolean): Promise<PrinterAnswer> {
    for (;;) {
      const now = await grill()
      if (holds(now)) return now
      await systemClock.sleep(100)
    }
  }
  /** The watch has looked so often from now on: it asks by broadcast each time. */
  async function looks(times: number): Promise<void> {
    const said = () => box.lines.filter(({ msg }) => msg === 'discovery: ended').length
    for (let left = times; left > 0; left--) {
      const before = said()
      await call('discover.start')
      while (said() === before) await systemClock.sleep(50)
      // The pass of the watch that follows a search, and half a minute of the box's.
      await systemClock.sleep(30_000 / Number(HURRY))
    }
  }
  const printTest = () => call('printers.test', { printer: 'grill' })
  const printed = async (program: HostProgram, count: number): Promise<void> => {
    await program.line(() => papers(program) >= count)
  }

  /** The printer gets another address from the router, and its tickets follow. */
  async function movesTo(address: string): Promise<void> {
    await printer.stop()
    lan.address('grill', address)
    printer = device('grill', address)
    await until(({ host, state }) => host === address && state === 'online')
  }

  beforeAll(async () => {
    lan = new Lan()
    lan.host('box', BOX)
    lan.host('grill', GRILL)
    lan.host('evil', STRANGER)
    printer = device('grill', GRILL.address)
    await isOn(printer)
    box = lan.run('box', 'test/harness/hurried-gateway.ts', [], env)
    await box.line(({ msg }) => msg === 'ready')
    await printTest()
    await printed(printer, 1)
    await until(({ identity: { known } }) => known.mac === GRILL.mac && known.serial !== null)
  })
  afterAll(async () => {
    await lan.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  it('is not moved by forged answers while it is on', async () => {
    stranger = device('evil', STRANGER.address)
    await isOn(stranger)
    await looks(inDrill(2, 1))
    await printTest()
    await printed(printer, 2)
    expect(await grill()).toMatchObject({ host: GRILL.address, identity: { found: null } })
    expect(papers(stranger)).toBe(0)
  })

  it('is not moved by forged answers while it is off, whatever the stranger claims, which is not offered to anyone', async () => {
    await printer.stop()
    await printTest()
    await until(({ state }) => state === 'offline')
    await looks(inDrill(5, 3))
    expect(await grill()).toMatchObject({ host: GRILL.address, queued: 1, identity: { found: null } })
    const { findings } = (await call('health.list')) as { findings: { id: string }[] }
    expect(findings.map(({ id }) => id)).not.toContain('printer-elsewhere:grill')
    expect(papers(stranger)).toBe(0)
  })

  it('prints what waited when it is back, and no one is asked any more', async () => {
    printer = device('grill', GRILL.address)
    await printed(printer, 1)
    await until(({ state, identity: { found } }) => state === 'online' && found === null)
    expect(papers(stranger)).toBe(0)
  })

  it('is not moved to its own hardware address that answers with another serial number', async () => {
    await stranger.stop()
    await printer.stop()
    lan.cable('grill', false)
    lan.mac('evil', GRILL.mac)
    stranger = device('evil', STRANGER.address, { serial: 'EVIL1' })
    await isOn(stranger)
    await printTest()
    const { identity } = await until(({ identity: { found } }) => found !== null)
    expect(identity.found).toMatchObject({ host: STRANGER.address, mac: GRILL.mac, serial: 'EVIL1' })
    await looks(inDrill(2, 1))
    expect(await grill()).toMatchObject({ host: GRILL.address, queued: 1 })
    expect(papers(stranger)).toBe(0)
    await stranger.stop()
    lan.mac('evil', STRANGER.mac)
    lan.cable('grill', true)
  })

  it('is followed automatically to another address, and goes back when it answers at the old one again', async () => {
    lan.address('grill', MOVED)
    printer = device('grill', MOVED)
    await printed(printer, 1)
    await until(({ host, queued }) => host === MOVED && queued === 0)
    await movesTo(GRILL.address)
    await printTest()
    await printed(printer, 1)
  })

  it('is followed again, and goes back, without a ticket in between', async () => {
    await movesTo(MOVED)
    await movesTo(GRILL.address)
    await printTest()
    await printed(printer, 1)
    await until(({ confirm }) => confirm.method === 'gs-paren-h')
  })

  it('whose address another device has got is distinguished from it, until a person accepts that one on the command line', async () => {
    await printer.stop()
    lan.cable('grill', false)
    lan.address('evil', GRILL.address)
    stranger = device('evil', GRILL.address, { gsParenH: false, serial: null, name: 'POS-80' })
    await isOn(stranger)
    await printTest()
    const { identity } = await until(({ reasons }) => reasons.includes('another-printer'))
    expect(identity.found).toMatchObject({ host: GRILL.address, mac: STRANGER.mac, model: 'POS-80', level: 'L2' })
    expect(papers(stranger)).toBe(0)
    const accepted = await runLineOf(env, ['printers', 'accept', 'Grill'])
    expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('is the device at 10.87.0.50') })
    await printed(stranger, 1)
    const now = await until(({ state, queued }) => state === 'online' && queued === 0)
    expect(now).toMatchObject({ confirm: { method: 'gs-i' }, identity: { found: null, known: { model: 'POS-80' } } })
  })
})
