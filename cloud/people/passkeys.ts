// Passkeys: add one, sign in with one, confirm an identity with one. A device signs the relay's challenge with its private key.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Tx } from '#cloud/storage/database.ts'
import type { PasskeysTable, UsersTable } from '#cloud/storage/schema-people.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import { newId } from '#shared/ids.ts'
import { beginSession, ELEVATED_MS, type Entered, isKnownDevice } from './begin-session.ts'
import { mailNewDevice, mailSignInChanged } from './mail.ts'
import type { PeopleParts, Visit } from './parts.ts'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from './passkey-shapes.ts'
import { PeopleRefusal } from './people-refusal.ts'
import type { SignedIn } from './signed-in.ts'

const MOST_PER_PERSON = 20
const RELAY_NAME = 'Ticketrail'
/** EdDSA, ES256, RS256 (COSE): what devices have. Named, because the library's own choice asks Node for what it calls experimental. */
const ALGORITHMS = [-8, -7, -257]

/** The signed-in person. */
export type Owner = Pick<SignedIn, 'userId' | 'sessionId' | 'name' | 'email'>

export interface Asked<O> {
  /** Goes back with the answer. */
  ticket: string
  options: O
}

export interface Answered {
  ticket: string
  response: AuthenticationResponseJSON
}

/** @param person null: anybody with a passkey here. @throws PeopleRefusal refused: not at this address */
export async function askPasskey(
  parts: PeopleParts,
  person: Owner | null,
): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
  const rpID = passkeyName(parts)
  const { challenge, ticket } = askQuestion(parts, boundTo(person))
  const keys = person === null ? [] : await parts.passkeys.ofUser(person.userId)
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: Buffer.from(challenge, 'base64url'),
    userVerification: 'required',
    allowCredentials: keys.map(named),
  })
  return { ticket, options }
}

/** @throws PeopleRefusal refused: unknown, wrong, copied, late */
export async function enterByPasskey(parts: PeopleParts, answered: Answered, visit: Visit): Promise<Entered> {
  const question = openQuestion(parts, answered.ticket, boundTo(null))
  const proof = await checkAnswer(parts, question, answered.response)
  const entered = await parts.db.unit(async (tx) => {
    const user = await use(tx, parts, { question, proof })
    if (!isKnownDevice(parts, user, visit.device)) await mailNewDevice(tx, parts, { user, visit, method: 'passkey' })
    return beginSession(tx, parts, { user, visit, method: 'passkey' })
  })
  parts.notices.changed.notify()
  return entered
}

/** @throws PeopleRefusal refused: unknown, of another person, wrong, copied, late */
export async function elevateByPasskey(parts: PeopleParts, person: Owner, answered: Answered): Promise<void> {
  const question = openQuestion(parts, answered.ticket, boundTo(person))
  const proof = await checkAnswer(parts, question, answered.response)
  await parts.db.unit(async (tx) => {
    const user = await use(tx, parts, { question, proof })
    if (user.id !== person.userId) throw unknownPasskey()
    await parts.logins.change(tx, person.sessionId, { elevated_until: parts.clock.now() + ELEVATED_MS })
  })
}

/** @throws PeopleRefusal refused: not at this address, or too many */
export async function askNewPasskey(
  parts: PeopleParts,
  person: Owner,
): Promise<Asked<PublicKeyCredentialCreationOptionsJSON>> {
  const rpID = passkeyName(parts)
  const keys = await parts.passkeys.ofUser(person.userId)
  if (keys.length >= MOST_PER_PERSON)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'passkey.too-many', values: { most: MOST_PER_PERSON } },
      `You have ${MOST_PER_PERSON} passkeys: remove one that you do not use.`,
    )
  const { challenge, ticket } = askQuestion(parts, { ...boundTo(person), purpose: 'add' })
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: RELAY_NAME,
    rpID,
    userID: Buffer.from(person.userId),
    userName: person.email,
    userDisplayName: person.name,
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: keys.map(named),
  })
  return { ticket, options }
}

