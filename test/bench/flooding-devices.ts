// What devices that flood cost the box: how late its page answers and how large it becomes, path by path, on the real program. Figures for people: node test/bench/flooding-devices.ts
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callControl } from '#gateway/cli/control-client.ts'
import { systemClock } from '#shared/clock.ts'
import { Program } from '#test/harness/program.ts'
import { percentile } from './figures.ts'

const SECONDS = 15
const ASK_EVERY_MS = 20
/** Not a status of any printer: noise that is parsed byte by byte and in runs. */
const NOISE = Buffer.from(Array.from({ length: 1 << 20 }, (_, index) => (index * 7_919) % 256))

/** Sends for as long as somebody takes it. `first`: what it answers before, to be taken for a printer. */
async function flooder(first: Buffer, noise: Buffer, port = 0): Promise<Server> {
  const server = createServer((socket) => {
    const pour = (): void => {
      while (noise.length > 0 && !socket.destroyed && socket.write(noise));
    }
    socket.on('error', () => {})
    socket.on('drain', pour)
    socket.on('data', () => {})
    socket.write(first)
    pour()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** An answer of mDNS that tells of a hundred printers. */
function manyPrinters(): Buffer {
  const name = (...labels: string[]): Buffer =>
    Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.alloc(1)])
  const service = ['_pdl-datastream', '_tcp', 'local']
  const records = Array.from({ length: 100 }, (_, index) => {
    const target = name(`Printer ${index}`, ...service)
    // PTR, class IN, two minutes.
    return Buffer.concat([name(...service), Buffer.from([0, 12, 0, 1, 0, 0, 0, 120, 0, target.length]), target])
  })
  return Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, records.length, 0, 0, 0, 0]), ...records])
}

/** Datagrams as fast as a process of its own can send them, from an address of that network to every port that this program has open there. */
function floodUdp(pid: number, network: string): ChildProcess {
  const text = `
    const { createSocket } = require('node:dgram')
    const { readFileSync } = require('node:fs')
    const packet = Buffer.from('${manyPrinters().toString('base64')}', 'base64')
    const socket = createSocket('udp4')
    socket.bind(0, '${network}.3', () => {
      const pour = () => {
        const ports = readFileSync('/proc/${pid}/net/udp', 'utf8').split('\\n').slice(1).map((line) => line.trim().split(/\\s+/)[1] ?? '').filter((it) => it !== '').map((it) => parseInt(it.split(':')[1], 16))
        let open = ports.length * 20
        if (open === 0) return setTimeout(pour, 5)
        for (let round = 0; round < 20; round++) for (const port of ports) socket.send(packet, port, '${network}.1', () => { if (--open === 0) setImmediate(pour) })
      }
      pour()
    })`
  return spawn(process.execPath, ['-e', text], { stdio: 'inherit' })
}

interface Figures {
  path: string
  p50: number
  p99: number
  worst: number
  rssMb: number
}

/** @param act what is asked of the box again and again meanwhile */
async function measure(
  path: string,
  printers: string,
  { env = {}, act = async () => {}, beside }: Partial<Measured> = {},
): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'flooding-'))
  const files = { GATEWAY_DATABASE: join(dir, 'gateway.db'), GATEWAY_PAIRING_FILE: join(dir, 'pairing.json') }
  const program = new Program(
    'gateway/main.ts',
    { ...files, GATEWAY_HTTP_PORT: '0', GATEWAY_PRINTERS: printers, ...env },
    false,
  )
  const { httpUrl } = await program.start()
  const stop = beside?.(program.pid)
  const until = performance.now() + SECONDS * 1_000
  const call = (operation: string, body: unknown): Promise<unknown> =>
    callControl(join(dir, 'control.sock'), operation, body).catch(() => null)
  const acting = (async () => {
    while (performance.now() < until) {
      await act(call)
      await systemClock.sleep(ASK_EVERY_MS)
    }
  })()
  const waits: number[] = []
  let rssMb = 0
  while (performance.now() < until) {
    const asked = performance.now()
    await (await fetch(`${httpUrl}/api/status`)).text()
    waits.push(performance.now() - asked)
    const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8')) ?? []
    rssMb = Math.max(rssMb, Number(kb) / 1_000)
    await systemClock.sleep(ASK_EVERY_MS)
  }
  await acting
  stop?.()
  await program.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
  return { path, p50: percentile(waits, 50), p99: percentile(waits, 99), worst: Math.max(...waits), rssMb }
}

