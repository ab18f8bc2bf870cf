// Pairing and link over TLS with a private authority: the right certificate works, over MQTT and WebSocket; a wrong one is refused in words.
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { TlsFront } from '#test/doubles/tls-front.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite, type PairSiteOptions } from '#test/harness/pair-site.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function siteWith(options: PairSiteOptions = {}): Promise<{ site: PairSite; printer: VirtualPrinter }> {
  const printer = new VirtualPrinter()
  const { host, port } = await printer.start()
  const site = new PairSite({ printers: `Grill=${host}:${port}`, ...options })
  stops.push(
    () => printer.stop(),
    () => site.stop(),
  )
  await site.startRelay()
  return { site, printer }
}

/** Asks until it is so. */
const soon: typeof expect.poll = (ask) => expect.poll(ask)
const isConnected = async (site: PairSite): Promise<boolean> => (await site.status()).link.state === 'connected'

describe('over TLS with a private authority', () => {
  it('the claim and the link trust it and no other', async () => {
    const [front, other] = [new TlsFront(), new TlsFront()]
    let site: PairSite | null = null
    const mqttsPort = await front.start(() => site?.mqttPort ?? 0)
    const made = await siteWith({
      cloudEnv: { CLOUD_GATEWAY_BROKER_URL: `mqtts://localhost:${mqttsPort}`, CLOUD_GATEWAY_CA_FILE: front.caFile },
    })
    site = made.site
    const https = new TlsFront()
    const httpsPort = await https.start(() => Number(new URL(made.site.cloudUrl).port))
    stops.push(
      () => front.stop(),
      () => other.stop(),
      () => https.stop(),
    )
    await site.startBox(`https://localhost:${httpsPort}`)
    const untrusted = await site.line('pair', await site.newCode())
    expect(untrusted).toMatchObject({ code: 5, err: expect.stringContaining('certificate') })
    await site.gateway.kill('SIGTERM')
    // Trusted now: the claim that was begun goes on by itself.
    await site.startBox(`https://localhost:${httpsPort}`, { NODE_EXTRA_CA_CERTS: https.caFile })
    await soon(() => made.site.status().then(({ link }) => link.state)).toBe('connected')
    await site.order('T-000001')
    await made.printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
    // Somebody in the middle, with a certificate of an authority that the box was not told.
    writeFileSync(site.pairingFile, JSON.stringify({ ...site.pairing(), ca: other.ca }))
    await soon(async () => (await made.site.status()).link).toMatchObject({
      state: 'connecting',
      trouble: 'certificate',
      detail: expect.stringMatching(/^The certificate of localhost:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    })
    expect((await made.site.line('doctor')).out).toContain('The relay cannot prove who it is')
  })

  it('over WebSocket too: orders print, and a certificate of the same authority for another name is refused', async () => {
    const [front, elsewhere] = [new TlsFront(), new TlsFront('relay.example')]
    let site: PairSite | null = null
    const relayPort = (): number => Number(new URL(site?.cloudUrl ?? 'http://0').port)
    const wssPort = await front.start(relayPort)
    const elsewherePort = await elsewhere.start(relayPort)
    const made = await siteWith({
      cloudEnv: { CLOUD_GATEWAY_BROKER_URL: `wss://localhost:${wssPort}/mqtt`, CLOUD_GATEWAY_CA_FILE: front.caFile },
    })
    site = made.site
    stops.push(
      () => front.stop(),
      () => elsewhere.stop(),
    )
    await site.startBox()
    await site.pair()
    await soon(() => isConnected(made.site)).toBe(true)
    await site.order('T-000001')
    await made.printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
    const brokerUrl = `wss://localhost:${elsewherePort}/mqtt`
    writeFileSync(site.pairingFile, JSON.stringify({ ...site.pairing(), brokerUrl, ca: elsewhere.ca }))
    await soon(async () => (await made.site.status()).link).toMatchObject({
      trouble: 'certificate',
      detail: expect.stringContaining('belongs to another name (ERR_TLS_CERT_ALTNAME_INVALID)'),
    })
  })
})
