// The automatic set-up ticket: on the first receipt printer of a box that is not set up, once, and on nothing else.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PrinterDiscovery } from '#gateway/discovery/discovery.ts'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import { confirmLevelOf } from '#gateway/printers/confirm-level.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { suggestProfile } from '#gateway/printers/suggest-profile.ts'
import { printerCapability } from '#shared/printer-profile.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { boxAccess } from './box-access.ts'
import { FirstPrinter } from './first-printer.ts'
import { NO_HTTPS } from './https-answer.ts'

const OFFICE = '192.0.2.5'
const KITCHEN = '192.0.2.6'
const CABLE = '/dev/usb/lp0'
const site = { gatewayId: '', merchantName: '', timeZone: 'UTC' }
const log = pino({ level: 'silent' })

/** The network at its edge: the devices found there. */
class Network extends PrinterDiscovery {
  searches = 0
  readonly hosts: string[]

  constructor(core: GatewayCore, hosts: string[]) {
    super({ clock: core.clock, log, networks: [] })
    this.hosts = hosts
  }

  override async quietly(): Promise<readonly FoundPrinter[]> {
    this.searches += 1
    return this.hosts.map((address) => ({
      address,
      port: 9_100,
      mac: null,
      claimedMac: null,
      model: null,
      name: null,
      methods: [],
    }))
  }
}

const SILENT: Identity = {
  kind: 'silent',
  hint: '',
  level: confirmLevelOf(null),
  suggestion: suggestProfile('', ''),
  peer: null,
}
const epson = (capability: object): Identity => ({
  kind: 'printer',
  language: 'escpos',
  ...{ maker: 'EPSON', model: 'TM-m30III', serial: null, reasons: [], hint: '', level: null },
  capability: printerCapability.parse({ ...NO_ANSWER, ...capability }),
  suggestion: suggestProfile('EPSON', 'TM-m30III'),
  peer: null,
})
const NO_ANSWER = { dleEot: false, asb: false, gsParenH: false, gsI: false, gsR: false, learntAtMs: 0 }

let core: GatewayCore
let network: Network
let access: ReturnType<typeof boxAccess>
let answers: Record<string, Identity>
let first: FirstPrinter
let cables: string[]
const asked: string[] = []

beforeEach(async () => {
  core = new GatewayCore([])
  network = new Network(core, [OFFICE, KITCHEN])
  access = boxAccess(core.db)
  answers = { [OFFICE]: SILENT, [KITCHEN]: epson({ dleEot: true }) }
  cables = []
  asked.length = 0
  await core.queue.start()
})
afterEach(async () => {
  await first.stop()
  await core.stop()
})

async function start(isAllowed = true): Promise<void> {
  const { queue, printers, relayTime: time, clock } = core
  const context = { ...access, queue, printers, time, clock, log, site, discovery: network }
  first = new FirstPrinter(
    {
      ...context,
      pageUrls: () => ['http://192.0.2.1/'],
      deviceFiles: () => cables,
      https: () => NO_HTTPS,
      identify: async ({ host }) => {
        asked.push(host)
        return answers[host] ?? SILENT
      },
    },
    isAllowed,
  )
  await first.start()
}

const paper = () => [...core.transports.values()].flatMap(({ sent }) => sent.map(({ text }) => text))

describe('the automatic set-up ticket', () => {
  it('is printed on the first printer in the network that answers as one, and shows the address of the page', async () => {
    await start()
    await core.clock.advance(11_000)
    await expect.poll(paper).toEqual([expect.stringContaining('http://192.0.2.1/')])
    expect(core.printers.all()).toMatchObject([{ name: 'Printer 1', host: KITCHEN, profileId: 'epson-thermal-203' }])
    expect(asked).toEqual([OFFICE, KITCHEN])
  })

  it('gives no network device a code, whatever it claims to be: owning a device in the network is no right to enter', async () => {
    await start()
    await core.clock.advance(11_000)
    await expect.poll(paper).toHaveLength(1)
    expect(paper()[0]).not.toMatch(/[A-Z]{4}-[A-Z]{4}/)
    expect(paper()[0]).toContain('ticketrail-gateway welcome')
    expect(access.box.setupCode()).toBeNull()
  })

  it('carries the code on a printer that is cabled to the box, which is tried before the network', async () => {
    cables = [CABLE]
    answers[CABLE] = epson({ dleEot: true })
    await start()
    await core.clock.advance(11_000)
    await expect.poll(paper).toHaveLength(1)
    expect([asked, network.searches]).toEqual([[CABLE], 0])
    expect(core.printers.all()).toMatchObject([{ name: 'Printer 1', host: CABLE, port: 0 }])
    const code = /Set-up code: ([A-Z]{4}-[A-Z]{4})/.exec(paper()[0] ?? '')?.[1] ?? ''
    expect(access.setupCode.check(code)).toBe('right')
  })

  it('is printed once, also after a restart', async () => {
    await start()
    await core.clock.advance(11_000)
    await expect.poll(paper).toHaveLength(1)
    await first.stop()
    await start()
    await core.clock.advance(120_000)
    expect([paper().length, network.searches]).toEqual([1, 1])
  })

  it('leaves the code alone that the installer’s terminal has shown', async () => {
    cables = [CABLE]
    answers[CABLE] = epson({ dleEot: true })
    const code = access.setupCode.make()
    await start()
    await core.clock.advance(11_000)
    await expect.poll(paper).toEqual([expect.not.stringMatching(/[A-Z]{4}-[A-Z]{4}/)])
    expect(access.setupCode.check(code)).toBe('right')
  })

  it('is never sent to a device that does not answer DLE EOT, such as an office printer', async () => {
    answers[KITCHEN] = epson({ gsI: true })
    await start()
    await core.clock.advance(65_000)
    expect(asked).toEqual([OFFICE, KITCHEN, OFFICE, KITCHEN])
    expect([paper(), core.printers.all()]).toEqual([[], []])
  })

  it('is not printed, and nothing is searched, where the installer has not allowed it', async () => {
    await start(false)
    await core.clock.advance(65_000)
    expect([network.searches, asked]).toEqual([0, []])
  })

  it('is not printed after somebody has begun to set the box up', async () => {
    await start()
    access.users.add({ name: 'Tea', role: 'technician', password: 'x' }, core.clock.now())
    await core.clock.advance(65_000)
    expect([network.searches, paper()]).toEqual([0, []])
  })
})
