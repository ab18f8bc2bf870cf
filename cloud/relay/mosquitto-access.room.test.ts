// The list of passwords that the relay keeps for a Mosquitto: who was revoked while the relay was away goes in one write, and a power cut leaves a whole list.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { MosquittoAccess } from './mosquitto-access.ts'

let dir: string
let lines: { level: number; msg: string }[]
const passwordFile = () => join(dir, 'passwords')
const users = () => readFileSync(passwordFile(), 'utf8').match(/^[^:]+/gm) ?? []

const never = (): void => {
  throw new Error('nobody may be signalled here')
}

function access(revoked: readonly string[] = [], pidFile?: string, hangUp: (pid: number) => void = never) {
  const ids = revoked.map((id): GatewayId => asId(id))
  return new MosquittoAccess({
    ...{ passwordFile: passwordFile(), pidFile, relay: { username: 'relay', password: 'secret' } },
    gateways: { revokedSince: async () => ids },
    ...{ hangUp, clock: systemClock },
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  })
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mosquitto-access-'))
  lines = []
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('the start', () => {
  it('strikes off all who were revoked meanwhile, and keeps the others and the relay', async () => {
    const gone = Array.from({ length: 300 }, (_, n) => `gw_gone${n}`)
    writeFileSync(passwordFile(), ['gw_here', ...gone].map((id) => `${id}:$7$101$x$y\n`).join(''))
    await access(gone).start()
    expect(users()).toEqual(['gw_here', 'relay'])
  })

  it('leaves nothing half-written beside the list, and goes over what a power cut left there', async () => {
    writeFileSync(`${passwordFile()}.new`, 'half', { mode: 0o600 })
    await access().start()
    await access().admit({ gatewayId: 'gw_1', token: 'token' })
    expect(users()).toEqual(['relay', 'gw_1'])
    expect(readdirSync(dir).sort()).toEqual(['passwords', 'passwords.acl'])
  })
})

describe('Mosquitto', () => {
  it('gets its signal when it is ready for it: before that it would end by it', async () => {
    // A shell under its name, which takes a moment, as it does.
    const program = join(dir, 'mosquitto')
    copyFileSync('/bin/sh', program)
    const script = `sleep 0.4; trap 'echo read' HUP; while :; do sleep 0.05; done`
    const child = spawn(program, ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(child, 'spawn')
      writeFileSync(join(dir, 'pid'), String(child.pid))
      const read = Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
      await access([], join(dir, 'pid'), (pid) => process.kill(pid, 'SIGHUP')).start()
      expect(String(await read)).toBe('read\n')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it.each(['', '1\n', 'no number', '-1'])('is told of by a warning when %j is not its process', async (text) => {
    writeFileSync(join(dir, 'pid'), text)
    await access([], join(dir, 'pid')).start()
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('no Mosquitto was told') }),
    ])
  })
})
