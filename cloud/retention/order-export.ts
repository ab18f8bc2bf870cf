// The export of orders that are about to be deleted: one compressed file of JSON lines a month. What it has answered is on disk and was read back.
import type { FileHandle } from 'node:fs/promises'
import { constants, open, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ExportPlace } from '#cloud/storage/order-archive-store.ts'
import { codeOf } from '#shared/code-of.ts'
import { ExportHold } from './export-hold.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Files that one month may have: more means that something else writes into the folder. */
const MAX_PARTS = 1_000
/** Whatever else writes into the file: existing contents are never overwritten. */
const APPEND = constants.O_RDWR | constants.O_APPEND

/** What was read back is not what was written. */
export class ExportNotProved extends Error {
  override readonly name = 'ExportNotProved'
}

/**
 * The files of a folder: `orders-2025-10.jsonl.gz`, then `orders-2025-10.2.jsonl.gz` and so on. Each piece is a gzip member of its own, so
 * `zcat` reads the file as one text. A file that does not end where the database has it (a power cut, a file that was moved away,
 * another program) is never written to again: the next number begins. One relay has the folder; if two have it all the same (a file
 * system without locks), neither overwrites or deletes what the other wrote.
 */
export class OrderExport {
  readonly #folder: string
  readonly #hold: ExportHold

  constructor(folder: string) {
    this.#folder = folder
    this.#hold = new ExportHold(folder)
  }

  /**
   * Makes the folder, and has it for this program alone from now on.
   * @throws ExportHeld when another has it, Error in words for the operator when it cannot be made or written to
   */
  async prepare(): Promise<void> {
    await this.#hold.take()
  }

  /** Another program may have the folder. */
  close(): void {
    this.#hold.letGo()
  }

  /**
   * Adds lines at the end of the month's file.
   * @param place its end in the database; null: nothing yet
   * @returns its new end. Until the database has that, too, these lines may be written once more.
   * @throws ExportHeld, or Error of the file system, ExportNotProved: the earlier contents of the file are unchanged
   */
  async append(month: string, place: ExportPlace | null, lines: readonly string[]): Promise<ExportPlace> {
    const text = Buffer.from(`${lines.join('\n')}\n`)
    const data = await compress(text)
    await this.prepare()
    const { file, part, from } = await this.#openAt(month, place)
    try {
      await writeAll(file, data)
      await file.sync()
      if (from === 0) await syncFolder(this.#folder)
      await prove(file, { from, data, text })
    } catch (error) {
      await undo(file, { path: this.pathOf(month, part), from, data })
      throw error
    } finally {
      await file.close()
    }
    return { month, part, bytes: from + data.length }
  }

  pathOf(month: string, part: number): string {
    return join(this.#folder, `orders-${month}${part === 1 ? '' : `.${part}`}.jsonl.gz`)
  }

  async #openAt(month: string, place: ExportPlace | null): Promise<{ file: FileHandle; part: number; from: number }> {
    if (place !== null && (await sizeOf(this.pathOf(month, place.part))) === place.bytes)
      return { file: await open(this.pathOf(month, place.part), APPEND), part: place.part, from: place.bytes }
    for (let part = (place?.part ?? 0) + 1; part <= MAX_PARTS; part++) {
      const file = await openNew(this.pathOf(month, part))
      if (file !== null) return { file, part, from: 0 }
    }
    throw new Error(`${dirname(this.pathOf(month, 1))} has ${MAX_PARTS} files of ${month}: what else writes there?`)
  }
}

/**
 * Removes what a failed write has left, if nothing else comes after `from`. If it does, or even that fails, the file is
 * longer than in the database and the next number begins.
 */
async function undo(
  file: FileHandle,
  { path, from, data }: { path: string; from: number; data: Buffer },
): Promise<void> {
  try {
    const { size } = await file.stat()
    const left = await readAt(file, from, Math.max(0, size - from))
    if (!left.equals(data.subarray(0, left.length)) || size !== from + left.length) return
    if (from === 0) await unlink(path)
    else await file.truncate(from)
  } catch {
    // The first error is the one to report.
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Null: there is one. */
async function openNew(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, APPEND | constants.O_CREAT | constants.O_EXCL, 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null
    throw error
  }
}

async function writeAll(file: FileHandle, data: Buffer): Promise<void> {
  for (let done = 0; done < data.length; ) done += (await file.write(data, done, data.length - done)).bytesWritten
}

/** A new name is on disk only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The piece stands at the end of the file, and expands to the very text. */
async function prove(
  file: FileHandle,
  { from, data, text }: { from: number; data: Buffer; text: Buffer },
): Promise<void> {
  const { size } = await file.stat()
  if (size !== from + data.length) throw new ExportNotProved(`the file has ${size} bytes and not ${from + data.length}`)
  const back = await readAt(file, from, data.length)
  if (!back.equals(data)) throw new ExportNotProved('other bytes were read back than written')
  if (!text.equals(await expand(back))) throw new ExportNotProved('the piece does not expand to its lines')
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, from)
  return buffer.subarray(0, bytesRead)
}
