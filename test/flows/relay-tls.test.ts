// A relay that speaks TLS itself, and a real box that knows its private authority from pairing: orders print before and after a renewal.
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { type Issued, OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'

const [authority, stranger] = [new OpensslAuthority(), new OpensslAuthority()]
afterAll(() => {
  authority.remove()
  stranger.remove()
})
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const soon: typeof expect.poll = (ask) => expect.poll(ask)

interface TlsSite {
  site: PairSite
  printer: VirtualPrinter
  put(issued: Issued): void
}

/** The MQTT port has the certificate, the API none: this test speaks http with it. */
async function tlsSite(): Promise<TlsSite> {
  const printer = new VirtualPrinter()
  const { host, port } = await printer.start()
  const dir = mkdtempSync(join(tmpdir(), 'relay-tls-site-'))
  const place = { certificateFile: join(dir, 'fullchain.pem'), keyFile: join(dir, 'privkey.pem') }
  const put = (issued: Issued): void => {
    copyFileSync(issued.certificateFile, place.certificateFile)
    copyFileSync(issued.keyFile, place.keyFile)
  }
  put(authority.issue())
  const site = new PairSite({
    printers: `Grill=${host}:${port}`,
    cloudEnv: {
      CLOUD_MQTT_TLS_CERT_FILE: place.certificateFile,
      CLOUD_MQTT_TLS_KEY_FILE: place.keyFile,
      CLOUD_GATEWAY_CA_FILE: authority.caFile,
    },
  })
  stops.push(
    () => printer.stop(),
    () => rmSync(dir, { recursive: true, force: true }),
    () => site.stop(),
  )
  await site.startRelay()
  return { site, printer, put }
}

const linkOf = async (site: PairSite) => (await site.status()).link

async function printed({ site, printer }: TlsSite, orderId: string): Promise<void> {
  await soon(async () => (await site.order(orderId)).status).toBe(200)
  await printer.nextTicket((ticket) => ticket.text().includes(orderId))
}

describe('a relay with a certificate of a private authority', () => {
  it('sends boxes the mqtts address and the authority; the link outlives a renewal, and trusts the new one after a restart', async () => {
    const made = await tlsSite()
    const { site, put } = made
    await site.startBox()
    await site.pair()
    const brokerUrl = `mqtts://127.0.0.1:${site.mqttPort}`
    expect(site.pairing()).toMatchObject({ brokerUrl, ca: authority.ca })
    await soon(async () => (await linkOf(site)).state).toBe('connected')
    await printed(made, 'T-FIRST')

    const next = authority.issue()
    const { since } = await linkOf(site)
    put(next)
    site.cloud.signal('SIGHUP')
    const served = async () => (await servedCertificate('127.0.0.1', site.mqttPort)).serialNumber
    await soon(served).toBe(new X509Certificate(readFileSync(next.certificateFile)).serialNumber)
    expect(await linkOf(site)).toMatchObject({ state: 'connected', since })
    await printed(made, 'T-SAME-LINK')

    await site.cloud.kill('SIGKILL')
    await site.startRelay()
    await soon(async () => (await linkOf(site)).state).toBe('connected')
    await printed(made, 'T-NEW-LINK')
  })

  it('is refused with a reason when its certificate is of another authority or for another name, and accepted again when it is right', async () => {
    const made = await tlsSite()
    const { site, put } = made
    await site.startBox()
    await site.pair()
    for (const [issued, words] of [
      [stranger.issue(), 'is not trusted'],
      [authority.issue({ names: ['DNS:other.example'] }), 'belongs to another name'],
    ] as const) {
      put(issued)
      await site.cloud.kill('SIGKILL')
      await site.startRelay()
      await soon(() => linkOf(site)).toMatchObject({ trouble: 'certificate', detail: expect.stringContaining(words) })
    }
    put(authority.issue())
    site.cloud.signal('SIGHUP')
    await soon(async () => (await linkOf(site)).state).toBe('connected')
    await printed(made, 'T-RIGHT-AGAIN')
  })

  it('behind a listener that is plain, a box gets no password: the relay does not start', async () => {
    const { site } = await tlsSite()
    await site.cloud.kill('SIGKILL')
    const plain = { CLOUD_MQTT_TLS_CERT_FILE: '', CLOUD_MQTT_TLS_KEY_FILE: '', CLOUD_MQTT_HOST: '0.0.0.0' }
    await expect(site.cloud.start(plain)).rejects.toThrow('(78)')
    expect(site.cloud.log.at(-1)?.msg).toContain('CLOUD_ALLOW_PLAIN=mqtt')
  })
})
