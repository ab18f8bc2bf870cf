// The control socket: who may open it, what happens to a leftover one, the format of refusals.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'
import { Control, type ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { ControlServer } from './control-server.ts'

describe('the control socket', () => {
  let dir: string
  let path: string
  let server: ControlServer
  let lines: string[]
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'control-'))
    path = join(dir, 'sockets', 'control.sock')
    lines = []
    server = makeServer()
  })
  afterEach(async () => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  function makeServer(): ControlServer {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const handlers = {
      'printers.pause': ({ printer }: { printer: string }) => {
        if (printer === 'Bug') throw new Error('SECRET-OF-A-GUEST')
        if (printer !== 'Grill') throw new ControlRefusal('not-found', `There is no printer ${printer}.`)
        return { printerId: 'grill' }
      },
    } as unknown as ControlHandlers
    return new ControlServer({ path, control: new Control(handlers, log), log })
  }

  function call(operation: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const outgoing = request(
        { socketPath: path, path: `/v1/control/${operation}`, method: 'POST', headers },
        (incoming) => {
          let text = ''
          incoming.on('data', (chunk) => {
            text += chunk
          })
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }))
        },
      )
      outgoing.on('error', reject)
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }

  it('belongs to the gateway’s own user alone', async () => {
    await server.start()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(dir, 'sockets')).mode & 0o777).toBe(0o700)
    await server.stop()
    expect(existsSync(path)).toBe(false)
  })

  it('replaces the socket that a killed gateway left behind', async () => {
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    await server.start()
    await server.stop()
    await once(spawn(process.execPath, ['-e', script, path]), 'exit')
    expect(existsSync(path)).toBe(true)
    await server.start()
    expect((await call('printers.pause', { printer: 'Grill' })).status).toBe(200)
  })

  it('is refused to a second gateway while the first one lives', async () => {
    await server.start()
    await expect(makeServer().start()).rejects.toThrow(LocalSocketInUse)
    expect((await call('printers.pause', { printer: 'Grill' })).body).toEqual({ result: { printerId: 'grill' } })
  })

  it('does not remove a file that is no socket', async () => {
    await server.start()
    await server.stop()
    writeFileSync(path, 'precious')
    await expect(server.start()).rejects.toThrow('is not a socket')
    expect(existsSync(path)).toBe(true)
  })

  it('names the field and what to do', async () => {
    await server.start()
    expect(await call('printers.pause', { printer: 7, colour: 'red' })).toEqual({
      status: 422,
      body: {
        code: 'invalid',
        message: expect.stringContaining('printer: must be text'),
        errors: [
          { field: 'printer', message: 'must be text' },
          { field: 'colour', message: 'is not a field of this operation: leave it out' },
        ],
      },
    })
    expect(await call('printers.pause', { printer: 'Gril' })).toEqual({
      status: 404,
      body: { code: 'not-found', message: 'There is no printer Gril.', errors: [] },
    })
    expect((await call('printers.dance', {})).status).toBe(404)
    expect((await call('printers.pause', '{')).body).toMatchObject({ code: 'invalid' })
    expect((await call('__proto__', {})).status).toBe(404)
  })

  it('logs who changed what, and does not reveal the text of an internal error to clients', async () => {
    await server.start()
    await call('printers.pause', { printer: 'Grill' })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      who: 'control socket',
      operation: 'printers.pause',
      printer: 'Grill',
    })
    const bug = await call('printers.pause', { printer: 'Bug' })
    expect(bug).toEqual({ status: 500, body: { code: 'internal', message: expect.any(String) } })
    expect(JSON.stringify(bug)).not.toContain('SECRET')
  })

  it('lists its operations with the schema of each input', async () => {
    await server.start()
    const text = await new Promise<string>((resolve) => {
      request({ socketPath: path, path: '/v1/control' }, (incoming) => {
        let all = ''
        incoming.on('data', (chunk) => {
          all += chunk
        })
        incoming.on('end', () => resolve(all))
      }).end()
    })
    const { operations } = JSON.parse(text)
    expect(operations.length).toBeGreaterThan(25)
    expect(operations.find(({ name }: { name: string }) => name === 'printers.verify')).toMatchObject({
      changes: true,
      input: { required: ['printer', 'code'] },
    })
  })
})
