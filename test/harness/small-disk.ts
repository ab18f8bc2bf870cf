// A small disk that a test can fill, and one that fails: a tmpfs of its own, and strace that answers a program's writes with an error. Both need rights that not every machine gives.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why this machine cannot mount a disk of its own; null: it can. Only root may, and not in every container. */
export function whyNoSmallDisk(): string | null {
  try {
    new SmallDisk(1).remove()
    return null
  } catch (error) {
    return `mounting a tmpfs failed, it takes root with CAP_SYS_ADMIN (${firstLineOf(error)})`
  }
}

/** Why this machine cannot make the writes of a program fail; null: it can. */
export function whyNoFailingDisk(): string | null {
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO', '/bin/true'], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `strace does not run here: apt-get install strace, and allow ptrace (${firstLineOf(error)})`
  }
}

export class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), 'card-'))

  /** @throws Error when it cannot be mounted */
  constructor(megabytes: number) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', this.path], { stdio: 'pipe' })
    } catch (error) {
      rmSync(this.path, { recursive: true })
      throw error
    }
  }

  /** Takes all that is free, to the last byte. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.path)
    try {
      writeFileSync(join(this.path, `rubbish-${randomUUID()}`), Buffer.alloc(bavail * bsize))
    } catch (error) {
      // A program took some of it meanwhile: full it is.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  /** Gives back what `fill` took. */
  empty(): void {
    for (const name of readdirSync(this.path).filter((file) => file.startsWith('rubbish-')))
      rmSync(join(this.path, name))
  }

  get free(): number {
    return statfsSync(this.path).bavail
  }

  /** No program may use it any more. */
  remove(): void {
    execFileSync('umount', [this.path])
    rmSync(this.path, { recursive: true })
  }
}

/** What a disk answers instead of doing it. */
export type DiskFault = 'EIO on sync' | 'EIO on write' | 'ENOSPC on write' | 'EROFS on write' | 'EIO on read'

const INJECTIONS: Record<DiskFault, string> = {
  'EIO on sync': 'fsync,fdatasync:error=EIO',
  'EIO on write': 'pwrite64,write,ftruncate:error=EIO',
  'ENOSPC on write': 'pwrite64,write,ftruncate:error=ENOSPC',
  'EROFS on write': 'pwrite64,write,ftruncate:error=EROFS',
  'EIO on read': 'pread64:error=EIO',
}

/** From now on the system answers a program's calls on these files so. */
export class FailingDisk {
  /** Calls that failed so far. */
  injected = 0
  readonly #strace: ChildProcess
  readonly #attached: Promise<unknown>

  constructor(pid: number, files: readonly string[], fault: DiskFault) {
    const injection = INJECTIONS[fault]
    const paths = files.flatMap((file) => ['-P', file])
    const trace = `trace=${injection.split(':')[0]}`
    const args = ['-f', '-p', String(pid), '-e', trace, '-e', `inject=${injection}`, ...paths]
    this.#strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    // "strace: Process 1234 attached" for each thread; it may have ended meanwhile.
    const { stderr } = this.#strace
    this.#attached = stderr
      ? Promise.race([once(stderr, 'data'), once(this.#strace, 'exit')])
      : Promise.reject(new Error('strace has no output'))
    stderr?.on('data', (chunk: Buffer) => {
      this.injected += chunk.toString().split('(INJECTED)').length - 1
    })
  }

  attached(): Promise<unknown> {
    return this.#attached
  }

  /** The disk is well again. */
  async heal(): Promise<void> {
    if (this.#strace.exitCode !== null || this.#strace.signalCode !== null) return
    const gone = once(this.#strace, 'exit')
    this.#strace.kill('SIGINT')
    await gone
  }
}

function firstLineOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string }
  return (stderr?.toString().trim() || message).split('\n', 1)[0] ?? ''
}
