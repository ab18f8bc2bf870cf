// The gateway's command line as a technician uses it: our programs as child processes, virtual printers, devices that can be discovered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DiscoverableDevices } from '#test/doubles/discoverable-devices.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { loopbackNetwork } from '#test/fixtures/loopback-network.ts'
import { type LineResult, runLineOf } from '#test/harness/command-line.ts'
import { LOOPBACK_PRINTERS } from '#test/harness/gateway-program.ts'
import { Program } from '#test/harness/program.ts'

const NETWORK = loopbackNetwork(94)
const GRILL = `${NETWORK}.2`
const BAR = `${NETWORK}.3`
const UNKNOWN = `${NETWORK}.4`
const GRILL_LATER = `${NETWORK}.5`

const dir = mkdtempSync(join(tmpdir(), 'command-line-'))
const env = {
  GATEWAY_DATABASE: join(dir, 'gateway.db'),
  GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
  GATEWAY_HTTP_PORT: '0',
  GATEWAY_ALLOWED_PRINTERS: LOOPBACK_PRINTERS,
  GATEWAY_DISCOVERY_NETWORKS: `${NETWORK}.0/29`,
}
const grill = new VirtualPrinter()
const bar = new VirtualPrinter()
const devicesWith = (grillAt: string) =>
  new DiscoverableDevices({
    broadcast: `${NETWORK}.7`,
    epson: [{ address: grillAt, mac: '64:eb:8c:01:02:03', model: 'TM-m30III' }],
    star: [{ address: UNKNOWN, mac: '00:11:62:0a:0b:0c', model: 'TSP143 (STR_T-001)' }],
  })
let devices = devicesWith(GRILL)
const gateway = new Program('gateway/main.ts', env, true)

const run = (args: readonly string[], input: Uint8Array | string = '') => runLineOf(env, args, input)

/** Runs a line with --json that must succeed. */
async function json(...args: string[]): Promise<LineResult['json']> {
  const result = await run([...args, '--json'])
  expect(result.err).toBe('')
  expect(result.code).toBe(0)
  return result.json
}

async function ticketOf(jobId: string): Promise<LineResult['json']> {
  const { tickets } = await json('jobs', 'list')
  return tickets.find((ticket: { printJobId: string }) => ticket.printJobId === jobId)
}

beforeAll(async () => {
  await grill.start(9100, GRILL)
  await bar.start(9100, BAR)
  await devices.start()
})
afterAll(async () => {
  await gateway.kill('SIGKILL')
  await devices.stop()
  await grill.stop()
  await bar.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('without a gateway', () => {
  it('reports that none runs, with an exit code of its own', async () => {
    const result = await run(['status'])
    expect(result).toMatchObject({ code: 3, out: '' })
    expect(result.err).toContain('The gateway is not running')
  })

  it('teaches', async () => {
    const help = await run(['--help'])
    expect(help.code).toBe(0)
    for (const word of ['printers add', 'jobs show', 'route what-if', 'discover', 'Exit codes'])
      expect(help.out).toContain(word)
    const one = await run(['help', 'printers', 'set'])
    expect(one.out).toContain('--doubt <reprint|hold>')
    expect(one.out).toContain('For example:')
  })

  it('suggests the near command, and does not guess at wrong options', async () => {
    const wrong = await run(['printer', 'tets', 'Grill'])
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('printers test')
    expect((await run(['printers', 'test'])).err).toContain('<printer> is missing')
    expect((await run(['printers', 'set', 'Grill', '--colour', 'red'])).code).toBe(2)
    expect((await run(['printers', 'set', 'Grill', '--backup-after', 'soon'])).err).toContain('such as 45s')
    expect((await run(['jobs', 'resolve', 'x', 'perhaps'])).code).toBe(2)
  })

  it('shows what bytes in a file print', async () => {
    const bytes = Buffer.from('\x1b@Hello kitchen\n\x1dV\x42\x00', 'latin1')
    const file = join(dir, 'ticket.bin')
    writeFileSync(file, bytes)
    expect((await run(['preview', file])).out).toContain('Hello kitchen')
    expect((await run(['preview', '-', '--svg'], bytes)).out).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
    const operations = await run(['preview', file, '--json'])
    expect(operations.json.operations[0]).toMatchObject({ offset: 0, length: 2 })
    expect((await run(['preview', file, '--profile', 'abacus'])).code).toBe(2)
    expect((await run(['preview', join(dir, 'nothing.bin')])).code).toBe(1)
  })

  it('shows even random bytes', async () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 251)
    const result = await run(['preview', '-', '--svg'], bytes)
    expect(result.code).toBe(0)
    expect(result.out).not.toContain('\x1b')
  })
})

