// The list of passwords that the relay keeps for a Mosquitto: who was revoked while the relay was away goes in one write, and a power cut leaves a whole list.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { MosquittoAccess } from './mosquitto-access.ts'

let dir: string
let lines: { level: number; msg: string }[]
const passwordFile = () => join(dir, 'passwords')
const users = () => readFileSync(passwordFile(), 'utf8').match(/^[^:]+/gm) ?? []

function access(revoked: readonly string[] = [], pidFile?: string): MosquittoAccess {
  const ids = revoked.map((id): GatewayId => asId(id))
  return new MosquittoAccess({
    ...{ passwordFile: passwordFile(), pidFile, relay: { username: 'relay', password: 'secret' } },
    gateways: { revokedSince: async () => ids },
    hangUp: () => {
      throw new Error('nobody may be signalled here')
    },
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
  it.each(['', '1\n', 'no number', '-1'])('is told of by a warning when %j is not its process', async (text) => {
    writeFileSync(join(dir, 'pid'), text)
    await access([], join(dir, 'pid')).start()
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('no Mosquitto was told') }),
    ])
  })
})
