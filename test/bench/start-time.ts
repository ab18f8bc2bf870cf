// How soon a gateway is ready after the power came, prints what waits on its disk, and is back at the relay beside a copied card.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Program } from '#test/harness/program.ts'
import { Site } from '#test/harness/site.ts'
import { BenchPrinter } from './bench-printer.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const EXECUTABLES = ['dist/release/ticketrail-gateway-linux-x64', 'dist/test/ticketrail-gateway']
const ROUNDS = 5

export interface StartTime {
  program: string
  /** Best of the rounds: what else runs on this machine never makes it quicker. */
  gatewayMs: number
  nodeMs: number
}

export async function measureStart(): Promise<StartTime> {
  const program = executable()
  const printer = new BenchPrinter()
  const site = new Site({
    printers: `kitchen=127.0.0.1:${await printer.start()}`,
    ...(program ? { gatewayProgram: [program] } : {}),
    // As the service has it.
    gatewayEnv: { MALLOC_ARENA_MAX: '2' },
  })
  await site.start()
  const gateway: number[] = []
  const node: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await site.gateway.kill('SIGTERM')
    forget(program ?? process.execPath)
    gateway.push(await site.startGateway())
    forget(process.execPath)
    const startedMs = performance.now()
    execFileSync(process.execPath, ['-e', ''])
    node.push(performance.now() - startedMs)
  }
  await site.stop()
  await printer.stop()
  return { program: program ?? 'gateway/main.ts', gatewayMs: Math.min(...gateway), nodeMs: Math.min(...node) }
}

/** None of the program stays in memory. */
function forget(file: string): void {
  execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
}

/**
 * The executable that was built of this source, if any.
 * @throws one older than the source: its figures would be another program's, and it may not speak this relay's protocol
 */
function executable(): string | undefined {
  const file = EXECUTABLES.map((one) => join(ROOT, one)).find((one) => existsSync(one))
  if (file === undefined) return undefined
  const sources = globSync(['gateway/**/*.ts', 'shared/**/*.ts'], { cwd: ROOT }).filter(
    (one) => !one.endsWith('.test.ts'),
  )
  const builtMs = statSync(file).mtimeMs
  const newer = sources.find((one) => statSync(join(ROOT, one)).mtimeMs > builtMs)
  if (newer) throw new Error(`${file} is older than ${newer}: run npm run package, or delete it`)
  return file
}

/**
 * Power cut with tickets waiting, the relay away, the printer on -> first byte of the first ticket, from the start of the program.
 * @returns milliseconds, one for each round
 */
export async function measureQueueOnDisk(rounds: number): Promise<number[]> {
  const off = new BenchPrinter()
  const port = await off.start()
  const program = executable()
  const site = new Site({
    printers: `kitchen=127.0.0.1:${port}`,
    ...(program ? { gatewayProgram: [program] } : {}),
  })
  await site.start()
  await site.restartGateway()
  // A printer that the gateway has never met is asked who it is, for seconds where it does not answer: that is no part of a start.
  const met = off.printed.next(({ token }) => token === 'B-999999')
  await site.injectSurely({ orderId: 'B-999999', note: 'B-999999' })
  await met
  await off.stop()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const tokens = Array.from({ length: 4 }, (_, n) => `B-${String(round * 4 + n).padStart(6, '0')}`)
    for (const token of tokens) await site.injectSurely({ orderId: token, note: token })
    while ((await site.gatewayStatus()).queue.queued < tokens.length)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await site.cloud.kill('SIGKILL')
    await site.gateway.kill('SIGKILL')
    const printer = new BenchPrinter()
    const first = printer.printed.next(({ token }) => token === tokens[0])
    const last = printer.printed.next(({ token }) => token === tokens.at(-1))
    await printer.start(port)
    const startedAt = performance.now()
    await site.startGateway()
    times.push((await first).firstByteAt - startedAt)
    await last
    await printer.stop()
    await site.startCloud()
  }
  await site.stop()
  return times
}

/**
 * A copied card in another machine is connected and knocks; the box itself starts -> it is connected.
 * @returns milliseconds, one for each round
 */
export async function measureBackBesideCopy(rounds: number): Promise<number[]> {
  const program = executable()
  const site = new Site({ printers: '', ...(program ? { gatewayProgram: [program] } : {}) })
  await site.start()
  await site.restartGateway()
  await connected(site.gatewayUrl)
  await site.gateway.kill('SIGTERM')
  const copy = join(site.dir, 'copy')
  cpSync(dirname(site.pairingFile), copy, { recursive: true })
  const twin = new Program(
    'gateway/main.ts',
    {
      GATEWAY_DATABASE: join(copy, 'gateway.db'),
      GATEWAY_PROOF_FOLDER: join(copy, 'proof'),
      GATEWAY_PAIRING_FILE: join(copy, 'pairing.json'),
      GATEWAY_HTTP_PORT: '0',
    },
    false,
  )
  await connected((await twin.start()).httpUrl)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await site.startGateway()
    await connected(site.gatewayUrl)
    times.push(performance.now() - startedAt)
    await site.gateway.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
  }
  await twin.kill('SIGKILL')
  await site.stop()
  return times
}

/** Resolves when the gateway of this page has its link. */
async function connected(url: string): Promise<void> {
  for (;;) {
    const { link } = (await (await fetch(`${url}/api/status`)).json()) as { link: { state: string } }
    if (link.state === 'connected') return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