describe('with a gateway', () => {
  beforeAll(async () => {
    await gateway.start()
  })

  it('finds printers on the network', async () => {
    const found = await json('discover')
    expect(found.state).toBe('done')
    const addresses = found.printers.map(({ address }: { address: string }) => address).sort()
    expect(addresses).toEqual([GRILL, BAR, UNKNOWN])
    expect(found.printers.find(({ address }: { address: string }) => address === GRILL)).toMatchObject({
      // The kernel knows none on loopback; what the device says is a claim.
      ...{ mac: null, claimedMac: '64:eb:8c:01:02:03' },
      model: 'TM-m30III',
      printer: null,
      suggestedProfileId: 'epson-thermal-203',
    })
    const shown = await run(['discover'])
    expect(shown.out).toContain('TM-m30III')
    expect(shown.err).toContain(`Looking in ${NETWORK}.0/29`)
    expect(bar.receivedBytes).toBe(0)
  })

  it('queries a device for its identity, and adds it with the matching profile', async () => {
    const identity = await json('printers', 'identify', GRILL)
    expect(identity).toMatchObject({ answer: 'identified', confirm: { level: 'L3' } })
    const added = await run(['printers', 'add', 'Grill', GRILL, '--stations', 'grill,fry'])
    expect(added.code).toBe(0)
    expect(added.err).toContain('Found:')
    await json('printers', 'add', 'Bar', BAR, '--profile', 'generic-80', '--stations', 'bar')
    expect((await run(['printers', 'add', 'Grill', BAR])).err).toContain('Another printer has this name')
    for (const address of ['no such host', '/dev/sda', '/dev/../etc/passwd', `${BAR}:0`])
      expect(await run(['printers', 'add', 'Bad', address, '--profile', 'generic-80'])).toMatchObject({ code: 2 })
    const [first, second] = await json('printers', 'list')
    expect(first).toMatchObject({
      name: 'Grill',
      host: GRILL,
      isDefault: true,
      stations: ['grill', 'fry'],
      testedAt: null,
      settings: { mac: null },
    })
    expect(second).toMatchObject({ name: 'Bar', profileId: 'generic-80', isDefault: false })
    expect(grill.tickets).toHaveLength(0)
    // What it said when it was asked is known of it, before its first ticket.
    expect(first.identity.known).toMatchObject({ model: identity.model, serial: identity.serial })
    expect(identity.serial).not.toBeNull()
  })

  it('tests a printer by a code that is printed on paper only', async () => {
    const tested = await run(['printers', 'test', 'Grill'])
    expect(tested.code).toBe(0)
    expect(tested.out).toContain('confirmed by gs-paren-h')
    const ticket = await grill.nextTicket()
    const code = /^\s*(\d{4})\s*$/m.exec(ticket.text())?.[1] ?? ''
    expect(code).not.toBe('')
    const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0')
    expect(await run(['printers', 'verify', 'Grill', wrong])).toMatchObject({ code: 1, out: '' })
    const { tickets } = await json('jobs', 'list')
    expect((await run(['preview', tickets[0].ticketId])).err).toContain('looked at on paper')
    expect((await run(['jobs', 'reprint', tickets[0].ticketId])).code).toBe(1)
    const answers = [await run(['jobs', 'show', tickets[0].ticketId, '--json']), await run(['status', '--json'])]
    for (const { out } of answers) expect(out).not.toMatch(new RegExp(`"${code}"`))
    const verified = await run(['printers', 'verify', 'Grill', code])
    expect(verified.code).toBe(0)
    expect(verified.out).toContain('Grill is tested.\nL3: ')
    expect((await json('printers', 'list'))[0].testedAt).toMatch(/Z$/)
    expect(JSON.stringify(gateway.log)).not.toContain(`"${code}"`)
  })

  it('changes settings, and explains what is wrong with one', async () => {
    const set = await json('printers', 'set', 'Bar', '--doubt', 'hold', '--backup', 'Grill', '--backup-after', '30s')
    expect(set.settings).toMatchObject({ doubt: 'hold', backupPrinterId: 'grill', backupAfterMs: 30_000, copies: 1 })
    const wrong = await run(['printers', 'set', 'Bar', '--copies', '9'])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('settings.copies: must be 5 or less')
    expect((await run(['printers', 'set', 'Bra', '--copies', '1'])).err).toContain('There are: Grill, Bar')
    expect((await json('printers', 'set', 'Bar', '--backup', 'none')).settings.backupPrinterId).toBeNull()
  })

  it('shows where an order would go and why, and prints nothing', async () => {
    const rules = [{ name: 'Drinks to bar', when: { category: 'Drinks' }, print: { printerIds: ['bar'] }, stop: true }]
    const order = {
      items: [
        { umsId: 'A', name: 'Cheeseburger', qty: 2, station: 'grill' },
        { umsId: 'B', name: 'Cola\u001b[2J', qty: 1, station: null, category: 'Drinks' },
      ],
    }
    const [rulesFile, orderFile] = [join(dir, 'rules.json'), join(dir, 'order.json')]
    writeFileSync(rulesFile, JSON.stringify(rules))
    writeFileSync(orderFile, JSON.stringify(order))
    const before = grill.tickets.length + bar.tickets.length
    expect(
      (await json('route', 'what-if', orderFile)).tickets.map((it: { printerId: string }) => it.printerId),
    ).toEqual(['grill'])
    await json('route', 'set', rulesFile)
    const shown = await run(['route', 'what-if', orderFile])
    expect(shown.out).toContain('Drinks to bar')
    expect(shown.out).toContain('Bar, kitchen: 1 Cola')
    expect(shown.out).not.toContain('\u001b')
    expect(grill.tickets.length + bar.tickets.length).toBe(before)
    writeFileSync(rulesFile, JSON.stringify([{ name: 'Nobody', print: { printerIds: ['cellar'] } }]))
    expect((await run(['route', 'set', rulesFile])).err).toContain('rules.0.print.printerIds.0: cellar is no printer')
    writeFileSync(rulesFile, '{')
    expect(await run(['route', 'set', rulesFile])).toMatchObject({ code: 2 })
    expect(await json('route', 'rules')).toMatchObject(rules)
  })
})

