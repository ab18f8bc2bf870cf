// Planted faults of sign-in at the dashboard: sessions, passwords, codes, passkeys, invitations, and who is left in an account.
import { type Mutant, unit } from './mutant.ts'

const SESSIONS = unit('cloud/people/sessions.test.ts')
const PASSWORDS = unit('cloud/people/password-sign-in.test.ts')
const CODES = unit('cloud/people/code-sign-in.test.ts')
const PASSKEYS = unit('cloud/people/passkeys.test.ts')
const INVITATIONS = unit('cloud/people/invitations.test.ts')

export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'people-an-owner-signs-others-out-everywhere',
    file: 'cloud/control/people-handlers.ts',
    original: 'if (others.length === 0 && user?.is_operator !== 1) await logins.endAll(tx, userId)',
    replacement: 'if (user !== null || others.length === 0) await logins.endAll(tx, userId)',
    harm: 'The owner of one restaurant signs a shared manager out of all others, as often as they like.',
    tests: unit('cloud/control/people.test.ts'),
  },
  {
    name: 'people-addresses-are-shown-to-staff',
    file: 'cloud/control/alert-handlers.ts',
    original: 'const people = mayChoose ? await',
    replacement: 'const people = mayChoose || doing.merchant === null ? await',
    harm: 'Whoever works at the counter reads the mail address of everybody in the account.',
    tests: unit('cloud/control/alerts.test.ts'),
  },
  {
    name: 'people-old-session-lives-on',
    file: 'cloud/people/begin-session.ts',
    original: 'if (visit.before !== null) await',
    replacement: 'if (visit.before !== null && visit.before.userId !== user.id) await',
    harm: 'A session that somebody planted in a browser is signed in by the sign-in of its owner.',
    tests: SESSIONS,
  },
  {
    name: 'people-idle-session-lives-on',
    file: 'cloud/people/signed-in.ts',
    original: 'Math.abs(nowMs - row.seen_at) > IDLE_MS || ',
    replacement: '',
    harm: 'A tablet that was left in the dining room shows the orders of all guests for a month.',
    tests: SESSIONS,
  },
  {
    name: 'people-forgotten-person-stays-in',
    file: 'cloud/people/signed-in.ts',
    original: '|| row.disabled_at !== null',
    replacement: '',
    harm: 'Whoever was removed goes on as before in the browsers where they are signed in.',
    tests: SESSIONS,
  },
  {
    name: 'people-new-password-ends-nothing',
    file: 'cloud/people/change-password.ts',
    original: 'await logins.endAll(tx, user.id)',
    replacement: 'void logins',
    harm: 'Whoever stole a session keeps it after its owner has set another password.',
    tests: SESSIONS,
  },
  {
    name: 'people-unknown-address-is-answered-at-once',
    file: 'cloud/people/password-sign-in.ts',
    original: 'const isRight = await passwords.matches(password, known?.password_hash ?? null)',
    replacement: 'const isRight = known !== null && (await passwords.matches(password, known.password_hash))',
    harm: 'By the time of the answer everybody learns who has an account here.',
    tests: PASSWORDS,
  },
  {
    name: 'people-operator-without-passkey',
    file: 'cloud/people/begin-session.ts',
    original: 'user.is_operator === 1 && keys > 0',
    replacement: 'user.is_operator > 1 && keys > 0',
    harm: 'A password that was read along opens all restaurants of the relay, though its owner has a passkey.',
    tests: PASSWORDS,
  },
  {
    name: 'people-code-is-good-twice',
    file: 'cloud/people/typed-codes.ts',
    original: 'row.used_at === null && ',
    replacement: '',
    harm: 'Whoever reads a mail later signs in with the code that its owner has used.',
    tests: CODES,
  },
  {
    name: 'people-code-may-be-guessed',
    file: 'cloud/people/typed-codes.ts',
    original: ' && row.tries < MOST_TRIES',
    replacement: '',
    harm: 'A code is tried until it is found.',
    tests: CODES,
  },
  {
    name: 'people-mail-without-end',
    file: 'cloud/people/typed-codes.ts',
    original: 'if (ofEmail.count >= PER_EMAIL)',
    replacement: 'if (ofEmail.count >= PER_ADDRESS)',
    harm: 'Anybody fills the mailbox of anybody with our codes, and mail servers refuse us.',
    tests: CODES,
  },
  {
    name: 'people-copied-passkey',
    file: 'cloud/people/passkeys.ts',
    original: 'counter <= key.counter',
    replacement: 'counter < 0',
    harm: 'A copy of a passkey signs in beside its owner, and nobody hears of it.',
    tests: PASSKEYS,
  },
  {
    name: 'people-passkey-answer-is-good-twice',
    file: 'cloud/people/passkey-questions.ts',
    original: 'if (!(await codes.spend(tx, sha256Hex(question.challenge), question.expiresAtMs))) throw late()',
    replacement: 'await codes.spend(tx, sha256Hex(question.challenge), question.expiresAtMs)',
    harm: 'Whoever sees the answer of a passkey that does not count signs in with it once more.',
    tests: PASSKEYS,
  },
  {
    name: 'people-question-of-another-kind',
    file: 'cloud/people/passkey-questions.ts',
    original: 'question?.purpose === bound.purpose && question.sessionId === bound.sessionId',
    replacement: 'question?.purpose !== undefined && bound.purpose !== undefined',
    harm: 'What a person signed for one thing is taken for another.',
    tests: PASSKEYS,
  },
  {
    name: 'people-invitation-for-somebody-else',
    file: 'cloud/people/invitations.ts',
    original: 'signedIn !== null && emailNorm(signedIn.email) !== row.email_norm',
    replacement: "signedIn !== null && signedIn.email === ''",
    harm: 'Who has signed in as another uses up an invitation that is not theirs.',
    tests: INVITATIONS,
  },
  {
    name: 'people-account-without-owner',
    file: 'cloud/control/people-handlers.ts',
    original: 'filter((owner) => owner !== userId)',
    replacement: "filter((owner) => owner !== '')",
    harm: 'The last owner leaves, and nobody can give the account on.',
    tests: unit('cloud/control/people.test.ts'),
  },
]
