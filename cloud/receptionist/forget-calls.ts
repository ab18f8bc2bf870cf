// Deletes what is old of calls: recordings, what was said, callers' numbers, requests for a table; and old files of recordings that nobody knows.
import type { CallerDataStore } from '#cloud/storage/caller-data-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import type { MediaStore } from './media-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Rows of one commit: a few milliseconds, so that no order waits long. */
const PIECE = 50

export interface ForgetCallsDeps {
  db: RelayDatabase
  callerData: CallerDataStore
  voicemails: VoicemailStore
  media: MediaStore
  audioDays: number
  textDays: number
  /** The deletion clock. */
  clock: Clock
  log: Logger
}

export class ForgetCalls extends Sweeps<ForgetCallsDeps> {
  #unfinished: ReadonlySet<string> = new Set()

  constructor(deps: ForgetCallsDeps) {
    super(deps, { everyMs: HOUR_MS, failed: 'what is old of calls could not be deleted' })
  }

  /** One pass over what is old. */
  override async sweep(): Promise<void> {
    const { callerData, voicemails, media, audioDays, textDays, clock, log } = this.deps
    const nowMs = clock.now()
    const beforeText = nowMs - textDays * DAY_MS
    const sound = await this.#each(nowMs - audioDays * DAY_MS, {
      find: (old) => callerData.oldSound(old),
      forget: (tx, ids) => callerData.forgetSound(tx, ids, nowMs),
      afterwards: async (ids) => {
        for (const id of ids) await media.delete(id)
      },
    })
    const texts = await this.#each(beforeText, {
      find: (old) => callerData.oldVoicemailTexts(old),
      forget: (tx, ids) => callerData.forgetVoicemailTexts(tx, ids, nowMs),
    })
    const calls = await this.#each(beforeText, {
      find: (old) => callerData.oldCalls(old),
      forget: (tx, ids) => callerData.forgetCalls(tx, ids, nowMs),
    })
    const old = { beforeMs: beforeText, limit: PIECE }
    while (!this.stopping && (await this.deps.db.unit((tx) => callerData.forgetTableRequests(tx, old))) > 0);
    const { deleted, unfinished } = await media.sweep((ids) => voicemails.haveSound(ids), {
      unknownBeforeMs: nowMs - audioDays * DAY_MS,
      before: this.#unfinished,
    })
    this.#unfinished = unfinished
    if (sound + texts + calls + deleted > 0)
      log.info({ recordings: sound, texts, calls, leftFiles: deleted }, 'what is old of calls was deleted')
  }

  /** In pieces, as long as a pass finds some. @returns how many */
  async #each<Id>(beforeMs: number, what: OldRows<Id>): Promise<number> {
    let count = 0
    while (!this.stopping) {
      const ids = await what.find({ beforeMs, limit: PIECE })
      if (ids.length === 0) break
      await this.deps.db.unit((tx) => what.forget(tx, ids))
      await what.afterwards?.(ids)
      count += ids.length
    }
    return count
  }
}

interface OldRows<Id> {
  find: (old: { beforeMs: number; limit: number }) => Promise<Id[]>
  forget: (tx: Tx, ids: readonly Id[]) => Promise<void>
  /** After the commit. What a power cut leaves of it the sweep of files finds. */
  afterwards?: (ids: readonly Id[]) => Promise<void>
}
