// CUPS beside us: a cupsd of its own with a raw socket queue, spoken to over IPP, as programs do that use it for kitchen tickets.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPort } from '#test/doubles/own-port.ts'
import type { PrintSystem, Said } from './peer-system.ts'

const FOLDERS = ['root', 'spool', 'tmp', 'cache', 'state', 'log'] as const
const QUEUE = 'kitchen'

/** Null when it can be run here; else what is missing. Debian's `cups` has the socket backend; it must be started as root. */
export function cupsMissing(): string | null {
  const files = ['/usr/sbin/cupsd', '/usr/sbin/lpadmin', '/usr/lib/cups/backend/socket']
  const missing = files.find((file) => !existsSync(file))
  if (missing) return `${missing} is not installed (apt-get install cups)`
  return process.getuid?.() === 0 ? null : 'cupsd must be started as root'
}

export class Cups implements PrintSystem {
  readonly name = 'CUPS 2.4, raw socket queue'
  readonly #dir = mkdtempSync(join(tmpdir(), 'peer-cups-'))
  #port = 0
  #child: ChildProcess | null = null
  #requests = 0

  async start(printerPort: number): Promise<void> {
    this.#port = await ownPort()
    for (const folder of FOLDERS) mkdirSync(join(this.#dir, folder))
    chmodSync(this.#dir, 0o755)
    const [root, spool, tmp, cache, state, log] = FOLDERS.map((folder) => join(this.#dir, folder))
    writeFileSync(
      join(this.#dir, 'cups-files.conf'),
      `ServerRoot ${root}\nRequestRoot ${spool}\nTempDir ${tmp}\nCacheDir ${cache}\nStateDir ${state}\nErrorLog ${log}/error\n` +
        `AccessLog ${log}/access\nPageLog ${log}/page\nUser lp\nGroup lp\nSystemGroup root\n`,
    )
    // Nothing but where it listens and who may ask: all that decides about printing is as Debian has it.
    writeFileSync(
      join(this.#dir, 'cupsd.conf'),
      `Listen 127.0.0.1:${this.#port}\nBrowsing Off\nWebInterface No\n<Location />\nOrder allow,deny\nAllow localhost\n</Location>\n` +
        '<Policy default>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>\n',
    )
    execFileSync('chown', ['-R', 'lp:lp', this.#dir])
    await this.#run()
    const uri = `socket://127.0.0.1:${printerPort}`
    execFileSync('lpadmin', ['-h', `127.0.0.1:${this.#port}`, '-p', QUEUE, '-E', '-v', uri], { stdio: 'ignore' })
  }

  async submit(_token: string, ticket: Uint8Array): Promise<string> {
    const answer = await this.#ask(0x0002, [], ticket)
    const jobId = integerIn(answer, 'job-id')
    if (jobId === null) throw new Error(`CUPS refused the job: status ${answer.readUInt16BE(2).toString(16)}`)
    return String(jobId)
  }

  async says(jobId: string): Promise<Said> {
    const state = integerIn(await this.#ask(0x0009, [['job-id', Number(jobId)]]), 'job-state')
    if (state === 9) return 'printed'
    return state === 7 || state === 8 || state === null ? 'failed' : 'waiting'
  }

  async killAndRestart(): Promise<void> {
    await this.#kill()
    await this.#run()
  }

  async stop(): Promise<void> {
    await this.#kill()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #run(): Promise<void> {
    const files = ['-f', '-c', join(this.#dir, 'cupsd.conf'), '-s', join(this.#dir, 'cups-files.conf')]
    this.#child = spawn('/usr/sbin/cupsd', files, { stdio: 'ignore' })
    for (;;) {
      try {
        await fetch(`http://127.0.0.1:${this.#port}/`)
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  async #kill(): Promise<void> {
    const child = this.#child
    if (!child) return
    // Its socket backends would live on by themselves: a power cut takes them too.
    const backends = childrenOf(child.pid)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    for (const pid of backends) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  }

  async #ask(operation: number, integers: readonly [string, number][], data?: Uint8Array): Promise<Buffer> {
    const head = Buffer.alloc(8)
    head.writeUInt16BE(0x0101, 0)
    head.writeUInt16BE(operation, 2)
    head.writeUInt32BE(++this.#requests, 4)
    const body = Buffer.concat([
      head,
      Buffer.from([0x01]),
      attribute(0x47, 'attributes-charset', 'utf-8'),
      attribute(0x48, 'attributes-natural-language', 'en'),
      attribute(0x45, 'printer-uri', `ipp://127.0.0.1:${this.#port}/printers/${QUEUE}`),
      ...integers.map(([name, value]) => integerAttribute(name, value)),
      attribute(0x42, 'requesting-user-name', 'root'),
      ...(data ? [attribute(0x49, 'document-format', 'application/vnd.cups-raw')] : []),
      Buffer.from([0x03]),
      data ?? Buffer.alloc(0),
    ])
    const answer = await fetch(`http://127.0.0.1:${this.#port}/printers/${QUEUE}`, {
      method: 'POST',
      headers: { 'content-type': 'application/ipp' },
      body,
    })
    return Buffer.from(await answer.arrayBuffer())
  }
}

/** RFC 8010: value tag, name, value. */
function attribute(tag: number, name: string, value: string): Buffer {
  const sizes = [Buffer.alloc(2), Buffer.alloc(2)] as const
  sizes[0].writeUInt16BE(name.length)
  sizes[1].writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([tag]), sizes[0], Buffer.from(name), sizes[1], Buffer.from(value)])
}

function integerAttribute(name: string, value: number): Buffer {
  const text = attribute(0x21, name, '\0\0\0\0')
  text.writeInt32BE(value, text.length - 4)
  return text
}

/** The first integer or enum of this name in an IPP answer. */
function integerIn(answer: Buffer, name: string): number | null {
  for (const tag of [0x21, 0x23]) {
    const key = Buffer.concat([Buffer.from([tag, 0, name.length]), Buffer.from(name), Buffer.from([0, 4])])
    const at = answer.indexOf(key)
    if (at >= 0) return answer.readInt32BE(at + key.length)
  }
  return null
}

/** Process ids of the programs that this one has started. */
function childrenOf(pid: number | undefined): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.split(' ').filter(Boolean).map(Number)
}
