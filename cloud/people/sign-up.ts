// Signs up a person with an account of the sandbox, its test merchants and its key. First a code goes to the address by mail.
import { z } from 'zod'
import { addSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { EmailCodesTable } from '#cloud/storage/schema-people.ts'
import type { AccountId, CodeId } from '#shared/ids.ts'
import { joined } from './audit.ts'
import { beginSession, type Entered } from './begin-session.ts'
import { hashOfChosen } from './choose-password.ts'
import { withCode } from './code-sign-in.ts'
import { companyName, emailField, emailNorm, languageField, personName } from './email.ts'
import { dashboardLink, mailTo } from './mail.ts'
import { insertPerson } from './new-person.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import { CODE_MINUTES, makeCode, type TypedCode } from './typed-codes.ts'

/** What is typed before the code is sent. */
const signUpDetails = z.object({
  email: emailField,
  name: personName,
  /** The restaurant or the company: the account's name. */
  company: companyName,
  language: languageField,
})
export type SignUpDetails = z.output<typeof signUpDetails>

export interface SignedUp extends Entered {
  accountId: AccountId
  /** Of the sandbox; in clear, this once. */
  apiKey: string
}

/** The answer is the same for a known address: its owner gets a mail about it. @throws PeopleRefusal throttled; refused: by invitation only */
export async function askSignUp(parts: PeopleParts, details: SignUpDetails, visit: Visit): Promise<CodeId> {
  if (parts.signUp !== 'open')
    throw new PeopleRefusal(
      { kind: 'refused', key: 'sign-up.invited' },
      'This relay takes people by invitation only: ask whoever runs it.',
    )
  const { email, language } = details
  const codeId = await parts.db.unit(async (tx) => {
    const made = await makeCode(tx, parts, { kind: 'sign-up', email, visit, details })
    const known = await parts.users.byEmail(emailNorm(email), tx)
    if (known === null) {
      const values = { purpose: 'sign-up' as const, code: made.code, minutes: CODE_MINUTES }
      await mailTo(tx, parts, { to: email, language, notice: { kind: 'code', values } })
    } else {
      const notice = { kind: 'already-known' as const, values: { link: dashboardLink(parts) } }
      await mailTo(tx, parts, { to: known.email, language: known.language, notice })
    }
    return made.codeId
  })
  parts.notices.changed.notify()
  return codeId
}

/** @throws PeopleRefusal wrong-code, throttled, invalid, busy, refused */
export async function finishSignUp(
  parts: PeopleParts,
  { password, ...code }: Pick<TypedCode, 'codeId' | 'code'> & { password: string | null },
  visit: Visit,
): Promise<SignedUp> {
  const typed = { ...code, kind: 'sign-up' as const }
  const prepare = async (row: EmailCodesTable): Promise<string | null> => {
    const { name, email, company } = detailsOf(row)
    return password === null ? null : hashOfChosen(parts, password, [name, email, company])
  }
  return withCode(parts, { typed, visit, prepare }, async (tx, row, passwordHash) => {
    const { company, ...person } = detailsOf(row)
    const user = await insertPerson(tx, parts, { ...person, passwordHash, isVerified: true, isOperator: false })
    if (user === null)
      throw new PeopleRefusal(
        { kind: 'refused', key: 'sign-up.known' },
        'Somebody has signed up with this address meanwhile: sign in.',
      )
    const { accountId, apiKey } = await addSandboxAccount(tx, parts, { name: company })
    await parts.memberships.put(tx, {
      user_id: user.id,
      account_id: accountId,
      role: 'owner',
      created_at: parts.clock.now(),
    })
    await joined(tx, parts, { user, accountId, action: 'account.sign-up', address: visit.address, role: 'owner' })
    const method = passwordHash === null ? 'code' : 'password'
    const entered = await beginSession(tx, parts, { user, visit, method })
    return { ...entered, accountId, apiKey }
  })
}

function detailsOf({ details }: EmailCodesTable): SignUpDetails {
  return signUpDetails.parse(JSON.parse(details))
}
