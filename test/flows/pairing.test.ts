// Pairing as it happens in a restaurant: a box prints alone, joins by a code, loses power in between, changes its password, is revoked.
import { once } from 'node:events'
import { watch, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import mqtt from 'mqtt'
import { afterEach, describe, expect, it } from 'vitest'
import { ownPort } from '#test/doubles/own-port.ts'
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

/** The box has put the next password into its pairing file: resolves at once, whatever it does with it then. */
async function passwordWritten(site: PairSite): Promise<void> {
  const before = site.pairing()?.token
  const watcher = watch(dirname(site.pairingFile))
  const isThere = (): boolean => {
    const now = site.pairing()
    return now !== null && (now.nextToken !== undefined || now.token !== before)
  }
  try {
    while (!isThere()) await once(watcher, 'change')
  } finally {
    watcher.close()
  }
}

/** What the broker says to this password. */
function knock(site: PairSite, gatewayId: string, password: string): Promise<string> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${site.mqttPort}`, {
    ...{ clientId: gatewayId, username: gatewayId, password, protocolVersion: 4, clean: true, reconnectPeriod: 0 },
  })
  return new Promise((resolve) => {
    client.on('connect', () => resolve('welcome'))
    client.on('error', (error) => resolve(String((error as { code?: unknown }).code)))
  }).finally(() => client.endAsync(true)) as Promise<string>
}

describe('a box without an account', () => {
  it('joins by a code without a restart, and prints orders from the cloud; the code works once', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    expect((await site.status()).link.state).toBe('unpaired')
    const { pid } = site.gateway
    const code = await site.newCode('Grill box')
    const paired = await site.line('pair', code.toLowerCase(), '--json')
    expect(paired.err).toBe('')
    expect(paired.json).toMatchObject({ state: 'paired', gatewayId: expect.stringMatching(/^gw_/) })
    await soon(() => isConnected(site)).toBe(true)
    expect(site.pairingMode()).toBe(0o600)
    expect((await site.order('T-000001')).status).toBe(200)
    await printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
    expect(site.gateway.pid).toBe(pid)

    const again = await site.line('pair', code)
    expect(again.code).toBe(1)
    expect(again.err).toContain('belongs to')
    expect((await site.line('unpair')).code).toBe(0)
    await soon(async () => (await site.status()).link.state).toBe('unpaired')
    expect(site.pairing()).toBeNull()
    const used = await site.line('pair', code)
    expect(used.code).toBe(1)
    expect(used.err).toContain('unknown, has expired, or was used')
    const secrets = [code, code.replace('-', ''), paired.json.token].filter(Boolean)
    for (const secret of secrets) expect(JSON.stringify([site.gateway.log, site.cloud.log])).not.toContain(secret)
  })

  it('explains what is wrong, and the kitchen keeps working', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    expect(await site.line('pair', 'ABC')).toMatchObject({
      code: 2,
      err: expect.stringContaining('ten letters and digits'),
    })
    const nobody = await ownPort([site.mqttPort])
    const offline = await site.line('pair', '00000-00000', '--relay', `http://127.0.0.1:${nobody}`)
    expect(offline).toMatchObject({ code: 5, err: expect.stringContaining(`Nobody answers at 127.0.0.1:${nobody}`) })
    const plain = await site.line('pair', '00000-00000', '--relay', 'http://192.0.2.1')
    expect(plain).toMatchObject({ code: 2, err: expect.stringContaining('https://') })
    expect(await site.line('pair', '00000-00000')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown, has expired'),
    })
    const { json } = await site.line('printers', 'test', 'Grill', '--json')
    expect(json.ticketId).toBeTypeOf('string')
    await printer.waitForTickets(1)
  })

  it('uses a pairing file that somebody puts there', async () => {
    const { site } = await siteWith()
    await site.startBox()
    const { pairing } = await site.admin(
      'gateways',
      'add',
      '--location',
      site.locationId,
      '--name',
      'By hand',
      '--broker-url',
      `mqtt://127.0.0.1:${site.mqttPort}`,
    )
    writeFileSync(site.pairingFile, '{"half":')
    writeFileSync(site.pairingFile, JSON.stringify(pairing))
    await soon(() => isConnected(site)).toBe(true)
    expect((await site.line('pairing', '--json')).json).toMatchObject({ state: 'paired', gatewayId: pairing.gatewayId })
  })
})

describe('a box that loses power', () => {
  it('between the relay’s answer and its pairing file, is the same gateway after the next start, by itself', async () => {
    const { site, printer } = await siteWith()
    let killed: Promise<unknown> | null = null
    // The relay has committed and answered; the box dies before it reads the answer.
    const front: Server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const answer = await fetch(site.cloudUrl + request.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(chunks),
        })
        const text = await answer.text()
        killed ??= site.gateway.kill('SIGKILL')
        await killed
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
      })
    })
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    stops.push(async () => {
      front.closeAllConnections()
      front.close()
    })
    const relayUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    await site.startBox(relayUrl)
    const cut = await site.line('pair', await site.newCode())
    expect(cut.code).not.toBe(0)
    expect(site.pairing()).toBeNull()
    const [claimed] = await site.admin('gateways', 'list')
    await site.startBox(relayUrl)
    await soon(() => isConnected(site)).toBe(true)
    expect(site.pairing()?.gatewayId).toBe(claimed.gatewayId)
    expect(await site.admin('gateways', 'list')).toHaveLength(1)
    await site.order('T-000001')
    await printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
  })
})

