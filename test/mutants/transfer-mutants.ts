// Planted faults of the move from SQLite to PostgreSQL, and of what is looked for in a database there.
import type { Mutant, NamedTests } from './mutant.ts'

const onPostgres = (...files: string[]): NamedTests => ({ project: 'pg-rooms', files })
const MOVE = onPostgres('cloud/transfer/move-database.room.test.ts')
const COMMANDS = onPostgres('cloud/admin/server-commands.room.test.ts')

export const TRANSFER_MUTANTS: readonly Mutant[] = [
  {
    name: 'move-compares-only-counts',
    file: 'cloud/transfer/move-database.ts',
    original: 'found.hex !== wanted.hex',
    replacement: 'false',
    harm: 'A server that changes rows on their way is not noticed, and the relay goes on with other orders than it had.',
    tests: MOVE,
  },
  {
    name: 'move-notes-only-what-it-has-heard',
    file: 'cloud/transfer/move-database.ts',
    original: 'note.moving(number, nowMs)',
    replacement: 'note.numberOfUnknown()',
    harm: 'The answer of the COMMIT is lost, a relay starts on the file, and another on PostgreSQL: both print its orders.',
    tests: MOVE,
  },
  {
    name: 'move-takes-any-move-for-its-own',
    file: 'cloud/transfer/target-server.ts',
    original: "marks.get('moveNumber') === ownMove",
    replacement: "marks.has('moveNumber')",
    harm: 'A file whose move was not done is said to be moved, because another one was: its orders are left behind.',
    tests: MOVE,
  },
  {
    name: 'move-keeps-limits-of-time',
    file: 'cloud/transfer/target-server.ts',
    original: "for (const limit of ['statement_timeout', 'lock_timeout',",
    replacement: "for (const limit of ['lock_timeout',",
    harm: 'A database with a limit of time for its statements never takes a large relay over.',
    tests: MOVE,
  },
  {
    name: 'move-numbers-from-one-again',
    file: 'cloud/transfer/target-server.ts',
    original: 'newest < 1',
    replacement: 'newest >= 0',
    harm: 'The first order after the move gets a number that an old one has, and is refused with an error.',
    tests: MOVE,
  },
  {
    name: 'move-forgets-where-followers-are',
    file: 'cloud/transfer/target-server.ts',
    original: '[head, forgotten],',
    replacement: '[forgotten, forgotten],',
    harm: 'Followers of the events get 410 after the move, and positions are given a second time.',
    tests: MOVE,
  },
  {
    name: 'move-beside-a-relay',
    file: 'cloud/transfer/target-server.ts',
    original: "application_name like 'ticketrail/%'",
    replacement: "application_name like 'nobody/%'",
    harm: 'The move goes on beside a relay that takes orders on the same database.',
    tests: MOVE,
  },
  {
    name: 'moved-file-starts-again',
    file: 'cloud/storage/sqlite/sqlite-database.ts',
    original: 'if (existsSync(movedFile(file)))',
    replacement: 'if (file === movedFile(file))',
    harm: 'A relay without DATABASE_URL goes on from the file that was moved, and both print the same orders.',
    tests: MOVE,
  },
  {
    name: 'verify-counts-no-numbers',
    file: 'cloud/backup/server-faults.ts',
    original: 'if (newest > given)',
    replacement: 'if (newest > given + 1_000_000)',
    harm: 'A restore with counters below their rows passes, and orders are refused once the relay runs.',
    tests: COMMANDS,
  },
]
