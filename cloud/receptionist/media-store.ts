// Recordings on the disk: each is a file that only this relay's master key opens. Names are ids, and say nothing about anybody.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { codeOf } from '#shared/code-of.ts'
import { isId, type VoicemailId } from '#shared/ids.ts'

/** Two minutes of the largest form that telephone companies give: 16 kHz, 16 bits, two channels; and an hour of a call at 8 kHz. */
export const MOST_AUDIO_BYTES = 64 * 1024 * 1024

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** First bytes of each file: another form gets another mark. */
const MARK = Buffer.from('TRM1', 'latin1')
const HEAD_BYTES = MARK.length + NONCE_BYTES + TAG_BYTES
/** A file that is being written, until it is whole. */
const UNFINISHED = '.new'

/**
 * Why a recording cannot be written or read. `missing`: there is no file; `altered`: it is not as it was written, or under another master key;
 * `too_large`; `no_space`: the disk or the quota is full; `unusable`: the folder or file cannot be used, such as for its rights.
 */
export type MediaFault = 'missing' | 'altered' | 'too_large' | 'no_space' | 'unusable'

export class MediaError extends Error {
  readonly fault: MediaFault

  constructor(fault: MediaFault, cause?: unknown) {
    super(`recording: ${fault}`, { cause })
    this.name = 'MediaError'
    this.fault = fault
  }
}

export class MediaStore {
  readonly #folder: string
  readonly #key: Buffer

  /** @param folder made when the first recording is written */
  constructor({ folder, secretBox }: { folder: string; secretBox: SecretBox }) {
    this.#folder = folder
    this.#key = secretBox.keyFor('recordings')
  }

  /** On disk when it resolves, with its name; one that was there is replaced. @throws MediaError */
  async write(id: VoicemailId, audio: Buffer): Promise<void> {
    if (audio.length > MOST_AUDIO_BYTES) throw new MediaError('too_large')
    const path = this.#path(id)
    // Two relays may write the same one: each has a name of its own until it is whole.
    const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await written(unfinished, this.#sealed(id, audio))
      await rename(unfinished, path)
      await syncFolder(this.#folder)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw faultOf(error)
    }
  }

  /** @throws MediaError */
  async read(id: VoicemailId): Promise<Buffer> {
    const path = this.#path(id)
    let bytes: Buffer
    try {
      const { size } = await stat(path)
      if (size > MOST_AUDIO_BYTES + HEAD_BYTES) throw new MediaError('too_large')
      bytes = await readFile(path)
    } catch (error) {
      throw faultOf(error)
    }
    return this.#opened(id, bytes)
  }

  /** One that is gone counts as deleted. @throws MediaError */
  async delete(id: VoicemailId): Promise<void> {
    try {
      await rm(this.#path(id), { force: true })
    } catch (error) {
      throw faultOf(error)
    }
  }

  /**
   * Deletes files of recordings whose sound was deleted, old files that nobody knows, and what a power cut left unfinished.
   * @param sound which of these recordings still have their sound; one that is not known is missing. Asked after the folder was read: a row
   *   is there before its file
   * @param unknownBeforeMs epoch ms: a file that nobody knows is deleted when it was written before. The database may be restored from an
   *   older copy, or be that of another relay: then its recordings are still to be heard
   * @param before names of unfinished files that an earlier sweep saw: what is written now is not touched
   * @returns how many were deleted, and the unfinished files that are left
   */
  async sweep(
    sound: (ids: readonly VoicemailId[]) => Promise<ReadonlyMap<VoicemailId, boolean>>,
    { unknownBeforeMs, before }: { unknownBeforeMs: number; before: ReadonlySet<string> },
  ): Promise<{ deleted: number; unfinished: ReadonlySet<string> }> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw faultOf(error)
    })
    const ids = names.flatMap((name) => (isId('vm', name) ? [name] : []))
    const known = ids.length === 0 ? new Map<VoicemailId, boolean>() : await sound(ids)
    const gone: string[] = []
    for (const id of ids) if (!(known.get(id) ?? !(await this.#isWrittenBefore(id, unknownBeforeMs)))) gone.push(id)
    const unfinished = names.filter((name) => name.endsWith(UNFINISHED))
    gone.push(...unfinished.filter((name) => before.has(name)))
    for (const name of gone) await rm(join(this.#folder, name), { force: true })
    return { deleted: gone.length, unfinished: new Set(unfinished.filter((name) => !before.has(name))) }
  }

  async #isWrittenBefore(id: VoicemailId, beforeMs: number): Promise<boolean> {
    const found = await stat(this.#path(id)).catch(() => null)
    return found !== null && found.mtimeMs < beforeMs
  }

  #path(id: VoicemailId): string {
    if (!isId('vm', id)) throw new Error('no id of a recording')
    return join(this.#folder, id)
  }

  /** Its id is part of what is authenticated: files cannot be exchanged. */
  #sealed(id: VoicemailId, audio: Buffer): Buffer[] {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(id))
    const sealed = [cipher.update(audio), cipher.final()]
    return [MARK, nonce, cipher.getAuthTag(), ...sealed]
  }

  #opened(id: VoicemailId, bytes: Buffer): Buffer {
    if (bytes.length < HEAD_BYTES || !bytes.subarray(0, MARK.length).equals(MARK)) throw new MediaError('altered')
    const nonce = bytes.subarray(MARK.length, MARK.length + NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(MARK.length + NONCE_BYTES, HEAD_BYTES))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()])
    } catch (error) {
      throw new MediaError('altered', error)
    }
  }
}

async function written(path: string, parts: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    // Not `write`: that may write less than it was given.
    for (const part of parts) await file.writeFile(part)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Its names are on disk only then. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function faultOf(error: unknown): MediaError {
  if (error instanceof MediaError) return error
  const code = codeOf(error)
  if (code === 'ENOENT') return new MediaError('missing', error)
  return new MediaError(['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? 'no_space' : 'unusable', error)
}
