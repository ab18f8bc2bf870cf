// How soon a gateway is ready after the power came, with nothing of it in memory, beside a bare Node that starts and ends.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
  const program = EXECUTABLES.map((file) => join(ROOT, file)).find((file) => existsSync(file))
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
