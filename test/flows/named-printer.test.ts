// A printer that is set up by a host name, on a real network of namespaces: whoever changes what the name leads to gets no ticket.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { systemClock } from '#shared/clock.ts'
import { type HostProgram, Lan, whyNoNamespaces } from '#test/harness/network-namespaces.ts'

const missing = whyNoNamespaces()
if (missing !== null) process.stderr.write(`named-printer is skipped: ${missing}\n`)

const BOX = { address: '10.86.0.10', mac: '02:00:00:00:00:10' }
const GRILL = { address: '10.86.0.50', mac: '64:eb:8c:01:02:03' }
const STRANGER = { address: '10.86.0.66', mac: '02:00:00:00:00:66' }
const NAME = 'grill.lan'

/** What the printer answers: all of it, also its serial number, or nothing that tells it from another one. */
describe.skipIf(missing !== null).each([{}, { gsI: false, serial: null }])(
  'a printer that is set up by a name %o',
  (model) => {
    const dir = mkdtempSync(join(tmpdir(), 'named-'))
    const env = {
      GATEWAY_DATABASE: join(dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
      GATEWAY_PRINTERS: `Grill=${NAME}`,
      GATEWAY_HTTP_PORT: '8080',
      GATEWAY_CONTROL_SOCKET: join(dir, 'control.sock'),
      HURRY: '6',
    }
    let lan: Lan
    let printer: HostProgram
    let stranger: HostProgram

    const device = async (host: string, { address, mac }: typeof GRILL): Promise<HostProgram> => {
      const options = { address, broadcast: '10.86.0.255', model, claims: { mac, model: 'TM-T88VI' } }
      const program = lan.run(host, 'test/harness/network-device.ts', [JSON.stringify(options)])
      await program.line((line) => line['ready'] === true)
      return program
    }
    const papers = (program: HostProgram): number => program.lines.filter((line) => 'ticket' in line).length
    const call = (operation: string, body: unknown = {}) => callControl(env.GATEWAY_CONTROL_SOCKET, operation, body)
    async function until(holds: (printer: PrinterAnswer) => boolean): Promise<PrinterAnswer> {
      for (;;) {
        const [now] = (await call('printers.list')) as PrinterAnswer[]
        if (now && holds(now)) return now
        await systemClock.sleep(100)
      }
    }

    beforeAll(async () => {
      lan = new Lan()
      lan.host('box', BOX)
      lan.host('grill', GRILL)
      lan.host('evil', STRANGER)
      lan.hostsFile('box', { [NAME]: GRILL.address })
      printer = await device('grill', GRILL)
      const box = lan.run('box', 'test/harness/hurried-gateway.ts', [], env)
      await box.line(({ msg }) => msg === 'ready')
      await call('printers.test', { printer: 'grill' })
      await printer.line(() => papers(printer) >= 1)
      await until(({ identity: { known } }) => known.mac !== null)
    })
    afterAll(async () => {
      await lan.stop()
      rmSync(dir, { recursive: true, force: true })
    })

    it('is known by the hardware address of the device that the name leads to', async () => {
      expect((await until(() => true)).identity.known.mac).toBe(GRILL.mac)
    })

    it('is not the stranger that the name leads to next, and prints on when it leads to the printer again', async () => {
      stranger = await device('evil', STRANGER)
      lan.hostsFile('box', { [NAME]: STRANGER.address })
      await call('printers.test', { printer: 'grill' })
      const seen = await until(({ reasons }) => reasons.includes('another-printer'))
      expect(seen.identity.found?.mac).toBe(STRANGER.mac)
      lan.hostsFile('box', { [NAME]: GRILL.address })
      await printer.line(() => papers(printer) >= 2)
      expect(papers(stranger)).toBe(0)
    })
  },
)
