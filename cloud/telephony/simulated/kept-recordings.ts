// Recordings of simulated calls, until they are fetched: sealed files in a folder of their own, so that a restart and another relay on the same folder have them too.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TelephonyError } from '#cloud/telephony/telephony.ts'

export interface KeptRecordingsDeps {
  /** Made when the first is kept. */
  folder: string
  seal: (text: string) => string
  /** @throws when it was altered */
  open: (sealed: string) => string
}

/** Of the form of the vendor's ids. */
const RECORDING_ID = /^RE[0-9a-f]{32}$/

export class KeptRecordings {
  readonly #deps: KeptRecordingsDeps

  constructor(deps: KeptRecordingsDeps) {
    this.#deps = deps
  }

  /** One with the same id is replaced. */
  async keep(id: string, wav: Buffer): Promise<void> {
    const { folder, seal } = this.#deps
    if (!RECORDING_ID.test(id)) throw new Error('no id of a recording')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, id), seal(wav.toString('base64')), { mode: 0o600 })
  }

  /** @throws TelephonyError */
  async fetch(id: string): Promise<Buffer> {
    const { folder, open } = this.#deps
    const sealed = RECORDING_ID.test(id) ? await readFile(join(folder, id), 'utf8').catch(() => null) : null
    if (sealed === null) throw new TelephonyError('not_found')
    return Buffer.from(open(sealed), 'base64')
  }

  /** One that is gone counts as deleted. */
  async delete(id: string): Promise<void> {
    if (RECORDING_ID.test(id)) await rm(join(this.#deps.folder, id), { force: true })
  }
}
