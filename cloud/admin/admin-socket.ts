// The admin socket of the running relay: the operator's command line runs its commands here, with the relay's own stores, so that two
// programs never wait for each other's lock of the database.
import { createServer, type Server, type Socket } from 'node:net'
import { LineError } from '#shared/cli/command.ts'
import { LocalSocketInUse, listenLocally } from '#shared/local/local-socket.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { AdminDeps } from './context.ts'
import { greetingOf, type LineMessage, lineMessage, listenTo, say } from './line-channel.ts'
import { runAdmin } from './run-admin.ts'

/** sysexits(3) EX_SOFTWARE: a fault of the program's own. */
const EXIT_SOFTWARE = 70
const OWNER = {
  what: 'admin socket',
  program: 'relay',
  variable: 'CLOUD_ADMIN_SOCKET',
  orElse: 'give this one ports of its own (CLOUD_HTTP_PORT, CLOUD_MQTT_PORT)',
}

export interface AdminSocketOptions {
  /** Path of the socket. */
  path: string
  /** Distinguishes the relay's database from others. */
  database: string
  /** What commands work with; files are the operator's and come over the socket. */
  deps: Omit<AdminDeps, 'readFile'>
  log: Logger
}

export class AdminSocket implements Service {
  readonly #options: AdminSocketOptions
  readonly #sockets = new Set<Socket>()
  readonly #running = new Set<Promise<void>>()
  #server: Server | null = null

  constructor(options: AdminSocketOptions) {
    this.#options = options
  }

  /**
   * Errors of the socket are logged, and the relay continues: orders come first.
   * @throws LocalSocketInUse when another relay answers there, or a file that is not a socket is there
   */
  async start(): Promise<void> {
    if (this.#server) return
    const { path, log } = this.#options
    const server = createServer((socket) => this.#accept(socket))
    try {
      await listenLocally(path, OWNER, () => listening(server, path))
      this.#server = server
    } catch (error) {
      server.close()
      if (error instanceof LocalSocketInUse) throw error
      log.warn(
        { err: error, path },
        'the admin socket cannot be opened: `admin` commands do not work while this relay runs. Set CLOUD_ADMIN_SOCKET to another path',
      )
    }
  }

  /** Waits for the commands that run; removes the socket. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    const closed = server && new Promise<void>((done) => server.close(() => done()))
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#running)
    await closed
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    const file = new AskedFile(socket)
    let started = false
    say(socket, { t: 'version', version: greetingOf(this.#options.database) })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.#sockets.delete(socket)
      file.answer({ t: 'no-file', why: 'the command line went away' })
    })
    listenTo(socket, lineMessage, (message) => {
      if (message.t !== 'run') return file.answer(message)
      if (started) return socket.destroy()
      started = true
      const running = this.#run(socket, message, file)
      this.#running.add(running)
      void running.finally(() => this.#running.delete(running))
    })
  }

  async #run(socket: Socket, { args }: LineMessage & { t: 'run' }, file: AskedFile): Promise<void> {
    const { deps, log } = this.#options
    const open = async (): Promise<AdminDeps> => ({ ...deps, readFile: (path) => file.read(path) })
    const files = (): never => {
      throw new LineError('This command works on files and needs no relay: run it by the command line of this release.')
    }
    let code = EXIT_SOFTWARE
    try {
      code = await runAdmin({
        args,
        open,
        files,
        write: (text) => say(socket, { t: 'out', text }),
        writeError: (text) => say(socket, { t: 'error', text }),
      })
    } catch (error) {
      // Only the command's name: its options may hold a secret or a person's name.
      log.error({ err: error, command: args.slice(0, 2).join(' ') }, 'a command of the operator failed')
      say(socket, { t: 'error', text: "Something went wrong in the relay. The relay's log says more." })
    }
    say(socket, { t: 'end', code })
    socket.end()
  }
}

/** A file that the command line reads for the relay: one at a time. */
class AskedFile {
  readonly #socket: Socket
  #waiting: { resolve(text: string): void; reject(error: Error): void } | null = null

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @throws LineError when it cannot be read, or the command line has gone */
  read(path: string): Promise<string> {
    if (this.#socket.destroyed) return Promise.reject(new LineError('the command line went away'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      say(this.#socket, { t: 'read', path })
    })
  }

  answer(message: Exclude<LineMessage, { t: 'run' }>): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (message.t === 'file') waiting?.resolve(message.text)
    else waiting?.reject(new LineError(message.why))
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
