// Whether this disk is the newest that this machine has had. What waits on an older image, or on a copied card, may be on paper already.
//
// The database counts its claims and contains the machine to which it is bound; a file outside of it has the same. Order of the writes:
//   first start       file (synced), then database: a power cut between leaves a database that was never bound, and a file that agrees
//   each claim        database (synced), then file: the file is never ahead of the newest database
//   disk in doubt     database (marks and new binding, one transaction), then file: a power cut between leaves tickets that are marked
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { z } from 'zod'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { isSameMachine, type Machine, machineFacts } from './machine.ts'
import { MetaValues } from './meta-values.ts'
import { type Proof, ProofFile, type ProofRead } from './proof-file.ts'
import type { TicketDoor } from './ticket-door.ts'

/** The reason why a disk is not proven to be the newest. docs/operate-gateway.md explains each and what to do. */
export type Doubt = 'older-image' | 'another-machine' | 'another-database' | 'no-disk-proof' | 'disk-proof-unusable'

const binding = z.object({ id: z.string().min(1), machine: machineFacts })
type Binding = z.infer<typeof binding>
type FileAct = 'read' | 'written' | 'removed'
/** Matches no machine and no file. */
const UNREADABLE: Binding = { id: '-', machine: { id: '-', facts: ['-'] } }

/** The contents of a database and the file beside it at the start. */
export interface DiskFacts {
  stream: string
  claims: number
  /** Null: the database was never bound; it is new, or of a program without this feature. */
  bound: Binding | null
  file: ProofRead
  /** This machine, as it is now. */
  machine: Machine
}

export interface DiskProofOptions {
  door: TicketDoor
  /** Path of its database, which must exist. */
  databaseFile: string
  /** Outside the folder of the database; otherwise a copy of that folder would include the proof. */
  folder: string
  stream: string
  machine: Machine
  clock: Clock
  log: Logger
}

/** For so long after a claim a power cut may take it out of the file: an image of just that moment would then be taken for the newest. */
const SYNC_AFTER_MS = 250

/** The result of the check at the start: whether this disk is the newest of its machine. */
export interface DiskVerdict {
  /** Null: it is the newest, or nothing shows that it is not. */
  doubt: Doubt | null
  /** Waiting tickets that were marked. */
  marked: number
  /** Jobs of the relay that they belong to. */
  jobIds: readonly string[]
  /** Where the counter outside the database is. */
  proofFile: string
}

/** Null: what waits on this disk can be printed unmarked. */
export function doubtOf({ stream, claims, bound, file, machine }: DiskFacts): Doubt | null {
  if (bound !== null && !isSameMachine(bound.machine, machine)) return 'another-machine'
  if (file === 'damaged') return 'disk-proof-unusable'
  if (file === 'missing') return bound === null ? null : 'no-disk-proof'
  const expected = bound?.machine ?? machine
  if (file.machine !== expected.id) return 'another-machine'
  if (file.stream !== stream) return 'another-database'
  const isSameBinding = bound === null || file.binding === bound.id
  return isSameBinding && claims >= file.claims ? null : 'older-image'
}

export class DiskProof {
  readonly #options: DiskProofOptions
  readonly #file: ProofFile
  readonly #values: MetaValues<'bound'>
  #stopCounting: () => void = () => {}
  #machineId: string
  #bindingId = ''
  #cancelSync: Cancel | null = null

  constructor(options: DiskProofOptions) {
    this.#options = options
    this.#file = new ProofFile(options.folder, realpathSync(options.databaseFile))
    this.#values = new MetaValues(options.door.db)
    this.#machineId = options.machine.id
  }

