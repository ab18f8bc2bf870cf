// Splits an ESC/POS or Star byte stream into operations: text runs, and commands with exactly their parameters.
import { type CommandFamily, frameAt, isStar } from './command-lengths.ts'

/** Printable bytes, in the printer's code page. A run may be several operations if chunks split it. */
export interface TextOperation {
  kind: 'text'
  bytes: Uint8Array
}

export interface CommandOperation {
  kind: 'command'
  /** `ESC @`, `GS V`, `GS ( H`, `DLE EOT`, `LF`, ... A run of NUL bytes is one operation named `NUL`. */
  name: string
  /** The whole command, with code and parameters. */
  bytes: Uint8Array
  /** The bytes after the code; for `( x` commands, after pL pH. */
  params: Uint8Array
  /** True for DLE commands and Star's status requests: a printer executes them on arrival, also while it is offline. */
  realTime: boolean
  /** False for a code that no rule describes: its length is a guess. */
  known: boolean
}

export type Operation = TextOperation | CommandOperation

const NOTHING = new Uint8Array(0)

/** A streaming tokenizer. Chunks may be split anywhere, also inside a command; the operations are the same. */
export class EscposTokenizer {
  readonly #family: CommandFamily
  /** Star: after ESC * r A there is no text, only rows of dots. */
  #inRasterMode = false
  #pending: Uint8Array = NOTHING
  /** Minimum length of the pending command, so that a long image is not parsed again for each chunk. */
  #needed = 0
  readonly #chunks: Uint8Array[] = []
  #chunkBytes = 0

  constructor(options: { family?: CommandFamily } = {}) {
    this.#family = options.family ?? 'epson'
  }

  /** Number of bytes of an incomplete command. */
  get pendingBytes(): number {
    return this.#pending.length + this.#chunkBytes
  }

  /** Takes the next bytes and returns the operations that they complete. Bytes that are kept are copied. */
  push(chunk: Uint8Array): Operation[] {
    if (this.#pending.length + this.#chunkBytes + chunk.length < this.#needed) {
      this.#chunks.push(chunk.slice())
      this.#chunkBytes += chunk.length
      return []
    }
    return this.#scan(this.#join(chunk))
  }

  /** Drops and returns the pending bytes, as after a power failure or at the end of input. Resets modes too. */
  reset(): Uint8Array {
    this.#inRasterMode = false
    const rest = this.#join(NOTHING)
    this.#pending = NOTHING
    this.#needed = 0
    return rest
  }

  #join(chunk: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.pendingBytes + chunk.length)
    let at = 0
    for (const part of [this.#pending, ...this.#chunks, chunk]) {
      bytes.set(part, at)
      at += part.length
    }
    this.#chunks.length = 0
    this.#chunkBytes = 0
    return bytes
  }

  #scan(bytes: Uint8Array): Operation[] {
    const operations: Operation[] = []
    let at = 0
    this.#needed = 0
    while (at < bytes.length) {
      const end = this.#inRasterMode && bytes[at] !== 0 ? at : runEnd(bytes, at)
      if (end > at) {
        const run = bytes.subarray(at, end)
        operations.push(
          bytes[at] === 0 ? command('NUL', run, { paramsAt: 1, known: true }) : { kind: 'text', bytes: run },
        )
        at = end
        continue
      }
      const frame = frameAt(bytes, at, { family: this.#family, inRasterMode: this.#inRasterMode })
      if (frame === null || at + frame.length > bytes.length) {
        this.#needed = frame?.length ?? 0
        break
      }
      const operation = command(frame.name, bytes.subarray(at, at + frame.length), frame)
      if (isStar(this.#family)) this.#watchRasterMode(operation)
      operations.push(operation)
      at += frame.length
    }
    this.#pending = bytes.slice(at)
    return operations
  }

  /** ESC * r A enters raster mode, ESC * r B leaves it, ESC @ resets it. */
  #watchRasterMode({ name, params }: CommandOperation): void {
    if (name === 'ESC @' || (name === 'ESC * r' && params[0] === 0x42)) this.#inRasterMode = false
    if (name === 'ESC * r' && params[0] === 0x41) this.#inRasterMode = true
  }
}

/** End of the run of NUL or printable bytes at `at`; `at` itself if a command begins there. */
function runEnd(bytes: Uint8Array, at: number): number {
  let end = at
  if (bytes[at] === 0) {
    while (bytes[end] === 0) end++
    return end
  }
  while (end < bytes.length && isPrintable(bytes[end] ?? 0)) end++
  return end
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f
}

function command(
  name: string,
  bytes: Uint8Array,
  { paramsAt, known }: { paramsAt: number; known: boolean },
): CommandOperation {
  return {
    kind: 'command',
    name,
    bytes,
    params: bytes.subarray(Math.min(paramsAt, bytes.length)),
    realTime: name.startsWith('DLE ') || name === 'ESC ACK' || name === 'ENQ',
    known,
  }
}

/** All operations of a complete byte string. `rest`: the bytes of an incomplete command, normally empty. */
export function tokenize(
  bytes: Uint8Array,
  options: { family?: CommandFamily } = {},
): { operations: Operation[]; rest: Uint8Array } {
  const tokenizer = new EscposTokenizer(options)
  const operations = tokenizer.push(bytes)
  return { operations, rest: tokenizer.reset() }
}
