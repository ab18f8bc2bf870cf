// The list of passwords that the relay maintains for a Mosquitto: gateways revoked while the relay was down are removed in one write, and a power cut leaves a complete list.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BrokerAdmissionStore } from '#cloud/storage/broker-admission-store.ts'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { systemClock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { openFreshSqliteDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { MosquittoAccess } from './mosquitto-access.ts'

let dir: string
let lines: { level: number; msg: string }[]
const passwordFile = () => join(dir, 'passwords')
const users = () => readFileSync(passwordFile(), 'utf8').match(/^[^:]+/gm) ?? []

const never = (): void => {
  throw new Error('nobody may be signalled here')
}

interface Around {
  pidFile?: string
  hangUp?: (pid: number) => void
  admissions?: BrokerAdmissionStore
  revokedSince?: () => Promise<GatewayId[]>
  mayWrite?: () => boolean
}

function access(
  revoked: readonly string[] = [],
  { pidFile, hangUp = never, admissions, revokedSince, mayWrite }: Around = {},
) {
  const ids = revoked.map((id): GatewayId => asId(id))
  return new MosquittoAccess({
    ...{ passwordFile: passwordFile(), pidFile, relay: { username: 'relay', password: 'secret' } },
    gateways: { revokedSince: revokedSince ?? (async () => ids) },
    ...(mayWrite && { mayWrite }),
    admissions: admissions ?? null,
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
  it('removes all who were revoked meanwhile, and keeps the others and the relay', async () => {
    const gone = Array.from({ length: 300 }, (_, n) => `gw_gone${n}`)
    writeFileSync(passwordFile(), ['gw_here', ...gone].map((id) => `${id}:$7$101$x$y\n`).join(''))
    await access(gone).start()
    expect(users()).toEqual(['gw_here', 'relay'])
  })

  it('leaves no partial file beside the list, and overwrites one that a power cut left there', async () => {
    writeFileSync(`${passwordFile()}.0123abcd.new`, 'half', { mode: 0o600 })
    await access().start()
    await access().admit({ gatewayId: 'gw_1', token: 'token' })
    expect(users()).toEqual(['relay', 'gw_1'])
    expect(readdirSync(dir).sort()).toEqual(['passwords', 'passwords.acl'])
  })
})

describe('of two relays', () => {
  it('the relay that writes the list adds gateways that the other admits, and none that was revoked meanwhile', async () => {
    const db = await openFreshSqliteDatabase(join(dir, 'relay.db'))
    const admissions = new BrokerAdmissionStore(db)
    const [writer, other] = [access(['gw_gone'], { admissions }), access([], { admissions })]
    const unheard = other.admit({ gatewayId: 'gw_gone', token: 'token' })
    await expect.poll(() => admissions.isWaiting('gw_gone')).toBe(true)
    await writer.start()
    await unheard
    expect(users()).toEqual(['relay'])
    const admitted = other.admit({ gatewayId: 'gw_1', token: 'token' })
    await expect.poll(() => users()).toEqual(['relay', 'gw_1'])
    await admitted
    expect(await admissions.waiting()).toEqual([])
    await other.revoke('gw_1')
    expect(users()).toEqual(['relay', 'gw_1'])
    await writer.revoke('gw_1')
    expect(users()).toEqual(['relay'])
    await writer.stop()
    await db.close()
  })
})

describe('the writer', () => {
  let admissions: BrokerAdmissionStore
  let close: () => Promise<void>
  beforeEach(async () => {
    const db = await openFreshSqliteDatabase(join(dir, 'relay.db'))
    admissions = new BrokerAdmissionStore(db)
    close = () => db.close()
  })
  afterEach(() => close())

  it('strikes off a gateway that is revoked while it is put in', async () => {
    const answers: GatewayId[][] = [[], [asId('gw_1')]]
    const writer = access([], { admissions, revokedSince: async () => answers.shift() ?? [] })
    await writer.start()
    await admissions.add({ gatewayId: 'gw_1', line: 'gw_1:$7$101$x$y' })
    await expect.poll(() => admissions.isWaiting('gw_1')).toBe(false)
    await writer.stop()
    expect([users(), answers]).toEqual([['relay'], []])
  })

  it('that has lost its lease without having noticed leaves the list to the next one, and nothing is forgotten', async () => {
    let mayWrite = true
    const writer = access([], { admissions, mayWrite: () => mayWrite })
    await writer.start()
    mayWrite = false
    await admissions.add({ gatewayId: 'gw_1', line: 'gw_1:$7$101$x$y' })
    await expect
      .poll(() => lines.map(({ msg }) => msg))
      .toContain('the list of passwords could not be written: it is tried again')
    await writer.stop()
    expect(users()).toEqual(['relay'])
    expect(await admissions.isWaiting('gw_1')).toBe(true)
    expect(readdirSync(dir).filter((name) => name.endsWith('.new'))).toEqual([])
    const next = access([], { admissions })
    await next.start()
    expect(users().toSorted()).toEqual(['gw_1', 'relay'])
    await next.stop()
  })

  it('ends when what it was about to write is written', async () => {
    const writer = access([], { admissions })
    await writer.start()
    const admitted = writer.admit({ gatewayId: 'gw_1', token: 'token' })
    const stopped = writer.stop().then(() => users())
    expect(await stopped).toEqual(['relay', 'gw_1'])
    await admitted
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
      const hangUp = (pid: number): void => void process.kill(pid, 'SIGHUP')
      await access([], { pidFile: join(dir, 'pid'), hangUp }).start()
      expect(String(await read)).toBe('read\n')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it.each(['', '1\n', 'no number', '-1'])('is reported by a warning when %j is not its process', async (text) => {
    writeFileSync(join(dir, 'pid'), text)
    await access([], { pidFile: join(dir, 'pid') }).start()
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('no Mosquitto was told') }),
    ])
  })
})

describe.skipIf(mosquittoProgram() === null)('deploy/mosquitto-with-lists', () => {
  it('waits for the lists, lets in whoever is admitted later, and ends Mosquitto with itself', async () => {
    const port = await findFreePort([])
    const config = join(dir, 'mosquitto.conf')
    const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${passwordFile()}`]
    writeFileSync(config, [...lines, `acl_file ${passwordFile()}.acl`, 'user root', 'log_dest none'].join('\n'))
    const script = fileURLToPath(new URL('../../deploy/mosquitto-with-lists', import.meta.url))
    const PATH = `${dirname(mosquittoProgram() ?? '')}:${process.env['PATH']}`
    const child = spawn('/bin/sh', [script, passwordFile(), config], { env: { PATH }, stdio: 'ignore' })
    const ended = once(child, 'exit')
    try {
      const writer = access()
      await writer.start()
      const connect = () => BareBox.connect({ port, gatewayId: 'gw_1', token: 'token' })
      // Mosquitto runs, and has not reloaded the list.
      await expect.poll(() => connect().catch(({ message }: Error) => message)).toMatch(/not authorized/i)
      await writer.admit({ gatewayId: 'gw_1', token: 'token' })
      let box: BareBox | null = null
      await expect
        .poll(async () => {
          box = await connect().catch(() => null)
          return box
        })
        .not.toBeNull()
      child.kill('SIGTERM')
      await ended
      await (box as BareBox | null)?.closed()
    } finally {
      child.kill('SIGTERM')
    }
  })
})
