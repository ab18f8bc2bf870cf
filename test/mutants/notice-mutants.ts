// Planted faults of the mail that leaves the relay.
import { type Mutant, rooms, unit } from './mutant.ts'

const WORKER = unit('cloud/notices/mail-worker.test.ts')
const SERVER = rooms('cloud/notices/mail-worker.room.test.ts')
const WATCH = unit('cloud/notices/alert-watch.test.ts')
const WORDS = unit('cloud/notices/texts/notice-text.test.ts')

export const NOTICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'notices-outbox-shows-codes',
    file: 'cloud/control/notice-handlers.ts',
    original: "withText && row.state === 'kept'",
    replacement: "row.state === 'kept'",
    harm: 'Whoever finds the browser of an operator open reads the code of anybody, and signs in as them.',
    tests: unit('cloud/control/notices.test.ts'),
  },
  {
    name: 'notices-sends-again-what-may-have-left',
    file: 'cloud/notices/smtp-transport.ts',
    original: "if (hasBegun) return { kind: 'uncertain'",
    replacement: "if (hasBegun) return { kind: 'later'",
    harm: 'The mail server took the mail and the answer was lost: the owner gets the same alert again and again.',
    tests: SERVER,
  },
  {
    name: 'notices-asks-a-server-that-refused-again',
    file: 'cloud/notices/smtp-transport.ts',
    original: 'isAboutMail && responseCode >= 500',
    replacement: 'isAboutMail && responseCode >= 600',
    harm: 'Mail to an address that is gone is tried for days, and the mail server takes the relay for a sender of spam.',
    tests: SERVER,
  },
  {
    name: 'notices-forgets-what-a-dead-relay-sent',
    file: 'cloud/storage/notice-store.ts',
    original: "ended('uncertain', 'interrupted', sql`state = 'sending'`)",
    replacement: "ended('uncertain', 'interrupted', sql`state = 'none'`)",
    harm: 'A relay is killed while it sends mail: the mail stands as being sent for ever, and nobody learns of it.',
    tests: WORKER,
  },
  {
    name: 'notices-two-relays-send-one',
    file: 'cloud/storage/notice-store.ts',
    original: "      .where('attempts', '=', attempts)\n      .where('state', '=', 'queued')\n",
    replacement: '',
    harm: 'A relay that stood still sends what another has sent meanwhile: the owner gets the mail twice.',
    tests: WORKER,
  },
  {
    name: 'notices-codes-wait-behind-alerts',
    file: 'cloud/storage/notice-store.ts',
    original: "      .orderBy('expires_at')\n",
    replacement: '',
    harm: 'After an outage thousands of alerts go first, and nobody can sign in because the codes come too late.',
    tests: WORKER,
  },
  {
    name: 'notices-a-name-becomes-markup',
    file: 'cloud/notices/texts/letter.ts',
    original: "    .replaceAll('<', '&lt;')\n",
    replacement: '',
    harm: 'Somebody names an account so that its invitation shows a link of his own, and people type their password there.',
    tests: WORDS,
  },
  {
    name: 'notices-a-name-becomes-a-header',
    file: 'cloud/notices/texts/letter.ts',
    original: "    .replaceAll(/[\\p{Cc}\\p{Zl}\\p{Zp}]+/gu, ' ')\n",
    replacement: '',
    harm: 'A line break in a name adds lines to the mail that its reader takes for ours.',
    tests: WORDS,
  },
  {
    name: 'alerts-begin-at-once',
    file: 'cloud/notices/alert-changes.ts',
    original: 'sinceMs + rule.afterMinutes * MINUTE_MS <= nowMs',
    replacement: 'sinceMs <= nowMs',
    harm: 'Each short interruption of the internet line sends two mails, and the owner no longer reads any.',
    tests: WATCH,
  },
  {
    name: 'alerts-end-when-the-relay-starts',
    file: 'cloud/notices/kitchen-looks.ts',
    original: "    unknown: unheard(alertFacts, 'unknown'),\n",
    replacement: '',
    harm: 'The relay is updated while a box is away: the owner reads that it is over, and a little later that it began.',
    tests: WATCH,
  },
  {
    name: 'alerts-two-relays-mail-one',
    file: 'cloud/storage/alert-store.ts',
    original: "      .where('begun_at', 'is', null)\n      .where('ended_at', 'is', null)\n      .executeTakeFirst()",
    replacement: '      .executeTakeFirst()',
    harm: 'While two relays both hold the watch for a moment, each owner gets every alert twice.',
    tests: WATCH,
  },
  {
    name: 'alerts-of-lesser-kinds-go-on',
    file: 'cloud/notices/alert-changes.ts',
    original: 'const isQuiet = isLess || ',
    replacement: 'const isQuiet = ',
    harm: 'An endpoint that was disabled is said to be well again in the same minute.',
    tests: WATCH,
  },
  {
    name: 'alerts-muted-are-mailed',
    file: 'cloud/notices/alert-changes.ts',
    original: 'mutedUntilMs !== null && mutedUntilMs > nowMs',
    replacement: 'mutedUntilMs !== null && mutedUntilMs > Number.MAX_SAFE_INTEGER',
    harm: 'An owner who rebuilds the kitchen mutes its alerts and gets them all the same.',
    tests: WATCH,
  },
]