/** @throws PeopleRefusal refused: wrong, late, known already */
export async function addPasskey(
  parts: PeopleParts,
  person: Owner,
  { ticket, response, name }: { ticket: string; response: RegistrationResponseJSON; name: string },
): Promise<PasskeysTable> {
  const question = openQuestion(parts, ticket, { ...boundTo(person), purpose: 'add' })
  const made = await checkNew(parts, question, response)
  const nowMs = parts.clock.now()
  const row: PasskeysTable = {
    id: newId('psk', nowMs),
    credential_id: made.credential.id,
    user_id: person.userId,
    public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
    counter: made.credential.counter,
    transports: JSON.stringify(made.credential.transports ?? []),
    backed_up: made.credentialBackedUp ? 1 : 0,
    name,
    created_at: nowMs,
    last_used_at: null,
  }
  await parts.db.unit(async (tx) => {
    await spendQuestion(tx, parts, question)
    if (!(await parts.passkeys.insert(tx, row)))
      throw new PeopleRefusal({ kind: 'refused', key: 'passkey.known' }, 'This passkey was added before.')
    const user = await parts.users.find(person.userId, tx)
    if (user !== null) await mailSignInChanged(tx, parts, { user, deed: 'passkey-added', name })
  })
  parts.notices.changed.notify()
  return row
}

interface Proof {
  credentialId: string
  counter: number
  isBackedUp: boolean
}

/** Checks the signature, the origin, the name that the key is bound to and the challenge. Changes nothing yet. */
async function checkAnswer(
  parts: PeopleParts,
  { challenge }: Question,
  response: AuthenticationResponseJSON,
): Promise<Proof> {
  const key = await parts.passkeys.byCredential(response.id)
  if (key === null) throw unknownPasskey()
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: parts.site().origin,
    expectedRPID: passkeyName(parts),
    // The counter is compared in the unit that writes it, so that two answers at once are not both taken.
    credential: { ...named(key), publicKey: Buffer.from(key.public_key, 'base64url'), counter: 0 },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw wrongAnswer(error)
  })
  if (!verified) throw wrongAnswer(null)
  return { credentialId: key.credential_id, counter: info.newCounter, isBackedUp: info.credentialBackedUp }
}

async function checkNew(parts: PeopleParts, { challenge }: Question, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await webauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    supportedAlgorithmIDs: ALGORITHMS,
    expectedChallenge: challenge,
    expectedOrigin: parts.site().origin,
    expectedRPID: passkeyName(parts),
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw wrongAnswer(error)
  })
  if (!verified) throw wrongAnswer(null)
  return registrationInfo
}

/** The person of the passkey, which has been used by this. @throws PeopleRefusal */
async function use(
  tx: Tx,
  parts: PeopleParts,
  { question, proof }: { question: Question; proof: Proof },
): Promise<UsersTable> {
  const { passkeys, users, clock, log } = parts
  await spendQuestion(tx, parts, question)
  const key = await passkeys.byCredential(proof.credentialId, tx)
  const user = key === null ? null : await users.find(key.user_id, tx)
  if (key === null || user === null || user.disabled_at !== null) throw unknownPasskey()
  if (wentBack(key, proof)) {
    log.warn({ passkeyId: key.id, userId: user.id }, 'the counter of a passkey went back: somebody may have copied it')
    throw new PeopleRefusal(
      { kind: 'refused', key: 'passkey.copied' },
      'This passkey may have been copied. Remove it, and add a new one.',
    )
  }
  await passkeys.change(
    tx,
    { userId: user.id, id: key.id },
    {
      counter: proof.counter,
      backed_up: proof.isBackedUp ? 1 : 0,
      last_used_at: clock.now(),
    },
  )
  return user
}

/** A device that does not count sends 0 each time. */
function wentBack(key: PasskeysTable, { counter }: Proof): boolean {
  return (key.counter > 0 || counter > 0) && counter <= key.counter
}

