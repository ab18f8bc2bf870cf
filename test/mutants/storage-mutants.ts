// Planted faults of the relay's storage and of what both programs share of it: full disks, foreign locks, damage, rights.
import { type Mutant, rooms, unit } from './mutant.ts'

export const STORAGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'full-unknown-commit-counts-as-undone',
    file: 'shared/sqlite-fault.ts',
    original: "error.code === 'SQLITE_FULL'",
    replacement: '/^SQLITE_(FULL|IOERR)/.test(error.code)',
    harm: 'An order that was refused with 503 stands on disk all the same after a restart, and prints twice.',
    tests: unit('shared/sqlite-fault.test.ts'),
  },
  {
    name: 'modes-of-the-group-stay',
    file: 'shared/disk/file-modes.ts',
    original: 'EVERYBODY_ELSE = 0o077',
    replacement: 'EVERYBODY_ELSE = 0o007',
    harm: "The users of a group read customers' telephone numbers in the write-ahead log.",
    tests: unit('shared/disk/file-modes.test.ts'),
  },
  {
    name: 'full-gate-never-closes',
    file: 'cloud/storage/storage-gate.ts',
    original: "if (this.#full !== null && !this.#mayTry) return new StorageRefusal('full')",
    replacement: "if (this.#full !== null && this.#damaged !== null) return new StorageRefusal('full')",
    harm: 'On a full disk every call of every worker is tried and rolled back, together with its neighbours.',
    tests: unit('cloud/storage/sqlite/full-disk.test.ts'),
  },
  {
    name: 'full-commit-ends-the-relay',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: 'if (!isUndoneCommit(error)) {',
    replacement: 'if (isUndoneCommit(error) || error instanceof Error) {',
    harm: 'A full disk ends the relay, which starts and ends again until somebody makes room.',
    tests: unit('cloud/storage/sqlite/full-disk.test.ts'),
  },
  {
    name: 'full-swallowed-error-is-confirmed',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: 'const refusal = this.#release() ?? this.#undone()',
    replacement: 'const refusal = this.#release()',
    harm: 'Orders of a transaction that SQLite gave up are answered 200 and stand nowhere.',
    tests: unit('cloud/storage/sqlite/full-disk.test.ts'),
  },
  {
    name: 'full-group-is-told-and-not-undone',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: `      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    } catch (error) {`,
    replacement: `      if (group.length === 0 && this.#db.inTransaction) this.#db.exec('ROLLBACK')
    } catch (error) {`,
    harm: 'Orders that were refused go on disk with the next COMMIT, or no unit is ever taken again.',
    tests: unit('cloud/storage/sqlite/full-disk.test.ts'),
  },
  {
    name: 'full-statements-outside-of-a-transaction',
    file: 'cloud/storage/sqlite/sqlite-connection.ts',
    original: "if (!this.#db.inTransaction) throw new StorageRefusal('undone')",
    replacement: '',
    harm: 'What a unit writes after SQLite gave it up is on disk though its caller was told that nothing was kept.',
    tests: unit('cloud/storage/sqlite/sqlite-database.test.ts'),
  },
  {
    name: 'lock-leaves-an-old-snapshot',
    file: 'cloud/storage/sqlite/sqlite-connection.ts',
    original: `        this.leaveSnapshot()
        if (isLocked(again)) return null`,
    replacement: '        if (isLocked(again)) return null',
    harm: 'A read that had to wait for a lock does not see a key that was revoked meanwhile.',
    tests: unit('cloud/storage/sqlite/snapshot-age.test.ts'),
  },
  {
    name: 'lock-wait-begins-anew-for-each',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: 'await untilUnlocked(this.#options.clock, attempt, { sinceMs })',
    replacement: 'await untilUnlocked(this.#options.clock, attempt, { sinceMs: Number.POSITIVE_INFINITY })',
    harm: 'Under a lock that stays no call is ever answered.',
    tests: unit('cloud/storage/sqlite/foreign-lock.test.ts'),
  },
  {
    name: 'lock-wait-begins-at-the-turn',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: `    const sinceMs = this.#options.clock.monotonicMs()
    this.#check()
    if (this.#held) await this.#wait()
`,
    replacement: `    this.#check()
    if (this.#held) await this.#wait()
    const sinceMs = this.#options.clock.monotonicMs()
`,
    harm: 'Under a lock each call waits its three seconds after those of all calls before it.',
    tests: unit('cloud/storage/sqlite/foreign-lock.test.ts'),
  },
  {
    name: 'lock-probe-keeps-the-lock',
    file: 'cloud/storage/sqlite/group-commit.ts',
    original: "if (this.#tryBegin()) this.#db.exec('ROLLBACK')",
    replacement: 'this.#tryBegin()',
    harm: 'After a lock of another program the relay holds one itself for ever, and stores nothing.',
    tests: unit('cloud/storage/sqlite/foreign-lock.test.ts'),
  },
  {
    name: 'damage-is-served-unnoticed',
    file: 'cloud/storage/sqlite/open-file.ts',
    original: "if (found !== 'ok') throw",
    replacement: "if (found === '') throw",
    harm: 'A relay serves a damaged database until something falls over it.',
    tests: unit('cloud/storage/sqlite/open-file.test.ts'),
  },
  {
    name: 'replicas-lease-is-taken-from-the-living',
    file: 'cloud/storage/replica-store.ts',
    original: "where('until', '<', nowMs)",
    replacement: "where('until', 'is not', null)",
    harm: 'Two relays print the sandbox, delete old orders and write invoices at the same time.',
    tests: rooms('cloud/replica/replicas.room.test.ts'),
  },
  {
    name: 'replicas-frozen-one-holds-for-ever',
    file: 'cloud/replica/replica.ts',
    original: 'return this.#held.has(name) && this.#deps.clock.monotonicMs() < this.#sureUntilMs',
    replacement: 'return this.#held.has(name)',
    harm: 'A relay that the database cannot be reached from goes on with what another one has taken over.',
    tests: rooms('cloud/replica/replicas.room.test.ts'),
  },
  {
    name: 'replicas-echo',
    file: 'cloud/replica/wake-ups.ts',
    original: 'if (this.#isForeign) return',
    replacement: 'if (this.#isForeign && word.length === 0) return',
    harm: 'Two relays tell each other of one order for ever.',
    tests: rooms('cloud/replica/wake-ups.room.test.ts'),
  },
]
