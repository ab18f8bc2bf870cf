// A reset of a TCP connection reaches the peer in every state of the connection.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetSocket } from './reset-socket.ts'

const BROKEN = /^(ECONNRESET|EPIPE)$/
const LARGE = 32 * 1024 * 1024

describe('a reset', () => {
  let server: Server
  let client: Socket
  let peer: Socket

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    ;[[peer]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(client, 'connect')])
  })

  afterEach(() => {
    peer.destroy()
    client.destroy()
    server.close()
  })

  /** A peer that has got our FIN detects a reset only when it writes. */
  const peersError = async (): Promise<string | undefined> => {
    const heard = once(peer.resume(), 'error') as Promise<[NodeJS.ErrnoException]>
    while (!peer.errored) {
      peer.write('x')
      await new Promise(setImmediate)
    }
    const [error] = await heard
    return error.code
  }

  it('breaks an open connection', async () => {
    resetSocket(client)
    expect(await peersError()).toMatch(BROKEN)
  })

  it('breaks one that is being shut down at the same moment', async () => {
    client.end()
    resetSocket(client)
    expect(await peersError()).toMatch(BROKEN)
  })

  it('breaks one whose shutdown waits after bytes that the peer does not read', async () => {
    client.write(Buffer.alloc(LARGE))
    client.end()
    await new Promise(setImmediate)
    resetSocket(client)
    expect(client.destroyed).toBe(true)
    expect(await peersError()).toMatch(BROKEN)
  })

  it('breaks one that is half closed', async () => {
    client.end()
    await once(client, 'finish')
    resetSocket(client)
    expect(await peersError()).toMatch(BROKEN)
  })

  it('may be requested twice', async () => {
    client.end()
    resetSocket(client)
    resetSocket(client)
    expect(await peersError()).toMatch(BROKEN)
  })
})