function boundTo(person: Owner | null): { purpose: 'sign-in' | 'elevate'; sessionId: string } {
  return person === null ? { purpose: 'sign-in', sessionId: '' } : { purpose: 'elevate', sessionId: person.sessionId }
}

/** @throws PeopleRefusal */
function passkeyName({ site }: PeopleParts): string {
  const { passkeyName: name } = site()
  if (name !== null) return name
  throw new PeopleRefusal(
    { kind: 'refused', key: 'passkey.not-here' },
    'Browsers refuse passkeys at this address: open the dashboard by https and by a name.',
  )
}

type Transport = NonNullable<PublicKeyCredentialRequestOptionsJSON['allowCredentials']>[number]['transports']

function named({ credential_id: id, transports }: PasskeysTable) {
  return { id, transports: JSON.parse(transports) as NonNullable<Transport> }
}

function unknownPasskey(): PeopleRefusal {
  return new PeopleRefusal(
    { kind: 'refused', key: 'passkey.unknown' },
    'This passkey is not known here, or it was removed. Sign in another way.',
  )
}

/** The library's reason is in English; the person can only try again. */
function wrongAnswer(cause: unknown): PeopleRefusal {
  return Object.assign(
    new PeopleRefusal({ kind: 'refused', key: 'passkey.wrong' }, 'The answer of this passkey is not right. Try again.'),
    { cause },
  )
}

/** The library that reads passkeys: it takes 68 MB of memory and half a second, so it is loaded when one is used. */
let library: Promise<typeof import('@simplewebauthn/server')> | null = null

function webauthn(): Promise<typeof import('@simplewebauthn/server')> {
  library ??= import('@simplewebauthn/server')
  return library
}

/** How long a question is good, and for one answer. */
const VALID_MS = 5 * 60_000

/** `sign-in`: any person. `elevate`, `add`: the signed-in person. */
type Purpose = 'sign-in' | 'elevate' | 'add'

interface Bound {
  purpose: Purpose
  /** The session that asks; empty for a sign-in. */
  sessionId: string
}

const sealedQuestion = z.strictObject({
  purpose: z.enum(['sign-in', 'elevate', 'add']),
  sessionId: z.string(),
  challenge: z.string(),
  expiresAtMs: z.number(),
})
type Question = z.output<typeof sealedQuestion>

type QuestionParts = Pick<PeopleParts, 'secretBox' | 'clock' | 'codes'>

/**
 * What a passkey is asked: a challenge. The relay keeps nothing of it until it is answered, so any relay of several can take the answer.
 * @returns `ticket`: comes back with the answer; only this installation can make or read it
 */
function askQuestion({ secretBox, clock }: QuestionParts, bound: Bound): { challenge: string; ticket: string } {
  const challenge = randomBytes(32).toString('base64url')
  const question: Question = { ...bound, challenge, expiresAtMs: clock.now() + VALID_MS }
  return { challenge, ticket: secretBox.seal(JSON.stringify(question)) }
}

/** @throws PeopleRefusal when it is none of ours, of something else, or too old */
function openQuestion({ secretBox, clock }: QuestionParts, ticket: string, bound: Bound): Question {
  const question = openedOrNull(secretBox, ticket)
  const isMeant = question?.purpose === bound.purpose && question.sessionId === bound.sessionId
  if (question === null || !isMeant || question.expiresAtMs <= clock.now()) throw late()
  return question
}

/** The answer counts from here on, and no other one to the same question. @throws PeopleRefusal when it was answered before */
async function spendQuestion(tx: Tx, { codes }: QuestionParts, question: Question): Promise<void> {
  if (!(await codes.spend(tx, sha256Hex(question.challenge), question.expiresAtMs))) throw late()
}

function openedOrNull(secretBox: PeopleParts['secretBox'], ticket: string): Question | null {
  try {
    return sealedQuestion.parse(JSON.parse(secretBox.open(ticket)))
  } catch {
    return null
  }
}

function late(): PeopleRefusal {
  return new PeopleRefusal({ kind: 'refused', key: 'passkey.late' }, 'This took too long. Try again.')
}
