// An address that swallows connection attempts: no SYN-ACK, no refusal. As a host behind a dead switch port.
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

// A listener with a backlog of one whose event loop sleeps: the kernel completes a few handshakes, then drops every SYN.
const SLEEPER = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
`
const FILLERS = 6

export class BlackHole {
  #worker: Worker | null = null
  readonly #fillers: Socket[] = []

  async start(): Promise<{ host: string; port: number }> {
    const worker = new Worker(SLEEPER, { eval: true })
    this.#worker = worker
    const port = await new Promise<number>((resolve) => worker.once('message', resolve))
    const address = { host: '127.0.0.1', port }
    for (let i = 0; i < FILLERS; i++) {
      const filler = connect(address)
      filler.on('error', () => {})
      this.#fillers.push(filler)
    }
    // The backlog is full when one of the attempts does not get through within a moment.
    while (this.#fillers.filter((socket) => socket.connecting).length === 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    return address
  }

  async stop(): Promise<void> {
    for (const filler of this.#fillers) filler.destroy()
    await this.#worker?.terminate()
  }
}
