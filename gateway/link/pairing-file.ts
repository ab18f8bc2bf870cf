// The pairing file: this gateway's id and its password. Readable by its own user only, replaced atomically, on disk before it is used.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { removeFile, replaceFile } from '#gateway/storage/durable-file.ts'
import { codeOf } from '#shared/code-of.ts'
import { parseJson } from '#shared/parse-json.ts'
import { type Pairing, pairing as pairingSchema } from '#shared/wire/gateway-link.ts'

export type StoredPairing =
  | { kind: 'paired'; pairing: Pairing }
  | { kind: 'unpaired' }
  /** It is there and cannot be used. `fields`: which of them; the values are secret. */
  | { kind: 'unusable'; fields: string[] }

/** A claim that was begun: if its answer never came, it is repeated with the same secret. */
export interface OpenClaim {
  code: string
  attempt: string
  relayUrl: string
  /** Wall clock, epoch ms; only as good as this machine's clock. */
  atMs: number
}

export class PairingFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  get path(): string {
    return this.#path
  }

  read(): StoredPairing {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      const isMissing = codeOf(error) === 'ENOENT'
      return isMissing ? { kind: 'unpaired' } : { kind: 'unusable', fields: ['the whole file'] }
    }
    const parsed = pairingSchema.safeParse(parseJson(text))
    if (parsed.success) return { kind: 'paired', pairing: parsed.data }
    return { kind: 'unusable', fields: parsed.error.issues.map(({ path }) => path.join('.') || 'the whole file') }
  }

  /** Differs whenever the file was written. Null while there is none. */
  mark(): string | null {
    try {
      const { mtimeMs, size, ino } = statSync(this.#path)
      return `${mtimeMs}/${size}/${ino}`
    } catch {
      return null
    }
  }

  /** Replaces it: after a power cut there is the old one or the new one. @throws when the disk does not take it */
  save(pairing: Pairing): void {
    replaceFile(this.#path, JSON.stringify(pairing, null, 2))
  }

  remove(): void {
    removeFile(this.#path)
  }

  /** Null when none is open, or when what is there cannot be read. */
  openClaim(): OpenClaim | null {
    try {
      const claim = parseJson(readFileSync(this.#claimPath, 'utf8')) as Partial<OpenClaim> | undefined
      const { code, attempt, relayUrl, atMs } = claim ?? {}
      if (typeof code !== 'string' || typeof attempt !== 'string') return null
      if (typeof relayUrl !== 'string' || typeof atMs !== 'number') return null
      return { code, attempt, relayUrl, atMs }
    } catch {
      return null
    }
  }

  saveClaim(claim: OpenClaim): void {
    replaceFile(this.#claimPath, JSON.stringify(claim))
  }

  endClaim(): void {
    rmSync(this.#claimPath, { force: true })
  }

  get #claimPath(): string {
    return `${this.#path}.claim`
  }
}
