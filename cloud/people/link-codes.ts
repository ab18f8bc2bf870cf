// Codes in links, after the `#`, which no server and no log ever gets: of invitations, and of the first sign-in.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '#cloud/storage/database.ts'
import type { EmailCodesTable } from '#cloud/storage/schema-people.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import { asId, type CodeId, isId, newId } from '#shared/ids.ts'
import type { PeopleParts } from './parts.ts'

export type LinkParts = Pick<PeopleParts, 'codes' | 'clock'>

export interface LinkOf {
  kind: 'invite' | 'welcome'
  emailNorm: string
  accountId: EmailCodesTable['account_id']
  role: EmailCodesTable['role']
  madeBy: string
  details: object
  validMs: number
}

/** @returns `code`: the code in the link, 49 characters; in clear, only here */
export async function makeLinkCode(
  tx: Tx,
  { codes, clock }: LinkParts,
  of: LinkOf,
): Promise<{ codeId: CodeId; code: string; expiresAtMs: number }> {
  const nowMs = clock.now()
  const codeId = newId('cod', nowMs)
  const secret = randomBytes(16).toString('base64url')
  const expiresAtMs = nowMs + of.validMs
  await codes.insert(tx, {
    id: codeId,
    email_norm: of.emailNorm,
    kind: of.kind,
    code_hash: hashOf(codeId, secret),
    details: JSON.stringify(of.details),
    account_id: of.accountId,
    role: of.role,
    made_by: of.madeBy,
    address: '',
    tries: 0,
    expires_at: expiresAtMs,
    used_at: null,
    created_at: nowMs,
  })
  return { codeId, code: `${codeId.slice('cod_'.length)}.${secret}`, expiresAtMs }
}

const CODE = /^([0-9a-z]{26})\.([\w-]{22})$/

/** The row of a link, whatever its state; locked when in a transaction. Null: the link does not exist, or was withdrawn. */
export async function findLinkCode(
  { codes }: Pick<LinkParts, 'codes'>,
  kind: LinkOf['kind'],
  { code, tx }: { code: string; tx?: Tx },
): Promise<EmailCodesTable | null> {
  const [, id = '', secret = ''] = CODE.exec(code.trim()) ?? []
  const codeId = `cod_${id}`
  if (!isId('cod', codeId)) return null
  const row = await codes.find(asId<'cod'>(codeId), tx)
  if (row === null || row.kind !== kind) return null
  return timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(hashOf(row.id, secret))) ? row : null
}

function hashOf(codeId: CodeId, secret: string): string {
  return sha256Hex(`link ${codeId} ${secret}`)
}
