// The counter outside the database: a small file with the last claim count of this machine's newest disk.
//
// Two slots of 512 bytes alternate, each written in one piece with a checksum: a write that a power cut interrupts leaves the other one.
import { createHash } from 'node:crypto'
import {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '#shared/code-of.ts'
import { replaceFile } from './durable-file.ts'

const proof = z.object({
  stream: z.string(),
  /** Created again each time when the database is bound to a machine. */
  binding: z.string(),
  /** Claims of tickets. */
  claims: z.number().int().min(0),
  /** Id of the machine. */
  machine: z.string(),
})
export type Proof = z.infer<typeof proof>
const slotContent = proof.extend({ turn: z.number().int().min(0) })
type SlotContent = z.infer<typeof slotContent>

/** `missing`: there is no file. `damaged`: neither slot can be read. */
export type ProofRead = Proof | 'missing' | 'damaged'

const SLOT_BYTES = 512
const SLOTS = 2
const CHECK_CHARS = 16

export class ProofFile {
  readonly path: string
  #file: number | null = null
  /** Syncs of the open file that have not ended. Each opening has its own count: the system may reuse the descriptor number. */
  #syncs = { left: 0 }
  #turn = 0
  /** What was written last. */
  #proof: Proof | null = null

  /** @param databasePath real path of the database: each has its own file */
  constructor(folder: string, databasePath: string) {
    const name = createHash('sha256').update(databasePath).digest('hex').slice(0, 16)
    this.path = join(folder, `newest-disk-${name}`)
  }

  /** The contents of the newer slot. @throws the system's error when the file exists and cannot be read */
  read(): ProofRead {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.path)
    } catch (error) {
      if (isMissing(error)) return 'missing'
      throw error
    }
    const slots = Array.from({ length: SLOTS }, (_, n) =>
      readSlot(bytes.subarray(n * SLOT_BYTES, (n + 1) * SLOT_BYTES)),
    )
    const newest = slots.filter((slot) => slot !== null).sort((a, b) => b.turn - a.turn)[0]
    if (!newest) return 'damaged'
    const { turn, ...said } = newest
    this.#turn = turn
    return said
  }

  /** Creates the file again. On disk when it returns. @throws the system's error */
  create(said: Proof): void {
    this.close()
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    this.#turn = 0
    replaceFile(this.path, Buffer.concat([slotOf({ ...said, turn: 0 }), Buffer.alloc(SLOT_BYTES, ' ')]))
    this.open(said)
  }

  /** Continues with the existing file. @throws the system's error */
  open(said: Proof): void {
    this.#file = openSync(this.path, 'r+')
    this.#syncs = { left: 0 }
    this.#proof = said
  }

  /** Written to the page cache when it returns; not synced. A power cut may lose it, so the file can be behind the database, never ahead. @throws the system's error */
  write(claims: number): void {
    if (this.#file === null || this.#proof === null) return
    this.#turn++
    this.#proof = { ...this.#proof, claims }
    const bytes = slotOf({ ...this.#proof, turn: this.#turn })
    writeSync(this.#file, bytes, 0, SLOT_BYTES, (this.#turn % SLOTS) * SLOT_BYTES)
  }

  /** @throws the system's error */
  sync(): void {
    if (this.#file !== null) fdatasyncSync(this.#file)
  }

  /**
   * Outside of the event loop. Some systems report a lost write once, here, and never at a later write.
   * @param failed gets the system's error; not called once the file is closed
   */
  syncSoon(failed: (error: Error) => void): void {
    const file = this.#file
    const syncs = this.#syncs
    if (file === null) return
    syncs.left++
    fdatasync(file, (error) => {
      syncs.left--
      const isOpen = this.#file !== null && this.#syncs === syncs
      if (error !== null && isOpen) failed(error)
      if (!isOpen && syncs.left === 0) close(file, () => undefined)
    })
  }

  /** Whether the file was deleted or replaced while it is open, so that writes are lost. @throws the system's error */
  get isGone(): boolean {
    if (this.#file === null) return false
    const open = fstatSync(this.#file)
    const there = statSync(this.path, { throwIfNoEntry: false })
    return there?.ino !== open.ino || there.dev !== open.dev
  }

  /** Creates it again, with the last written contents. @throws the system's error */
  renew(): void {
    if (this.#proof !== null) this.create(this.#proof)
  }

  /** Its contents are no longer true and cannot be corrected: a missing file proves nothing. @throws the system's error */
  remove(): void {
    this.close()
    rmSync(this.path, { force: true })
  }

  /** During a sync the system keeps the descriptor; otherwise another file could get its number, and the sync. */
  close(): void {
    if (this.#file !== null && this.#syncs.left === 0) closeSync(this.#file)
    this.#file = null
  }
}

function slotOf(content: SlotContent): Buffer {
  const text = JSON.stringify(content)
  return Buffer.from(`${checkOf(text)} ${text}`.padEnd(SLOT_BYTES - 1).concat('\n'))
}

function readSlot(bytes: Buffer): SlotContent | null {
  const line = bytes.toString('utf8').trimEnd()
  const text = line.slice(CHECK_CHARS + 1)
  if (text === '' || line.slice(0, CHECK_CHARS) !== checkOf(text)) return null
  const parsed = slotContent.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data : null
}

function checkOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, CHECK_CHARS)
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}
