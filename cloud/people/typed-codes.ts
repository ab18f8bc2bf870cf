// Codes that are sent by mail and typed in at the dashboard: eight characters, good for fifteen minutes and five tries.
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Tx } from '#cloud/storage/database.ts'
import { holdNames } from '#cloud/storage/hold.ts'
import type { EmailCodesTable } from '#cloud/storage/schema-people.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import { type CodeId, newId } from '#shared/ids.ts'
import { CLAIM_ALPHABET } from '#shared/wire/gateway-claim.ts'
import { emailNorm } from './email.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'

export type TypedKind = 'sign-up' | 'sign-in' | 'reset'

const CHARACTERS = 8
export const CODE_MINUTES = 15
const MOST_TRIES = 5
const HOUR_MS = 3_600_000
const PER_EMAIL = 5
const PER_ADDRESS = 20

export interface MadeCode {
  codeId: CodeId
  /** `7K2M-9XQ4`: as people read it; in clear, this once. */
  code: string
}

interface Wanted {
  kind: TypedKind
  email: string
  visit: Visit
  /** A browser with which the person signed in before counts separately, so that others who request codes in their name cannot lock them out. */
  ownDevice?: string | null
  details?: object
}

/**
 * Makes a code, whether anybody has the address or not: the caller sends it, or does not.
 * @param details what the person typed with it, without secrets
 * @throws PeopleRefusal throttled: too many were asked for
 */
export async function makeCode(
  tx: Tx,
  { codes, secretBox, clock }: PeopleParts,
  { kind, email, visit, ownDevice = null, details = {} }: Wanted,
): Promise<MadeCode> {
  const nowMs = clock.now()
  const address = ownDevice === null ? visit.countedAs : `device ${sha256Hex(ownDevice)}`
  const of = { emailNorm: emailNorm(email), address }
  await holdNames(tx, [
    ['code', of.emailNorm],
    ['code', of.address],
  ])
  const { ofEmail, ofAddress } = await codes.asked(tx, { ...of, sinceMs: nowMs - HOUR_MS })
  if (ownDevice === null && ofEmail.count >= PER_EMAIL) throw tooMany(ofEmail.firstMs + HOUR_MS - nowMs)
  if (ofAddress.count >= (ownDevice === null ? PER_ADDRESS : PER_EMAIL))
    throw tooMany(ofAddress.firstMs + HOUR_MS - nowMs)
  const codeId = newId('cod', nowMs)
  const code = Array.from({ length: CHARACTERS }, () => CLAIM_ALPHABET.charAt(randomInt(32))).join('')
  await codes.insert(tx, {
    id: codeId,
    email_norm: of.emailNorm,
    kind,
    code_hash: hashOf(secretBox, codeId, code),
    details: JSON.stringify(details),
    account_id: null,
    role: null,
    made_by: null,
    address: of.address,
    tries: 0,
    expires_at: nowMs + CODE_MINUTES * 60_000,
    used_at: null,
    created_at: nowMs,
  })
  return { codeId, code: `${code.slice(0, 4)}-${code.slice(4)}` }
}

function tooMany(waitMs: number): PeopleRefusal {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000))
  return new PeopleRefusal(
    { kind: 'throttled', key: 'session.mails', values: { minutes }, retryAfterSeconds: minutes * 60 },
    `Too many codes were asked for: wait ${minutes} min, or use the last one.`,
  )
}

export interface TypedCode {
  kind: TypedKind
  codeId: CodeId
  /** As it was typed. */
  code: string
}

export type CodeCheck = { kind: 'right'; row: EmailCodesTable } | { kind: 'wrong'; left: number } | { kind: 'ended' }

/** Checks without counting: work that takes long is begun for the right code only. */
export async function peekCode(parts: PeopleParts, typed: TypedCode): Promise<EmailCodesTable | null> {
  const row = await parts.codes.find(typed.codeId)
  return row !== null && isOpen(parts, row, typed) && isRight(parts, row, typed) ? row : null
}

/** The right one is used up by this, a wrong one counts: whatever is answered must be committed. */
export async function useCode(tx: Tx, parts: PeopleParts, typed: TypedCode): Promise<CodeCheck> {
  const row = await parts.codes.find(typed.codeId, tx)
  if (row === null || !isOpen(parts, row, typed)) return { kind: 'ended' }
  if (isRight(parts, row, typed)) {
    await parts.codes.change(tx, row.id, { used_at: parts.clock.now() })
    return { kind: 'right', row }
  }
  const tries = row.tries + 1
  await parts.codes.change(tx, row.id, { tries })
  return tries < MOST_TRIES ? { kind: 'wrong', left: MOST_TRIES - tries } : { kind: 'ended' }
}

export function refusalOf(check: Exclude<CodeCheck, { kind: 'right' }>): PeopleRefusal {
  return check.kind === 'wrong'
    ? new PeopleRefusal(
        { kind: 'wrong-code', key: 'session.wrong-code', values: { left: check.left }, field: 'code' },
        `That is not the code. Look again: ${check.left} ${check.left === 1 ? 'try is' : 'tries are'} left.`,
      )
    : new PeopleRefusal(
        { kind: 'wrong-code', key: 'session.code-ended', field: 'code' },
        'This code has expired, was used, or was typed wrong too often. Ask for another.',
      )
}

function isOpen({ clock }: PeopleParts, row: EmailCodesTable, { kind }: TypedCode): boolean {
  return row.kind === kind && row.used_at === null && row.expires_at > clock.now() && row.tries < MOST_TRIES
}

function isRight({ secretBox }: PeopleParts, row: EmailCodesTable, { code }: TypedCode): boolean {
  return timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(hashOf(secretBox, row.id, asStored(code))))
}

/** Any case, spaces, hyphens, o for 0, i and l for 1. */
function asStored(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** Not a plain hash: forty bits are found by trying. */
function hashOf(secretBox: PeopleParts['secretBox'], codeId: CodeId, code: string): string {
  return secretBox.mac('email code', `${codeId} ${code}`)
}
