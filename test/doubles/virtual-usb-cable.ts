// A USB cable between a virtual printer and a device file: a pseudo terminal in raw mode, whose other end is copied to the printer's port.
//
// What it has in common with Linux's usblp: a character device, O_NONBLOCK with EAGAIN in both directions, no connections and no FIN,
// a file that goes with the cable. What not: its buffer of 4 KB takes bytes that the printer has not read.
// The terminal is held by a small Python program, because Node cannot make one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const HOLDER = `
import os, select, socket, sys, tty
master, slave = os.openpty()
tty.setraw(slave)
port = socket.create_connection((sys.argv[1], int(sys.argv[2])))
port.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
os.symlink(os.ttyname(slave), sys.argv[3])
print("plugged", flush=True)
try:
    while True:
        for ready in select.select([master, port, sys.stdin], [], [])[0]:
            if ready is sys.stdin:
                sys.exit(0)
            data = os.read(master, 4096) if ready is master else port.recv(4096)
            if not data:
                sys.exit(0)
            if ready is master:
                port.sendall(data)
            else:
                while data:
                    data = data[os.write(master, data):]
except ConnectionError:
    pass
`

export class UsbCable {
  readonly #printer: { host: string; port: number }
  #folder = ''
  #holder: ChildProcess | null = null

  constructor(printer: { host: string; port: number }) {
    this.#printer = printer
  }

  /** The device file, whether it is there or not. */
  get path(): string {
    return join(this.#folder, 'lp0')
  }

  async start(): Promise<string> {
    this.#folder = await mkdtemp(join(tmpdir(), 'ticketrail-usb-'))
    await this.plugIn()
    return this.path
  }

  async stop(): Promise<void> {
    await this.unplug()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async plugIn(): Promise<void> {
    const { host, port } = this.#printer
    const holder = spawn('python3', ['-c', HOLDER, host, String(port), this.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#holder = holder
    await once(holder.stdout, 'data')
  }

  /** The device file is gone, and what was on its way with it. */
  async unplug(): Promise<void> {
    const holder = this.#holder
    this.#holder = null
    await rm(this.path, { force: true })
    if (!holder || holder.exitCode !== null || holder.signalCode !== null) return
    holder.kill('SIGKILL')
    await once(holder, 'exit')
  }
}
