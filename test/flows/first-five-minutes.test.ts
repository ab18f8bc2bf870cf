// The first five minutes of a box, from a fresh data folder to a kitchen in which everything is green, as the page itself does it: with a relay from the start, and with one that comes later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PageBrowser } from '#test/doubles/box-server.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { loopbackNetwork } from '#test/fixtures/loopback-network.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { PairSite } from '#test/harness/pair-site.ts'

const PASSWORD = 'four plain kitchen words'
/** Asks until it is so. */
const soon: typeof expect.poll = (ask) => expect.poll(ask)

/** A technician with a phone before a fresh box: its page's requests, two printers in the network, a tablet. */
class FirstVisit {
  readonly grill = new VirtualPrinter()
  readonly bar = new VirtualPrinter()
  readonly tablet = new KitchenScreen('tablet')
  readonly site: PairSite
  readonly #grillHost: string
  #phone: PageBrowser | null = null

  /** @param network of three numbers, in which the first printer can be found */
  constructor(network: string, gatewayEnv: Readonly<Record<string, string>> = {}) {
    this.#grillHost = `${network}.2`
    this.site = new PairSite({ gatewayEnv: { GATEWAY_DISCOVERY_NETWORKS: `${network}.0/29`, ...gatewayEnv } })
  }

