// Keeping a program alive: real processes that die in every way.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { ChildProgram } from './child-program.ts'
import { LogFile } from './log-file.ts'

let dir: string
let log: LogFile
let child: ChildProgram
const startedPids: number[] = []
const started = new Signal<number>()
const givenUp = new Signal<string>()
const said: string[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-child-'))
  log = new LogFile(join(dir, 'cloud.log'))
  startedPids.length = 0
  said.length = 0
})

afterEach(async () => {
  await child.stop()
  log.close()
  rmSync(dir, { recursive: true })
})

function program(source: string): ChildProgram {
  const entry = join(dir, 'main.mjs')
  writeFileSync(entry, source)
  child = new ChildProgram({
    name: 'cloud',
    entry,
    cwd: dir,
    env: { ...process.env, GREETING: 'hello' },
    log,
    clock: systemClock,
    onStarted: (pid) => {
      startedPids.push(pid)
      started.notify(pid)
    },
    say: (text) => said.push(text),
    onGivenUp: (reason) => givenUp.notify(reason),
  })
  return child
}

const READY = `console.log(JSON.stringify({ level: 30, msg: 'ready', greeting: process.env.GREETING }));`
const LIVE_ON = `setInterval(() => {}, 1000);`

async function logHas(text: string): Promise<void> {
  while (!readFileSync(log.path, 'utf8').includes(text)) await systemClock.sleep(5)
}

describe('a supervised program', () => {
  it('gets its environment and writes its log', async () => {
    program(READY + LIVE_ON).start()
    await logHas('"greeting":"hello"')
  })

  it('is restarted at once when it is killed after it was ready', async () => {
    program(READY + LIVE_ON).start()
    await logHas('"msg":"ready"')
    const next = started.next()
    process.kill(startedPids[0] ?? 0, 'SIGKILL')
    expect(await next).not.toBe(startedPids[0])
    expect(said).toEqual(['The cloud ended (SIGKILL) and is started again.'])
  })

  it('waits longer each time when it dies before it is ready, and is given up in the end', async () => {
    program(`console.log(JSON.stringify({ level: 60, msg: 'no luck' })); process.exit(1)`).start()
    expect(await givenUp.next()).toBe('no luck')
    expect(said.map((text) => /in (\d+) ms/.exec(text)?.[1])).toEqual(['100', '200', '400', '800'])
    expect(startedPids).toHaveLength(5)
  })

  it('is given up at once with its last log line when its settings cannot work', async () => {
    program(
      `console.log(JSON.stringify({ level: 60, msg: 'port 8080 is taken: change CLOUD_HTTP_PORT' })); process.exit(78)`,
    ).start()
    expect(await givenUp.next()).toBe('port 8080 is taken: change CLOUD_HTTP_PORT')
    expect(startedPids).toHaveLength(1)
  })

  it('reports standard error when it leaves no log line', async () => {
    program(`process.stderr.write('cannot load'); process.exit(78)`).start()
    expect(await givenUp.next()).toBe('cannot load')
  })

  it('is stopped by SIGTERM and not started again', async () => {
    program(`process.on('SIGTERM', () => { console.log('bye'); process.exit(0) });${READY}${LIVE_ON}`).start()
    await logHas('"msg":"ready"')
    await child.stop()
    expect(readFileSync(log.path, 'utf8')).toContain('bye')
    expect(startedPids).toHaveLength(1)
    expect(said).toEqual([])
  })
})

describe('the log file', () => {
  it('is moved aside when it is full, and one older file is kept', () => {
    const path = join(dir, 'gateway.log')
    program(LIVE_ON)
    const small = new LogFile(path, 10)
    for (const text of ['first...', 'second..', 'third...']) small.write(Buffer.from(text))
    small.close()
    expect(readFileSync(path, 'utf8')).toBe('third...')
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('second..')
  })

  it('continues where an earlier start has ended', () => {
    const path = join(dir, 'again.log')
    program(LIVE_ON)
    for (const text of ['one ', 'two']) {
      const file = new LogFile(path)
      file.write(Buffer.from(text))
      file.close()
    }
    expect(readFileSync(path, 'utf8')).toBe('one two')
  })
})
