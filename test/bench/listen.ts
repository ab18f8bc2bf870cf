// `ticketrail listen`: how long an event takes from the relay through the command line to a program on the developer's machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Site } from '#test/harness/site.ts'
import { type Figure, ms } from './figures.ts'
import { measureAcceptedEvent } from './other-figures.ts'
import { folderUntilExit, killAtExit } from './until-exit.ts'

const LINE = join(import.meta.dirname, '../../cloud/cli/main.ts')
const PER_SECOND = 50

export async function listenFigures(quick: boolean): Promise<Figure[]> {
  const lines: ChildProcess[] = []
  const { p50, p99, count } = await measureAcceptedEvent(PER_SECOND, quick ? 4 : 20, async (site, url) => {
    lines.push(await startListening(site, url))
  })
  // It goes on for ever, and this program with it.
  for (const line of lines) line.kill('SIGKILL')
  if (count === 0) throw new Error('listen: no event arrived, so nothing was measured')
  const name = `accepted -> order.accepted at a program behind \`ticketrail listen\`, ${PER_SECOND} orders/s`
  return [
    { name: `${name}, p50`, goal: '<= 50 ms', value: ms(p50), met: p50 <= 50 },
    { name: `${name}, p99`, goal: 'measured beside', value: ms(p99), met: null },
  ]
}

/** Resolves when the line listens. */
async function startListening({ cloudUrl, apiKey, merchantId }: Site, url: string): Promise<ChildProcess> {
  const args = [LINE, 'listen', '--forward-to', url, '--events', 'order.accepted', '--json']
  const settings = { TICKETRAIL_URL: cloudUrl, TICKETRAIL_API_KEY: apiKey, TICKETRAIL_MERCHANT: merchantId }
  const env = { ...settings, HOME: folderUntilExit('ticketrail-bench-listen-') }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  killAtExit(child)
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (text) => {
      if (text.includes('"listening"')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`listen ended with ${code}`)))
  })
  return child
}