  /**
   * The values for the relay. `machine` stays the same while the database is bound, whatever adapter is plugged in or removed; `disk` is
   * another one after each start at which the disk was in doubt: the relay then sends nothing unmarked that another disk may have.
   */
  get names(): { machine: string; disk: string } {
    return { machine: this.#machineId, disk: this.#bindingId }
  }

  /** Once, before anything else works with the database. Marks what waits when the disk is in doubt, and counts from then on. */
  prove(): DiskVerdict {
    const bound = this.#bound()
    let doubt = this.#compare(bound)
    if (doubt === null && bound !== null) doubt = this.#goOn(bound)
    else if (doubt === null) doubt = this.#bindFirst()
    const found = doubt === null ? { marked: 0, jobIds: [] } : this.#bindAnew()
    this.#stopCounting = this.#options.door.claims.counted.subscribe((total) => this.#write(total))
    if (doubt !== null) this.#log(doubt, found.marked)
    return { doubt, ...found, proofFile: this.#file.path }
  }

  /** Nothing is claimed any more. */
  stop(): void {
    this.#stopCounting()
    this.#cancelSync?.()
    this.#try('written', () => this.#file.sync())
    this.#file.close()
  }

  #compare(bound: Binding | null): Doubt | null {
    const { stream, door, machine } = this.#options
    let file: ProofRead = 'damaged'
    this.#try('read', () => {
      file = this.#file.read()
    })
    return doubtOf({ stream, claims: door.claims.total(), bound, file, machine })
  }

  /** The file may be behind, after a power cut. */
  #goOn(bound: Binding): Doubt | null {
    this.#bindingId = bound.id
    this.#machineId = bound.machine.id
    const isWritten = this.#try('written', () => {
      const said = this.#proofOf(bound)
      this.#file.open(said)
      this.#file.write(said.claims)
      this.#file.sync()
    })
    return isWritten ? null : 'disk-proof-unusable'
  }

  #bindFirst(): Doubt | null {
    const fresh = this.#freshBinding()
    if (!this.#try('written', () => this.#file.create(this.#proofOf(fresh)))) return 'disk-proof-unusable'
    this.#options.door.db.transaction(() => this.#values.put('bound', JSON.stringify(fresh)))
    return null
  }

  /** Marks everything that waits, in the transaction that binds the database to this machine. */
  #bindAnew(): { marked: number; jobIds: string[] } {
    const { door } = this.#options
    const fresh = this.#freshBinding()
    const found = door.db.transaction(() => {
      this.#values.put('bound', JSON.stringify(fresh))
      return door.markOpenAsDoubtful()
    })
    this.#machineId = fresh.machine.id
    // The one of the earlier binding would prove an image of that time.
    if (!this.#try('written', () => this.#file.create(this.#proofOf(fresh))))
      this.#try('removed', () => this.#file.remove())
    return found
  }

  #log(doubt: Doubt, marked: number): void {
    const { log } = this.#options
    const found = 'this disk is not proven to be the newest'
    if (marked === 0) log.info({ doubt }, `${found}; nothing waits on it`)
    else
      log.warn(
        { doubt, marked },
        `${found}; what waits on it prints as a possible duplicate, unless the relay has its result`,
      )
  }

  #write(total: number): void {
    if (this.#try('written', () => this.#file.write(total))) {
      this.#cancelSync ??= this.#options.clock.after(SYNC_AFTER_MS, () => {
        this.#cancelSync = null
        this.#keep()
      })
      return
    }
    this.#giveUp()
  }

  /** Syncs what was written; a file that somebody has deleted or replaced is created again. Called by a timer: never throws. */
  #keep(): void {
    if (!this.#try('written', () => this.#renewIfDeleted())) {
      this.#giveUp()
      return
    }
    this.#file.syncSoon((error) => {
      this.#complain('written', error)
      this.#giveUp()
    })
  }

  #renewIfDeleted(): void {
    if (!this.#file.isGone) return
    const { path } = this.#file
    this.#options.log.warn(
      { file: path },
      'the file that tells which disk is the newest was deleted or replaced; it is made anew',
    )
    this.#file.renew()
  }

  /** An outdated file would prove an older image. */
  #giveUp(): void {
    this.#stopCounting()
    this.#cancelSync?.()
    this.#cancelSync = null
    this.#try('removed', () => this.#file.remove())
  }

  #bound(): Binding | null {
    const text = this.#values.get('bound') ?? ''
    if (text === '') return null
    try {
      return binding.parse(JSON.parse(text))
    } catch {
      return UNREADABLE
    }
  }

  #freshBinding(): Binding {
    this.#bindingId = randomBytes(12).toString('hex')
    return { id: this.#bindingId, machine: this.#options.machine }
  }

  #proofOf({ id, machine }: Binding): Proof {
    const { stream, door } = this.#options
    return { stream, binding: id, claims: door.claims.total(), machine: machine.id }
  }

  #try(what: FileAct, act: () => void): boolean {
    try {
      act()
      return true
    } catch (error) {
      this.#complain(what, error)
      return false
    }
  }

  #complain(what: FileAct, error: unknown): void {
    this.#options.log.error(
      { file: this.#file.path, err: error },
      `the file that tells which disk is the newest could not be ${what}: after the next start what waits prints marked; check GATEWAY_PROOF_FOLDER`,
    )
  }
}