describe('its password', () => {
  it('changes under traffic: no order is lost or printed twice, the old one is worth nothing afterwards', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    const gatewayId = await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    const before = site.pairing()?.token ?? ''
    let sent = 0
    let going = true
    const traffic = (async () => {
      while (going) {
        const { status, body } = await site.order(`T-${String(++sent).padStart(6, '0')}`)
        // For the moment of the change the box is away: stored, and told so.
        if (status !== 200) expect(body.order).toBeDefined()
      }
    })()
    await printer.waitForTickets(3)
    await site.admin('gateways', 'rotate', '--gateway', gatewayId)
    await soon(() => site.pairing()?.token === before || site.pairing()?.nextToken !== undefined).toBe(false)
    await soon(() => isConnected(site)).toBe(true)
    const atChange = sent
    await soon(() => sent > atChange + 3).toBe(true)
    going = false
    await traffic
    const orders = Array.from({ length: sent }, (_, i) => `T-${String(i + 1).padStart(6, '0')}`)
    await printer.nextTicket((ticket) => ticket.text().includes(orders.at(-1) ?? ''))
    const paper = printer.tickets.map((ticket) => /T-\d{6}/.exec(ticket.text())?.[0])
    expect(paper).toEqual(orders)
    expect(printer.tickets.some((ticket) => ticket.text().includes('DUPLICATE'))).toBe(false)
    expect(await knock(site, gatewayId, before)).toBe('5')
    for (const token of [before, site.pairing()?.token ?? ''])
      expect(JSON.stringify([site.gateway.log, site.cloud.log])).not.toContain(token)
  })

  it('is good whenever the power goes: with both in the file, whichever of them the relay has made the only one', async () => {
    const { site } = await siteWith()
    await site.startBox()
    await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    const pairing = site.pairing()
    const token = pairing?.token ?? ''
    for (const both of [
      // Sent, and never used.
      { token, nextToken: 'x'.repeat(43) },
      // Used, and the file not yet written.
      { token: 'x'.repeat(43), nextToken: token },
    ]) {
      await site.gateway.kill('SIGKILL')
      writeFileSync(site.pairingFile, JSON.stringify({ ...pairing, ...both }))
      await site.startBox()
      await soon(() => isConnected(site)).toBe(true)
    }
    await soon(() => site.pairing()).toMatchObject({ token })
    expect(site.pairing()).not.toHaveProperty('nextToken')
  })

  it('changes although box or relay are killed in the middle of it, again and again', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    const gatewayId = await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    const first = site.pairing()?.token
    // Moments that leave the two sides in different states; whoever is killed starts again at once.
    const moments = [
      async () => {
        await passwordWritten(site)
        await site.gateway.kill('SIGKILL')
        await site.startBox()
      },
      async () => {
        await passwordWritten(site)
        await site.cloud.kill('SIGKILL')
        await site.startRelay()
      },
      async () => {
        // The relay has promised it, and its word may have arrived or not.
        await soon(() => site.cloud.log.some(({ msg }) => msg.startsWith('the next password was sent'))).toBe(true)
        await Promise.all([site.cloud.kill('SIGKILL'), site.gateway.kill('SIGKILL')])
        await site.startRelay()
        await site.startBox()
      },
    ]
    for (const strike of moments) {
      site.cloud.log.length = 0
      const struck = strike()
      await site.admin('gateways', 'rotate', '--gateway', gatewayId)
      await struck
      await soon(() => isConnected(site)).toBe(true)
      await soon(() => site.pairing()?.nextToken).toBeUndefined()
    }
    expect(site.pairing()?.token).not.toBe(first)
    await site.order('T-000001')
    await printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
  })

  it('is removed: the session ends, and the box explains why and keeps printing', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    const gatewayId = await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    await site.admin('gateways', 'revoke', '--gateway', gatewayId)
    await soon(async () => (await site.status()).link).toMatchObject({
      detail: expect.stringContaining('the relay refuses this box'),
    })
    expect((await site.status()).link.trouble).toBe('refused')
    expect(await knock(site, gatewayId, site.pairing()?.token ?? '')).toBe('5')
    const doctor = await site.line('doctor')
    expect([doctor.code, doctor.out]).toEqual([
      5,
      expect.stringMatching(/relay.*The relay refuses this box\. It was revoked/),
    ])
    expect(await (await fetch(`${site.gatewayUrl}/status`)).text()).toContain('The relay refuses this box')
    await site.line('printers', 'test', 'Grill')
    await printer.waitForTickets(1)
    expect((await site.line('unpair')).code).toBe(0)
    await site.pair()
    await soon(() => isConnected(site)).toBe(true)
  })
})