interface Measured {
  env: Record<string, string>
  act: (call: (operation: string, body: unknown) => Promise<unknown>) => Promise<unknown>
  beside: (pid: number) => () => void
}

const REALTIME = Buffer.from([0x12])
const servers = {
  silent: await flooder(Buffer.alloc(0), Buffer.alloc(0)),
  noise: await flooder(REALTIME, NOISE),
  /** Answers of real-time status without an end: each of them is a change of state. */
  status: await flooder(REALTIME, Buffer.alloc(1 << 20, Buffer.from([0x12, 0x16]))),
  asb: await flooder(REALTIME, Buffer.alloc(1 << 20, Buffer.from([0x10, 0, 0, 0, 0x14, 0, 0, 0]))),
  frames: await flooder(REALTIME, Buffer.alloc(1 << 20, Buffer.from([0x5f, 0x41, 0x00, 0x37, 0x22, 0x30]))),
  starPort: await flooder(Buffer.alloc(0), NOISE, 9_101),
}
const { silent, noise, status, asb, frames } = servers
const at = (server: Server, profile: string, name = profile): string => `${name}=127.0.0.1:${portOf(server)}/${profile}`
const printTests: Measured['act'] = (call) => call('printers.test', { printer: 'epson-thermal-203' })
const network = `127.99.${process.pid % 256}`
const show = async (figures: Promise<Figures>): Promise<void> => {
  const { path, ...rest } = await figures
  const ms = (value: number): string => value.toFixed(1).padStart(8)
  process.stdout.write(
    `${path.padEnd(46)}${ms(rest.p50)}${ms(rest.p99)}${ms(rest.worst)} ms ${rest.rssMb.toFixed(0).padStart(5)} MB\n`,
  )
}
process.stdout.write(`${''.padEnd(46)}     p50     p99   worst     memory\n`)
await show(measure('no flood', at(silent, 'epson-thermal-203')))
await show(measure('no flood, test tickets', at(silent, 'epson-thermal-203'), { act: printTests }))
for (const [name, server] of Object.entries({ noise, status, asb, frames })) {
  await show(measure(`print connection: ${name}`, at(server, 'epson-thermal-203'), { act: printTests }))
}
const all = [noise, status, asb, frames].flatMap((server, index) =>
  ['epson-thermal-203', 'star-line'].map((profile) => at(server, profile, `p${index}${profile}`)),
)
await show(measure('idle watch of eight devices', all.join(',')))
const identify: Measured['act'] = (call) =>
  Promise.all(
    [noise, status, asb, frames].map((server) =>
      call('printers.identify', { host: '127.0.0.1', port: portOf(server) }),
    ),
  )
const allowed = { GATEWAY_ALLOWED_PRINTERS: '127.0.0.0/8:1-65535' }
await show(measure('identify, four at a time', at(silent, 'epson-thermal-203'), { env: allowed, act: identify }))
await show(
  measure('Star status port', at(silent, 'star-line'), {
    act: (call) => call('printers.test', { printer: 'star-line' }),
  }),
)
await show(
  measure('discovery: UDP and mDNS', at(silent, 'epson-thermal-203'), {
    env: { GATEWAY_DISCOVERY_NETWORKS: `${network}.0/29` },
    act: (call) => call('discover.start', {}),
    beside: (pid) => {
      const child = floodUdp(pid, network)
      return () => child.kill('SIGKILL')
    },
  }),
)
process.exit(0)
