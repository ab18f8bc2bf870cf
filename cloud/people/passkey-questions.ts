// What a passkey is asked: a challenge that is good for one answer and five minutes. The relay keeps nothing of it until it is answered, so any relay of several can take the answer.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Tx } from '#cloud/storage/database.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { PeopleParts } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'

const VALID_MS = 5 * 60_000

/** `sign-in`: any person. `elevate`, `add`: the signed-in person. */
export type Purpose = 'sign-in' | 'elevate' | 'add'

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
export type Question = z.output<typeof sealedQuestion>

type QuestionParts = Pick<PeopleParts, 'secretBox' | 'clock' | 'codes'>

/** @returns `ticket`: comes back with the answer; only this installation can make or read it */
export function askQuestion({ secretBox, clock }: QuestionParts, bound: Bound): { challenge: string; ticket: string } {
  const challenge = randomBytes(32).toString('base64url')
  const question: Question = { ...bound, challenge, expiresAtMs: clock.now() + VALID_MS }
  return { challenge, ticket: secretBox.seal(JSON.stringify(question)) }
}

/** @throws PeopleRefusal when it is none of ours, of something else, or too old */
export function openQuestion({ secretBox, clock }: QuestionParts, ticket: string, bound: Bound): Question {
  const question = openedOrNull(secretBox, ticket)
  const isMeant = question?.purpose === bound.purpose && question.sessionId === bound.sessionId
  if (question === null || !isMeant || question.expiresAtMs <= clock.now()) throw late()
  return question
}

/** The answer counts from here on, and no other one to the same question. @throws PeopleRefusal when it was answered before */
export async function spendQuestion(tx: Tx, { codes }: QuestionParts, question: Question): Promise<void> {
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
