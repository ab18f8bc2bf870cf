// A real PostgreSQL server in a folder of its own, on a port of loopback: Debian's package, started and stopped by the tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { ownPort } from '#test/doubles/own-port.ts'

const DEBIAN = '/usr/lib/postgresql'
/** PostgreSQL does not run as root; Debian's package makes this user. */
const USER = 'postgres'
const STARTS_WITHIN_MS = 60_000
const MEMORY = '/dev/shm'
/** A container's may be 64 MB. */
const ROOMY_BYTES = 2 * 1024 ** 3

/** In memory where there is room: to make and drop a database is some thousand small writes. */
function parentFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOMY_BYTES ? MEMORY : tmpdir()
}

export interface PostgresSettings {
  /** `fsync=on` and the like, as on the server's command line. */
  settings?: Readonly<Record<string, string>>
  /** Its log is copied into a folder beside its data, piece by piece. */
  archives?: boolean
}

/** Where `initdb` and `postgres` are; null when there is no server here. */
export function postgresPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

/** Root becomes the package's user: nobody else may own the files. */
function runsAs(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export class PostgresServer {
  readonly port: number
  readonly #programs: string
  readonly #dir: string
  readonly #data: string
  readonly #settings: Readonly<Record<string, string>>
  #server: ChildProcess | null = null

  private constructor(programs: string, port: number, settings: Readonly<Record<string, string>>) {
    this.#programs = programs
    this.port = port
    this.#settings = settings
    this.#dir = mkdtempSync(join(parentFolder(), 'ticketrail-postgres-'))
    const { uid, gid } = runsAs()
    if (uid !== undefined && gid !== undefined) chownSync(this.#dir, uid, gid)
    this.#data = join(this.#dir, 'data')
  }

  /** Makes and starts one. Without settings it does not wait for the disk: what a test loses in a power cut is nothing. */
  static async start({ settings = {}, archives = false }: PostgresSettings = {}): Promise<PostgresServer> {
    const programs = postgresPrograms()
    if (programs === null) throw new Error("no PostgreSQL here: install Debian's postgresql")
    const server = new PostgresServer(programs, await ownPort(), settings)
    const args = [
      '-D',
      server.#data,
      '--no-sync',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      `--username=${USER}`,
    ]
    execFileSync(join(programs, 'initdb'), args, { ...runsAs(), stdio: 'ignore', cwd: server.#dir })
    await server.run(archives ? server.#archiving() : {})
    return server
  }

  #archiving(): Record<string, string> {
    makeFolder(this.#archive)
    return { archive_mode: 'on', archive_command: `cp %p ${this.#archive}/%f`, archive_timeout: '60' }
  }

  get #archive(): string {
    return join(this.#dir, 'archive')
  }

  get #base(): string {
    return join(this.#dir, 'base')
  }

  /** As each night: its files, from which `restored` begins. */
  baseBackup(): void {
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER]
    execFileSync(join(this.#programs, 'pg_basebackup'), ['-D', this.#base, ...from, '--no-sync', '--checkpoint=fast'], {
      ...runsAs(),
      stdio: 'ignore',
      cwd: this.#dir,
    })
  }

  /** Another server, from the base backup and the archived log of this one, as it stood at that moment. It takes writes. */
  async restored(until: Date): Promise<PostgresServer> {
    const copy = new PostgresServer(this.#programs, await ownPort(), this.#settings)
    execFileSync('cp', ['-a', this.#base, copy.#data], { ...runsAs() })
    writeFileSync(join(copy.#data, 'recovery.signal'), '')
    await copy.run({
      restore_command: `cp ${this.#archive}/%f %p`,
      // A time zone's letters are not known yet when this is read.
      recovery_target_time: until.toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
    })
    return copy
  }

  /** Another one that follows this one, and takes no writes before it is promoted. */
  async standby(): Promise<PostgresServer> {
    const copy = new PostgresServer(this.#programs, await ownPort(), this.#settings)
    const args = ['-D', copy.#data, '-h', '127.0.0.1', '-p', String(this.port), '-U', USER, '-R', '-X', 'stream']
    execFileSync(join(this.#programs, 'pg_basebackup'), [...args, '--no-sync', '--checkpoint=fast'], {
      ...runsAs(),
      stdio: 'ignore',
      cwd: copy.#dir,
    })
    await copy.run()
    return copy
  }

  /** From now on it takes writes. */
  async promote(): Promise<void> {
    const client = new Client({ connectionString: this.url() })
    await client.connect()
    await client.query('select pg_promote()')
    await client.end()
  }

  /** `postgres://...` of a database of this name. */
  url(database = 'postgres'): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** Starts it again after `kill` or `stop`; resolves when it answers. */
  async run(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = { fsync: 'off', synchronous_commit: 'on', full_page_writes: 'off', ...this.#settings, ...more }
    const args = Object.entries({
      ...settings,
      max_connections: '400',
      unix_socket_directories: '',
      listen_addresses: '127.0.0.1',
    })
    const server = spawn(
      join(this.#programs, 'postgres'),
      ['-D', this.#data, '-p', String(this.port), ...args.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...runsAs(), cwd: this.#dir, stdio: 'ignore' },
    )
    this.#server = server
    const gone = new Promise<never>((_, reject) =>
      server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}`))),
    )
    gone.catch(() => {})
    await Promise.race([answers(this.url()), gone])
  }

  /** SIGINT ends it in order, without waiting for those who are connected. */
  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  /** As a power cut: the server and all its processes at once. */
  async kill(): Promise<void> {
    const children = this.#children()
    const ended = this.#end('SIGKILL')
    for (const pid of children) killed(pid)
    await ended
    // One that still runs holds the shared memory, and the next server would not start.
    while (children.some((pid) => existsSync(`/proc/${pid}`))) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  #children(): number[] {
    const { pid } = this
    if (pid === 0) return []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children.split(' ').filter(Boolean).map(Number)
  }

  /** Stops it and deletes its files. */
  async remove(): Promise<void> {
    await this.#end('SIGINT')
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await ended
  }
}

/** Of the server's user. */
function makeFolder(path: string): void {
  mkdirSync(path)
  const { uid, gid } = runsAs()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function answers(url: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 20) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (waitedMs >= STARTS_WITHIN_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
