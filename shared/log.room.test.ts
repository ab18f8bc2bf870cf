// Logs: secrets are redacted even when a caller passes them, and the walk's line has its fields.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLogger, logOutput, logWalk } from './log.ts'

function capture(): { lines: Record<string, unknown>[]; write(text: string): void } {
  const lines: Record<string, unknown>[] = []
  return { lines, write: (text) => lines.push(JSON.parse(text)) }
}

describe('createLogger', () => {
  it('redacts keys, tokens, bodies and customers', () => {
    const out = capture()
    const log = createLogger('test', 'info', { destination: out })
    log.info(
      { apiKey: 'sk_live_x', token: 't', customer: { phone: '555-0101' }, body: 'secret', orderId: 'a' },
      'hello',
    )
    expect(JSON.stringify(out.lines)).not.toMatch(/sk_live_x|555-0101|secret"/)
    expect(out.lines[0]).toMatchObject({ orderId: 'a', apiKey: '[redacted]', msg: 'hello', program: 'test' })
  })

  it('writes one line a step with the step, the ids and rounded milliseconds', () => {
    const out = capture()
    logWalk(
      createLogger('test', 'info', { destination: out }),
      { walk: '3/10', printJobId: 'pj_1', ms: 1.234_567 },
      'sent to the kitchen',
    )
    expect(out.lines).toHaveLength(1)
    expect(out.lines[0]).toMatchObject({ walk: '3/10', printJobId: 'pj_1', ms: 1.23, msg: 'sent to the kitchen' })
  })
})

/** A program that logs more than a pipe holds, fails, and must be started again by its supervisor. */
const FAILS = `
  const { createLogger, logOutput } = await import('./shared/log.ts')
  const log = createLogger('fails', 'info', { destination: logOutput(process.stdout) })
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'the end')
    process.exit(7)
  })
  process.stdin.once('data', () => {
    for (let i = 0; i < 3_000; i++) log.info({ i, text: 'x'.repeat(1_000) }, 'line')
    throw new Error('a fault')
  })
`

describe('standard output as the log', () => {
  it.each(['dead', 'asleep'] as const)('never keeps a program alive whose reader is %s', async (reader) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', FAILS], { stdio: ['pipe', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    try {
      if (reader === 'dead') child.stdout.destroy()
      else child.stdout.pause()
      child.stdin.write('go')
      expect(await exited).toEqual([7, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('buffers a bounded number of lines for a slow reader, and reports how many are missing', () => {
    const written: string[] = []
    const slow = { writableLength: 0, on: () => {}, write: (text: string) => written.push(text) }
    const log = createLogger('test', 'info', { destination: logOutput(slow) })
    slow.writableLength = 10_000_000
    for (let i = 0; i < 7; i++) log.info('lost')
    slow.writableLength = 0
    log.warn('seen again')
    const lines = written.join('').split('\n')
    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, lostLines: 7 })
    expect(lines[1]).toContain('seen again')
  })

  it('writes the lines of an event-loop turn together, a warning at once, and the rest at the end', async () => {
    const written: string[] = []
    const out = logOutput({ writableLength: 0, on: () => {}, write: (text: string) => written.push(text) })
    const log = createLogger('test', 'debug', { destination: out })
    const words = () => written.map((text) => [...text.matchAll(/"msg":"(\w+)"/g)].map(([, word]) => word))
    log.info('one')
    log.debug('two')
    expect(words()).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(words()).toEqual([['one', 'two']])
    log.info('three')
    log.warn('four')
    expect(words()).toEqual([
      ['one', 'two'],
      ['three', 'four'],
    ])
    log.info('five')
    out.flushSync()
    await new Promise((resolve) => setImmediate(resolve))
    expect(words().at(-1)).toEqual(['five'])
    expect(written).toHaveLength(3)
  })
})
