// users: people of the dashboard, its operators, and the first sign-in of an account's owner.
import { z } from 'zod'
import { audited } from '#cloud/control/context.ts'
import { perform } from '#cloud/control/perform.ts'
import { requireAccount } from '#cloud/control/require.ts'
import { ROLES } from '#cloud/control/roles.ts'
import { emailField, emailNorm, languageField, personName } from '#cloud/people/email.ts'
import { siteOf, USUAL_SITE } from '#cloud/people/site.ts'
import { welcomeLink } from '#cloud/people/welcome.ts'
import { LineError } from '#shared/cli/command.ts'
import { toIso } from '#shared/clock.ts'
import { allPages } from './all-pages.ts'
import { type Command, defineCommand } from './command.ts'
import { type AdminContext, consoleAct } from './context.ts'
import { accountField } from './fields.ts'
import { facts, table } from './print.ts'

const EXAMPLE_ACCOUNT = 'acc_01jd3k5v8wz9x0y1a2b3c4d5e6'

const email = emailField.describe('Mail address of the person')

export const peopleCommands: readonly Command[] = [
  defineCommand({
    name: 'users list',
    summary: 'Everybody who signs in to the dashboard, with their accounts',
    options: {},
    example: '',
    run: async (context) => {
      const data = await allPages(async (cursor) => {
        const raw = { limit: 100, ...(cursor === null ? {} : { cursor }) }
        const page = await perform(context, consoleAct(), { name: 'op.people', raw })
        return { rows: page.data, next: page.nextCursor }
      })
      const rows = data.map(({ accounts, ...person }) => ({
        ...person,
        accounts: accounts.map(({ accountId, role }) => `${accountId} ${role}`),
      }))
      return { data, text: table(rows, 'Nobody yet: `users invite --email ... --operator` begins.') }
    },
  }),

  defineCommand({
    name: 'users invite',
    summary: 'A link by which somebody becomes a member of an account, or one of those who run the relay',
    options: {
      email,
      operator: z.boolean().default(false).describe('To run the relay at the dashboard'),
      account: accountField.optional(),
      role: z
        .enum(ROLES)
        .optional()
        .describe(`In the account: ${ROLES.join(', ')}`),
      language: languageField.default('en').describe('Language of the mail'),
    },
    example: `--email ana@example.com --account ${EXAMPLE_ACCOUNT} --role owner`,
    run: async (context, { operator, account, role, ...to }) => {
      const isOfAccount = account !== undefined && role !== undefined
      if (operator === isOfAccount || (operator && (account ?? role) !== undefined))
        throw new LineError('Say what for: --operator alone, or --account with --role.')
      const raw = operator ? { ...to, operator } : { ...to, accountId: account, role }
      const data = await perform(context, consoleAct(account ?? null), { name: 'op.people.invite', raw })
      const mail = context.sendsMail ? 'It goes by mail too.' : 'No mail leaves this relay: hand the link over.'
      return { data, text: `${facts({ ...data })}\n\nGood for 7 days, once, for this address. ${mail}` }
    },
  }),

  defineCommand({
    name: 'users remove',
    summary: 'Forget a person: name, address, passkeys and memberships go at once',
    options: { email },
    example: '--email ana@example.com',
    run: async (context, { email: typed }) => {
      const user = await context.users.byEmail(emailNorm(typed))
      if (user === null) throw new LineError(`There is no person ${typed}. \`users list\` shows all.`)
      const data = await perform(context, consoleAct(), { name: 'op.people.remove', raw: { userId: user.id } })
      return { data, text: `${typed} is forgotten. The audit log keeps the id ${data.userId} alone.` }
    },
  }),

  defineCommand({
    name: 'users welcome',
    summary: "A link that signs in an account's owner, once, within a day",
    options: {
      account: accountField,
      email: emailField
        .default('owner@ticketrail.example')
        .describe('Of the owner that is made if the account has none'),
      name: personName.default('Owner').describe('Name of that owner'),
    },
    example: `--account ${EXAMPLE_ACCOUNT}`,
    run: async (context, { account, ...owner }) => {
      await requireAccount(context, account)
      const made = await welcome(context, { accountId: account, owner })
      const data = { userId: made.userId, email: made.email, link: made.link, expiresAt: toIso(made.expiresAtMs) }
      return { data, text: `${facts(data)}\n\nWhoever opens it first is signed in as this person.` }
    },
  }),
]

/** Not an operation of the dashboard: there, nobody signs in as another person. */
function welcome(context: AdminContext, of: Pick<Parameters<typeof welcomeLink>[2], 'accountId' | 'owner'>) {
  const { site = () => siteOf(USUAL_SITE) } = context
  return context.db.unit(async (tx) => {
    const made = await welcomeLink(tx, { ...context, site }, { ...of, madeBy: 'cli' })
    const { accountId } = of
    await audited(tx, context, { act: consoleAct(), accountId, action: 'people.welcome', subject: made.userId })
    return made
  })
}
