// Debian's nginx as a TCP proxy before the broker: it writes the PROXY header (version 1, the only one it supports), and gateways are counted one by one.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { EmbeddedBroker } from './broker.ts'

const NGINX = '/usr/sbin/nginx'
const MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'
const PROXY = '127.0.0.9'
const TOKEN = 'the token of every gateway here'

describe.skipIf(!existsSync(NGINX) || !existsSync(MODULE))('behind nginx with proxy_protocol', () => {
  const dir = mkdtempSync(join(tmpdir(), 'nginx-stream-'))
  const clients: MqttClient[] = []
  let broker: EmbeddedBroker
  let nginx: ChildProcess
  let port: number

  beforeEach(async () => {
    const tokenHash = async () => createHash('sha256').update(TOKEN).digest('hex')
    broker = new EmbeddedBroker({
      ...{
        host: '127.0.0.1',
        port: 0,
        clock: Object.assign(new ManualClock(), { sleep: async () => undefined }),
        log: pino({ level: 'silent' }),
      },
      ...{ gateways: { tokenHash, machine: async () => null }, connectTimeoutMs: 60_000 },
      ...{ proxies: new TrustedProxies([PROXY]), proxyProtocol: true },
    })
    await broker.start()
    port = await freePort()
    const file = join(dir, 'nginx.conf')
    writeFileSync(
      file,
      `load_module ${MODULE};
daemon off;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log;
events { worker_connections 512; }
stream {
  server {
    listen 127.0.0.1:${port};
    proxy_bind ${PROXY};
    proxy_pass 127.0.0.1:${broker.port};
    proxy_protocol on;
  }
}
`,
    )
    nginx = spawn(NGINX, ['-c', file, '-e', join(dir, 'error.log')], { stdio: 'ignore' })
    while (!(await answers(port))) {
      if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`)
      await sleep(10)
    }
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) client.end(true)
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
    await broker.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** `in`, or the code of the refusal. */
  function signIn(localAddress: string, id: string, password = TOKEN): Promise<'in' | number | string> {
    const dial = () => connect({ host: '127.0.0.1', port, localAddress })
    const client = new MqttClient(dial, {
      ...{ clientId: id, username: id, password, protocolVersion: 4, reconnectPeriod: 0 },
    })
    clients.push(client)
    return new Promise((resolve) => {
      client.once('connect', () => resolve('in'))
      client.on('error', (error: Error & { code?: number | string }) => resolve(error.code ?? error.message))
      client.once('close', () => resolve('closed'))
    })
  }

  test('sixty gateways connect at once, and only the address that sends wrong passwords is blocked', async () => {
    const sixty = Array.from({ length: 60 }, (_, n) => signIn('127.0.0.2', `gw_${n}`))
    expect(new Set(await Promise.all(sixty))).toEqual(new Set(['in']))
    for (let n = 0; n < 20; n++) expect(await signIn('127.0.0.3', 'gw_a', 'wrong')).toBe(5)
    expect(await signIn('127.0.0.3', 'gw_a')).toBe(3)
    expect(await signIn('127.0.0.4', 'gw_a')).toBe('in')
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Not an address of the test: that nothing is sent here counts as a failed sign-in.
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.250' })
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', (hadError) => resolve(!hadError))
  })
}