  async start(): Promise<void> {
    await this.grill.start(9_100, this.#grillHost)
    await this.bar.start()
    await this.site.startRelay()
    await this.#startBox()
  }

  async #startBox(): Promise<void> {
    await this.site.startBox()
    const phone = new PageBrowser(Number(new URL(this.site.gatewayUrl).port))
    for (const [name, value] of this.#phone?.cookies ?? []) phone.cookies.set(name, value)
    this.#phone = phone
  }

  /** The box is without power for a moment; phone and tablet come back to it. */
  async cutPower(): Promise<void> {
    await this.site.gateway.kill('SIGKILL')
    await this.#startBox()
    await this.tablet.watch(this.site.gatewayUrl)
  }

  async stop(): Promise<void> {
    this.tablet.close()
    await this.site.stop()
    await this.grill.stop()
    await this.bar.stop()
  }

  get phone(): PageBrowser {
    if (!this.#phone) throw new Error('not started')
    return this.#phone
  }

  /** An operation that must succeed, as the page asks for it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  async perform(name: string, body: unknown = {}): Promise<any> {
    const answer = await this.phone.perform(name, body)
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    return answer.body.result
  }

  async session(): Promise<{ state: string; user: { role: string } | null; box: Record<string, string> }> {
    return (await this.phone.get('/api/v1/session')).body.result
  }

  /** By the code that the installer's terminal shows; a password that is too short, or that many have, gets nobody in. */
  async becomeTechnician(): Promise<void> {
    expect((await this.session()).state).toBe('setup')
    const code = (await this.site.line('welcome', '--json')).json.setupCode
    const first = { code, name: 'Tea' }
    expect((await this.phone.perform('printers.list')).status).toBe(401)
    for (const password of ['short', '12345678'])
      expect((await this.phone.post('/api/v1/setup', { ...first, password })).status).toBe(422)
    expect((await this.phone.post('/api/v1/setup', { ...first, password: PASSWORD })).status).toBe(200)
    expect(await this.session()).toMatchObject({ state: 'signed-in', user: { role: 'technician' } })
  }

  async nameTheBox(): Promise<void> {
    const settings = { name: 'Casa Nina', timeZone: 'America/New_York', language: 'es' }
    expect(await this.perform('settings.put', settings)).toMatchObject(settings)
    expect((await this.session()).box).toMatchObject({ name: 'Casa Nina', language: 'es' })
  }

  async pair(): Promise<void> {
    expect(await this.perform('pairing.pair', { code: await this.site.newCode('Casa Nina') })).toMatchObject({
      state: 'paired',
    })
    await soon(async () => (await this.perform('status')).link.state).toBe('connected')
  }

  /** One printer is found in the network, the other one is added by its address. */
  async addPrinters(): Promise<void> {
    await this.perform('discover.start')
    const found = async () => (await this.perform('discover.results')).printers as { address: string }[]
    await soon(async () => (await found()).map(({ address }) => address)).toContain(this.#grillHost)
    const { host, port } = this.bar.address
    for (const [name, address] of [
      ['Uno', { host: this.#grillHost, port: 9_100 }],
      ['Dos', { host, port }],
    ] as const) {
      const { answer, suggestedProfileId } = await this.perform('printers.identify', address)
      expect(answer).toBe('identified')
      await this.perform('printers.add', { name, ...address, profileId: suggestedProfileId })
    }
  }

  /** A number comes out of each: whoever types it in where it belongs knows which is which, and names it. */
  async tellPrintersApart(): Promise<void> {
    for (const [before, name, printer] of [
      ['Uno', 'Grill', this.grill],
      ['Dos', 'Bar', this.bar],
    ] as const) {
      const paper = printer.nextTicket((ticket) => ticket.text().includes('TEST TICKET'))
      await this.perform('printers.test', { printer: before })
      const code = /^\s*(?:\d\s?){4}\s*$/m.exec((await paper).text())?.[0].replaceAll(/\s/g, '')
      const other = code === '0000' ? '0001' : '0000'
      expect((await this.phone.perform('printers.verify', { printer: before, code: other })).status).toBe(409)
      expect((await this.perform('printers.verify', { printer: before, code })).printer.testedAt).not.toBeNull()
      await this.perform('printers.update', { printer: before, name })
    }
  }

  /** Stations, and each printer takes over for the other one. */
  async giveRoles(): Promise<void> {
    const printers: { printerId: string; name: string }[] = await this.perform('printers.list')
    const idOf = (wanted: string) => printers.find(({ name }) => name === wanted)?.printerId
    for (const [printer, other] of [
      ['Grill', 'Bar'],
      ['Bar', 'Grill'],
    ] as const)
      await this.perform('printers.update', {
        ...{ printer, stations: [printer.toLowerCase()] },
        settings: { backupPrinterId: idOf(other) },
      })
  }

  async addTablet(): Promise<void> {
    const { code } = await this.perform('displays.add', { name: 'Pass', backupPrinter: 'Grill' })
    const url = this.site.gatewayUrl
    expect((await this.tablet.signIn(url, code)).status).toBe(200)
    await this.tablet.watch(url)
    await this.tablet.here(url)
    await soon(() => this.perform('displays.list')).toMatchObject([{ name: 'Pass', isAlive: true }])
  }

  /** Paper at both, the card on the tablet, Ready; and the page sees all of it. */
  async tryEverything(): Promise<void> {
    const url = this.site.gatewayUrl
    const papers = [this.grill, this.bar].map((one) => one.nextTicket((ticket) => ticket.text().includes('TEST ORDER')))
    const { printJobId, number } = await this.perform('orders.test')
    const progress = () => this.perform('orders.progress', { printJobId })
    for (const paper of await Promise.all(papers)) expect(paper.text()).toContain(`#${number}`)
    const printed = { state: 'printed', confirmation: 'confirmed', printedAfterMs: expect.any(Number) }
    await soon(progress).toMatchObject({ tickets: [printed, printed], displays: [{ isAlive: true, isSeen: false }] })
    const card = () => [...this.tablet.orders.values()].find((order) => order.number === number)
    await soon(card).toMatchObject({ isTest: true })
    const orderId = card()?.orderId ?? ''
    await this.tablet.here(url, [orderId])
    expect(await this.tablet.send(url, this.tablet.act('ready', orderId))).toMatchObject([{ outcome: 'done' }])
    await soon(progress).toMatchObject({ displays: [{ isSeen: true }], readyAt: expect.any(String) })
    const [ticket] = (await progress()).tickets
    expect((await this.perform('jobs.preview', { ticketId: ticket.ticketId })).text).toContain('TEST ORDER')
  }

  /** What `doctor` says of each part that is not well; that a test listens on this machine only is no fault of the box. */
  async complaints(): Promise<string[]> {
    await this.tablet.here(this.site.gatewayUrl)
    const { code, json } = await this.site.line('doctor', '--json')
    expect(code).toBe(0)
    const unwell: { text: string }[] = json.filter(({ result }: { result: string }) => result !== 'pass')
    return unwell.map(({ text }) => text).filter((text) => !text.includes('answers on this machine only'))
  }

  /** An order of a guest, through the relay to paper and tablet. The relay has heard of no other. */
  async serveGuest(): Promise<void> {
    const order = await this.site.order('GUEST-1')
    expect(order.status).toBe(200)
    await Promise.race([this.grill, this.bar].map((one) => one.nextTicket((it) => it.text().includes('GUEST-1'))))
    await soon(() => this.tablet.orders.get(order.body.serviceOrderId ?? '')).toMatchObject({ isTest: false })
    await soon(async () => (await this.perform('status')).queue).toMatchObject({ queued: 0, unreported: 0 })
    const words = JSON.stringify(this.site.cloud.log)
    expect(words).toContain(order.body.serviceOrderId)
    expect(words).not.toMatch(/TEST-[0-9A-Z]{4}|unknown job/)
  }
}

describe('a fresh box that is paired at once', () => {
  const visit = new FirstVisit(loopbackNetwork(91))
  beforeAll(() => visit.start())
  afterAll(() => visit.stop())

  it('lets the first technician in by the code of the terminal and a password of their own', () =>
    visit.becomeTechnician())
  it('takes name, time zone and language', () => visit.nameTheBox())
  it('joins its restaurant by a claim code', () => visit.pair())
  it('finds a printer in the network, and takes another one by its address', () => visit.addPrinters())
  it('tells the printers apart by their printed numbers', () => visit.tellPrintersApart())
  it('keeps stations and backups', () => visit.giveRoles())
  it('takes a tablet as its kitchen display', () => visit.addTablet())
  it('prints and shows a test order until everything is green', () => visit.tryEverything())

  it('is well in every part by doctor', async () => {
    expect(await visit.complaints()).toEqual([])
  })

  it('serves guests', () => visit.serveGuest())

  it('does the same by one line on the terminal, with the result in the exit code', async () => {
    const { site, tablet, bar } = visit
    const known = new Set(tablet.orders.keys())
    await tablet.here(site.gatewayUrl)
    const line = site.line('test-order', '--json')
    const fresh = () => [...tablet.orders.keys()].filter((id) => !known.has(id))
    await soon(fresh).toHaveLength(1)
    await tablet.here(site.gatewayUrl, fresh())
    expect(await line).toMatchObject({ code: 0, json: { tickets: [{ state: 'printed' }, { state: 'printed' }] } })
    // They got their names after their numbers were read: a person has to look once more where each one stands.
    const { lines }: { lines: { name: string; state: string }[] } = (await line).json.check
    expect(lines.map(({ name, state }) => `${name} ${state}`)).toEqual([
      ...['Grill asks', 'Bar asks', 'grill proved', 'bar proved', ' proved', 'Pass proved'],
    ])
    await visit.perform('printers.pause', { printer: 'Bar' })
    const before = bar.tickets.length
    await tablet.here(site.gatewayUrl)
    const paused = await site.line('test-order', '--wait', '2')
    expect(paused).toMatchObject({ code: 4, out: expect.stringContaining('the printer is paused') })
    expect(bar.tickets).toHaveLength(before)
  })
})

describe('a fresh box that is paired later', () => {
  const visit = new FirstVisit(loopbackNetwork(92))
  beforeAll(() => visit.start())
  afterAll(() => visit.stop())

  it('does everything in the house without a relay', async () => {
    await visit.becomeTechnician()
    await visit.nameTheBox()
    expect(await visit.perform('pairing.show')).toMatchObject({ state: 'unpaired' })
    await visit.addPrinters()
    await visit.tellPrintersApart()
    await visit.giveRoles()
    await visit.addTablet()
    await visit.tryEverything()
  })

  it('complains of nothing but that', async () => {
    expect(await visit.complaints()).toEqual([expect.stringContaining('paired')])
  })

  it('prints after a power cut what was tried before it, once, and still as a test', async () => {
    await visit.perform('printers.pause', { printer: 'Bar' })
    const { printJobId, number } = await visit.perform('orders.test')
    const stateAt = async (printer: string) =>
      (await visit.perform('orders.progress', { printJobId })).tickets.find(
        (ticket: { printer: string }) => ticket.printer === printer,
      )?.state
    await soon(() => stateAt('Grill')).toBe('printed')
    await visit.cutPower()
    await visit.perform('printers.resume', { printer: 'Bar' })
    await soon(() => stateAt('Bar')).toBe('printed')
    for (const printer of [visit.grill, visit.bar]) {
      const papers = printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes(`#${number}`))
      expect(papers).toEqual([expect.stringMatching(/TEST ORDER[\s\S]*DO NOT MAKE/)])
    }
    expect([...visit.tablet.orders.values()].find((order) => order.number === number)).toMatchObject({ isTest: true })
  })

  it('is paired when there is time, and serves guests', async () => {
    await visit.pair()
    await visit.serveGuest()
    expect(await visit.complaints()).toEqual([])
  })
})

describe('a fresh box without any screen', () => {
  const visit = new FirstVisit(loopbackNetwork(93), { GATEWAY_PRINT_SETUP_TICKET: 'yes' })
  beforeAll(() => visit.start())
  afterAll(() => visit.stop())

  it('prints the address of its page by itself, on the printer that it finds, and nothing that lets a stranger in', async () => {
    const text = (await visit.grill.nextTicket((ticket) => ticket.text().includes('SET UP THIS BOX'))).text()
    expect(text).toContain(visit.site.gatewayUrl.replace('localhost', '127.0.0.1'))
    expect(text).toContain('This printer: Printer 1')
    expect(text).not.toMatch(/[A-Z]{4}-[A-Z]{4}/)
    expect(text).toContain('ticketrail-gateway welcome')
    await visit.becomeTechnician()
    expect(await visit.perform('printers.list')).toMatchObject([{ name: 'Printer 1', state: 'online' }])
    expect(visit.bar.tickets).toHaveLength(0)
  })

  it('prints the address again by a click, for the wall, without a code', async () => {
    const paper = visit.grill.nextTicket((ticket) => ticket.text().includes('THE PAGE OF THIS BOX'))
    await visit.perform('printers.setup-ticket', { printer: 'Printer 1' })
    expect((await paper).text()).not.toContain('code:')
  })
})