describe('a box that leaves and joins again', () => {
  it('prints what it had once, unmarked, and reports it to the relay under its new name', async () => {
    const { site, printer } = await siteWith()
    await site.startBox()
    await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    await site.line('printers', 'pause', 'Grill')
    await site.order('T-000001')
    await soon(async () => (await site.status()).queue.queued).toBe(1)
    await site.line('unpair')
    await site.pair()
    await soon(() => isConnected(site)).toBe(true)
    const gateways: { state: string }[] = await site.admin('gateways', 'list')
    expect(gateways.map(({ state }) => state).sort()).toEqual(['online', 'revoked'])
    await site.line('printers', 'resume', 'Grill')
    await printer.nextTicket((ticket) => ticket.text().includes('T-000001'))
    // Its answer may be 503: the relay may know already that the printer is paused. It is on paper all the same.
    const path = '/v1/orders?merchantId=M-TEST-001&orderId=T-000001'
    await soon(async () => (await site.call('GET', path)).body.data).toMatchObject([{ status: 'printed' }])
    expect(printer.tickets.map((ticket) => ticket.text().includes('DUPLICATE'))).toEqual([false])
  })
})

describe('a printer that is added in the cloud by its address', () => {
  it('prints, is reported back, and its conflicts are shown on both sides', async () => {
    const bar = new VirtualPrinter()
    const { port } = await bar.start()
    stops.push(() => bar.stop())
    const { site, printer } = await siteWith({ gatewayEnv: { GATEWAY_CLOUD_PRINTERS: '127.0.0.1/32:1024-65535' } })
    await site.startBox()
    const gatewayId = await site.pair()
    const gateway = ['--gateway', gatewayId]
    const added = await site.admin(
      'printers',
      'add',
      ...gateway,
      '--name',
      'Bar',
      '--address',
      `127.0.0.1:${port}`,
      '--stations',
      'bar',
      '--by',
      'ana',
    )
    const bad = await site.admin('printers', 'add', ...gateway, '--name', 'Evil', '--address', '127.0.0.1:22')
    const meta = await site.admin('printers', 'add', ...gateway, '--name', 'Meta', '--address', '169.254.169.254:80')
    const listed = async () =>
      (await site.admin('printers', 'list', ...gateway)).printers as {
        id: string
        state: string
        reason: string | null
        conflicts: unknown[]
      }[]
    const stateOf = async (id: string) => (await listed()).find((one) => one.id === id)
    await soon(() => stateOf(meta.id)).toMatchObject({ state: 'refused', reason: 'address-forbidden' })
    expect(await stateOf(bad.id)).toMatchObject({ state: 'refused', reason: 'address-forbidden' })
    expect(await stateOf(added.id)).toMatchObject({ state: 'applied', reason: null })
    const shown = await site.call('GET', '/v1/printers?merchantId=M-TEST-001')
    expect(shown.body.data.map(({ name }: { name: string }) => name)).toEqual(['Grill', 'Bar'])
    await site.line('printers', 'test', 'Bar')
    await bar.waitForTickets(1)
    expect(printer.tickets).toHaveLength(0)

    // Offline: both sides rename it, the box later.
    await site.cloud.kill('SIGTERM')
    await site.admin('printers', 'set', ...gateway, '--printer', added.id, '--name', 'Counter', '--by', 'ana')
    expect((await site.line('printers', 'set', 'Bar', '--name', 'Terrace')).code).toBe(0)
    await site.startRelay()
    const conflict = {
      field: 'name',
      stands: 'gateway',
      value: 'Terrace',
      by: 'this box',
      lost: 'Counter',
      lostBy: 'cloud: ana',
    }
    await soon(async () => (await stateOf(added.id))?.conflicts).toMatchObject([conflict])
    const gateways = await site.call('GET', '/v1/gateways?merchantId=M-TEST-001')
    const told = gateways.body.data.find((one: { gatewayId: string }) => one.gatewayId === gatewayId)
    expect(told).toMatchObject({
      state: 'online',
      version: expect.stringMatching(/^ticketrail-gateway\//),
      clockSkewMs: expect.any(Number),
    })
    // Both have the clock of this machine; what it is off is how long a busy machine let the hello wait.
    expect(Math.abs(told.clockSkewMs)).toBeLessThan(60_000)
    expect(
      told.configuration.printers.find(({ name }: { name: string }) => name === 'Counter').conflicts,
    ).toMatchObject([{ field: 'name', stands: 'gateway', value: 'Terrace', by: 'this box' }])
    const { json } = await site.line('pairing', '--json')
    expect(JSON.stringify(json.cloud.printers)).toContain('not \\"Counter\\" (cloud: ana')
    expect(json.cloud.printers).toContainEqual(
      expect.objectContaining({ name: 'Evil', words: [expect.stringContaining('may never set up that address')] }),
    )

    // The cloud writes again, later than the box: it is the cloud's name.
    await site.admin('printers', 'set', ...gateway, '--printer', added.id, '--name', 'Counter', '--by', 'ben')
    await soon(async () => (await site.status()).printers.map(({ name }: { name: string }) => name)).toContain(
      'Counter',
    )
    await site.admin('printers', 'remove', ...gateway, '--printer', added.id)
    await soon(async () => (await site.status()).printers.length).toBe(1)
  })
})