describe('with orders', () => {
  const story = () => ticketOf('pj_1')

  it('keeps a pause over a restart', async () => {
    await run(['printers', 'pause', 'Grill'])
    await run(['route', 'set', '-'], '[]')
    expect(await gateway.kill('SIGTERM')).toBe(0)
    expect((await run(['status'])).code).toBe(3)
    const core = new GatewayCore([], { dir })
    for (const jobId of ['pj_1', 'pj_2', 'pj_3']) core.accept(jobId)
    core.db.close()
    await gateway.start()
    const status = await json('status')
    expect(status).toMatchObject({ ready: true, link: { state: 'unpaired' }, queue: { queued: 3 } })
    expect(status.printers[0]).toMatchObject({ name: 'Grill', queued: 3, settings: { paused: true } })
    expect((await run(['status'])).out).toContain('paused')
    expect((await run(['printers', 'test', 'Grill'])).code).toBe(4)
  })

  it('cancels a ticket, and explains why another cannot be', async () => {
    const { ticketId } = await ticketOf('pj_3')
    expect((await run(['jobs', 'cancel', ticketId])).out).toContain('The ticket is cancelled')
    expect(await run(['jobs', 'cancel', ticketId])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has ended already'),
    })
    expect((await run(['jobs', 'show', 'pj_nothing'])).err).toContain('There is no ticket pj_nothing')
    expect((await run(['jobs', 'resolve', ticketId, 'print'])).err).toContain('does not wait for a person')
  })

  it('moves what waits to another printer, in its order', async () => {
    const before = bar.tickets.length
    expect((await json('printers', 'move', 'Grill', 'Bar')).tickets).toBe(2)
    const papers = (await bar.waitForTickets(before + 2)).slice(before).map((ticket) => ticket.text())
    expect(papers.map((text) => /O-pj_\d/.exec(text)?.[0])).toEqual(['O-pj_1', 'O-pj_2'])
    expect((await run(['printers', 'move', 'Grill', 'Grill'])).code).toBe(2)
    expect((await run(['printers', 'resume', 'Grill'])).code).toBe(0)
  })

  it('shows every moment of a ticket in milliseconds, and why it went where it went', async () => {
    await expect.poll(async () => (await story()).state).toBe('printed')
    const { ticketId } = await story()
    const ticket = await json('jobs', 'show', ticketId)
    const steps = ticket.timeline.map(({ step }: { step: string }) => step)
    for (const step of ['received', 'accepted', 'first-byte', 'last-byte', 'confirmed']) expect(steps).toContain(step)
    for (const { afterMs } of ticket.timeline) expect(afterMs).toBeTypeOf('number')
    expect(ticket).toMatchObject({ printer: 'Bar', movedFrom: 'grill', method: 'gs-paren-h', attempts: 1 })
    expect(ticket.trace.length).toBeGreaterThan(0)
    const shown = await run(['jobs', 'show', ticketId])
    expect(shown.out).toMatch(/first-byte/)
    expect(shown.out).toMatch(/\+\d+ ms/)
    expect(shown.out).toContain('Why it went there:')
    expect(`${shown.out} ${JSON.stringify(ticket)}`).not.toContain('Canary')
  })

  it('shows a ticket as printed on paper', async () => {
    const { ticketId } = await story()
    const paper = bar.tickets.find((ticket) => ticket.text().includes('O-pj_1'))?.text() ?? ''
    const printed = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME').trim()
    expect(printed((await run(['preview', ticketId])).out)).toBe(printed(paper))
    const svg = await run(['preview', ticketId, '--svg', '--profile', 'generic-58'])
    expect(svg.out).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
    const operations = await run(['preview', ticketId, '--ops'])
    expect(operations.out).toContain('GS V')
  })

  it('shows where the order of a ticket would go now', async () => {
    const { ticketId } = await story()
    const answer = await json('route', 'what-if', '--ticket', ticketId)
    expect(answer.tickets).toMatchObject([{ printerId: 'grill', items: [{ name: 'Cheeseburger', qty: 1 }] }])
    expect((await run(['route', 'what-if'])).code).toBe(2)
  })

  it('prints a ticket once more, marked', async () => {
    const { ticketId } = await story()
    await json('jobs', 'reprint', ticketId, '--printer', 'Bar')
    const again = await bar.nextTicket((ticket) => ticket.text().includes('REPRINT'))
    expect(again.text()).toContain('O-pj_1')
  })

  it('prints the code page sheet and opens the drawer', async () => {
    const before = bar.tickets.length
    expect((await run(['printers', 'drawer', 'Bar'])).code).toBe(0)
    expect((await run(['printers', 'sheet', 'Bar'])).code).toBe(0)
    const papers = (await bar.waitForTickets(before + 1)).slice(before)
    expect(papers.map(({ drawerPulses }) => drawerPulses)).toEqual([1])
    expect(papers[0]?.text()).toContain('windows1252')
  })

  it('puts a picture on receipts, and refuses what is none', async () => {
    const png = join(dir, 'logo.png')
    writeFileSync(
      png,
      PNG.sync.write(Object.assign(new PNG({ width: 16, height: 8 }), { data: Buffer.alloc(16 * 8 * 4, 200) })),
    )
    expect(await json('logo', 'set', png)).toEqual({ widthDots: 16, heightDots: 8 })
    writeFileSync(png, 'not a picture')
    expect((await run(['logo', 'set', png])).code).toBe(2)
    expect((await run(['logo', 'remove'])).code).toBe(0)
    expect((await json('fonts')).length).toBeGreaterThan(3)
  })

  it('explains what a printer that is off cannot do, with an exit code of its own', async () => {
    await bar.refuse()
    const result = await run(['printers', 'test', 'Bar'])
    expect(result.code).toBe(4)
    expect(result.out).toContain('Bar does not print now')
    expect((await run(['printers', 'identify', BAR])).code).toBe(4)
    await bar.start(9100, BAR)
  })

  it('does not speed up the search for a printer with a new address because a person searches, who assigns that address', async () => {
    await grill.refuse()
    await devices.stop()
    await grill.start(9100, GRILL_LATER)
    devices = devicesWith(GRILL_LATER)
    await devices.start()
    // The queue finds out by itself; a ticket hurries it.
    const waiting = await run(['printers', 'sheet', 'Grill'])
    expect(waiting).toMatchObject({ code: 4, out: expect.stringContaining('Grill does not print now') })
    const before = grill.tickets.length
    const found = await json('discover')
    expect(found.printers.find(({ address }: { address: string }) => address === GRILL_LATER)).toMatchObject({
      ...{ claimedMac: '64:eb:8c:01:02:03', printer: null },
    })
    expect((await json('printers', 'list'))[0].host).toBe(GRILL)
    const none = await run(['printers', 'accept', 'Grill'])
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('No other device than Grill was seen') })
    await json('printers', 'set', 'Grill', '--address', GRILL_LATER)
    await grill.waitForTickets(before + 1)
    expect((await json('printers', 'list'))[0].host).toBe(GRILL_LATER)
  })

  it('is there again after the gateway was killed', async () => {
    await gateway.kill('SIGKILL')
    expect((await run(['status'])).code).toBe(3)
    await gateway.start()
    expect((await json('printers', 'list')).length).toBe(2)
    expect((await run(['printers', 'remove', 'Bar', '--move-to', 'Grill'])).code).toBe(0)
    expect((await json('printers', 'list')).length).toBe(1)
  })

  it('logged who changed what, and no guest', () => {
    const changes = gateway.log.filter(({ who }) => who === 'control socket').map((line) => line['operation'])
    expect(new Set(changes)).toEqual(
      new Set([
        'discover.start',
        'printers.add',
        'printers.test',
        'printers.verify',
        'printers.update',
        'routing.put',
        'printers.pause',
        'jobs.cancel',
        'printers.move',
        'printers.resume',
        'jobs.reprint',
        'printers.sheet',
        'printers.drawer',
        'logo.put',
        'logo.remove',
        'printers.remove',
      ]),
    )
    expect(JSON.stringify(gateway.log)).not.toContain('Canary')
  })
})
