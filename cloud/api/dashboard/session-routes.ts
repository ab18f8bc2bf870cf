// Sign-in at the dashboard: by password, passkey, code and link; sign-up, another password, an invitation; and that it is still the same person.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { checkedInput } from '#cloud/control/checked-input.ts'
import type { DoorAnswer, MembershipAnswer, PersonAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import type { Entered } from '#cloud/people/begin-session.ts'
import { setPassword } from '#cloud/people/change-password.ts'
import { enterByCode, resetPassword, sendCode } from '#cloud/people/code-sign-in.ts'
import { companyName, emailField, languageField, passwordField, personName } from '#cloud/people/email.ts'
import { acceptInvitation, readInvitation } from '#cloud/people/invitations.ts'
import type { PeopleParts } from '#cloud/people/parts.ts'
import { passkeyAnswer } from '#cloud/people/passkey-input.ts'
import { askPasskey, elevateByPasskey, enterByPasskey } from '#cloud/people/passkeys.ts'
import { elevateByPassword, enterByPassword } from '#cloud/people/password-sign-in.ts'
import type { People } from '#cloud/people/people.ts'
import { askSignUp, finishSignUp } from '#cloud/people/sign-up.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import { CODE_MINUTES } from '#cloud/people/typed-codes.ts'
import { enterByWelcome } from '#cloud/people/welcome.ts'
import { LONGEST_MS } from '#cloud/storage/session-store.ts'
import { toIso } from '#shared/clock.ts'
import { type Id, isId } from '#shared/ids.ts'
import { languageFor } from '#shared/languages.ts'
import { cookieFor } from '#shared/pages/cookies.ts'
import { text } from '#shared/wire/api/fields.ts'
import { SESSION_COOKIE } from './browser.ts'
import { personOf } from './page-guard.ts'
import { PAGE_API, PageRefusal } from './page-refusal.ts'
import { browserOfCall, DEVICE_COOKIE, visitOf } from './visit.ts'

export interface SessionRouteDeps {
  people: Pick<People, 'signedIn'>
  parts: PeopleParts
  /** A session may have ended. */
  peopleChanged: () => void
}

const BODY_LIMIT = 16_384
const DEVICE_MS = 365 * 86_400_000
const SESSION = `${PAGE_API}session`

const nothing = z.strictObject({})
/** As it is typed at a sign-in: whatever it is, it is compared. */
const typedPassword = z.string().min(1).max(200)
/** Any text is looked up; PostgreSQL accepts no text with a NUL. */
const typedEmail = z.string().trim().pipe(text(254))
const codeId = z.custom<Id<'cod'>>((value) => typeof value === 'string' && isId('cod', value), {
  error: 'must be what the answer to your request for a code said',
})
const typedCode = { codeId, code: z.string().min(1).max(40) }
const linkCode = z.string().min(1).max(100)
const BODIES = {
  password: z.strictObject({ email: typedEmail, password: typedPassword }),
  askCode: z.strictObject({ email: emailField, language: languageField.optional() }),
  useCode: z.strictObject(typedCode),
  signUp: z.strictObject({
    email: emailField,
    name: personName,
    company: companyName,
    language: languageField.optional(),
  }),
  finishSignUp: z.strictObject({ ...typedCode, password: passwordField.optional() }),
  finishReset: z.strictObject({ ...typedCode, password: passwordField }),
  link: z.strictObject({ code: linkCode }),
  acceptInvite: z.strictObject({
    code: linkCode,
    name: personName.optional(),
    password: passwordField.optional(),
    language: languageField.optional(),
  }),
  elevate: z.strictObject({ password: typedPassword }),
  newPassword: z.strictObject({ password: passwordField }),
}

export function sessionRoutes(app: App, deps: SessionRouteDeps): void {
  const { parts } = deps
  const { post, elevated } = posts(app, deps)

  app.route({
    method: 'GET',
    url: SESSION,
    config: { access: 'page' },
    handler: async (request) => ({ result: await sessionAnswer(parts, request, request.person) }),
  })
  app.route({
    method: 'DELETE',
    url: SESSION,
    config: { access: 'page' },
    handler: async (request, reply) => {
      const { person } = request
      if (person !== null) await parts.db.unit((tx) => parts.logins.end(tx, person.userId, person.sessionId))
      deps.peopleChanged()
      reply.header('set-cookie', cookieFor(browserOfCall(request), { name: SESSION_COOKIE, token: '', maxAgeMs: 0 }))
      return { result: await sessionAnswer(parts, request, null) }
    },
  })

  post('', BODIES.password, async (input, call) => call.enter(await enterByPassword(parts, input, call.visit)))
  post('/passkey/begin', nothing, () => askPasskey(parts, null))
  post('/passkey', passkeyAnswer, async (input, call) => call.enter(await enterByPasskey(parts, input, call.visit)))
  post('/code', BODIES.askCode, async (input, { visit }) =>
    codeSent(await sendCode(parts, { kind: 'sign-in', ...input }, visit)),
  )
  post('/code/use', BODIES.useCode, async (input, call) => call.enter(await enterByCode(parts, input, call.visit)))
  post('/reset', BODIES.askCode, async (input, { visit }) =>
    codeSent(await sendCode(parts, { kind: 'reset', ...input }, visit)),
  )
  post('/reset/finish', BODIES.finishReset, async (input, call) =>
    call.enter(await resetPassword(parts, input, call.visit)),
  )
  post('/sign-up', BODIES.signUp, async ({ language, ...input }, { visit, request }) =>
    codeSent(await askSignUp(parts, { ...input, language: language ?? spoken(request) }, visit)),
  )
  post('/sign-up/finish', BODIES.finishSignUp, async ({ password = null, ...input }, call) => {
    const { accountId, apiKey, ...entered } = await finishSignUp(parts, { ...input, password }, call.visit)
    return { ...(await call.enter(entered)), made: { accountId, apiKey } }
  })
  post('/invite', BODIES.link, async ({ code }) => ({ kind: 'invite', ...(await readInvitation(parts, code)) }))
  post('/invite/accept', BODIES.acceptInvite, async (input, call) => {
    const { code, name = null, password = null, language = null } = input
    const { person: signedIn } = call.request
    const entered = await acceptInvitation(parts, { code, name, password, language, signedIn }, call.visit)
    return entered === null ? call.goesOn() : call.enter(entered)
  })
  post('/welcome', BODIES.link, async ({ code }, call) => call.enter(await enterByWelcome(parts, code, call.visit)))

  elevated('/elevate', BODIES.elevate, async ({ password }, person, call) => {
    await elevateByPassword(parts, { person, password }, call.visit)
    return call.goesOn()
  })
  elevated('/elevate/passkey/begin', nothing, (_input, person) => askPasskey(parts, person))
  elevated('/elevate/passkey', passkeyAnswer, async (input, person, call) => {
    await elevateByPasskey(parts, person, input)
    return call.goesOn()
  })
  elevated('/password', BODIES.newPassword, async ({ password }, person, call) =>
    call.enter(await setPassword(parts, { person, password }, call.visit)),
  )
}

/** A route's data about the calling browser. */
interface SessionCall {
  request: FastifyRequest
  visit: ReturnType<typeof visitOf>
  /** Gives the browser its new session. */
  enter: (entered: Entered) => Promise<SessionAnswer>
  /** The session of the browser as it is now. */
  goesOn: () => Promise<SessionAnswer>
}

/** The two ways to register a POST: for everybody, and for signed-in people. */
function posts(app: App, { people, parts, peopleChanged }: SessionRouteDeps) {
  const callOf = (request: FastifyRequest, reply: FastifyReply): SessionCall => {
    const browser = browserOfCall(request)
    const visit = visitOf(request)
    return {
      request,
      visit,
      enter: async ({ token, device }) => {
        peopleChanged()
        reply.header('set-cookie', cookieFor(browser, { name: SESSION_COOKIE, token, maxAgeMs: LONGEST_MS }))
        reply.header('set-cookie', cookieFor(browser, { name: DEVICE_COOKIE, token: device, maxAgeMs: DEVICE_MS }))
        return sessionAnswer(parts, request, await people.signedIn(visit.kept(token)))
      },
      goesOn: async () => {
        peopleChanged()
        const { before } = visit
        const kept = before === null ? null : visit.keptBefore
        const person = await people.signedIn(kept)
        if (person === null && kept !== null)
          reply.header('set-cookie', cookieFor(browser, { name: SESSION_COOKIE, token: '', maxAgeMs: 0 }))
        return sessionAnswer(parts, request, person)
      },
    }
  }
  const post = <S extends z.ZodType>(
    path: string,
    body: S,
    handle: (input: z.output<S>, call: SessionCall) => Promise<unknown>,
  ): void => {
    app.route({
      method: 'POST',
      url: `${SESSION}${path}`,
      config: { access: 'page' },
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        if (browserOfCall(request).isPlain) throw plain()
        return { result: await handle(checkedInput(body, request.body), callOf(request, reply)) }
      },
    })
  }
  const elevated = <S extends z.ZodType>(
    path: string,
    body: S,
    handle: (input: z.output<S>, person: SignedIn, call: SessionCall) => Promise<unknown>,
  ): void => {
    app.route({
      method: 'POST',
      url: `${SESSION}${path}`,
      config: { access: 'person' },
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => ({
        result: await handle(checkedInput(body, request.body), personOf(request), callOf(request, reply)),
      }),
    })
  }
  return { post, elevated }
}

function codeSent(id: Id<'cod'>) {
  return { codeId: id, minutes: CODE_MINUTES }
}

/** For a browser that did not send its page's language. */
function spoken({ headers }: FastifyRequest) {
  return languageFor((headers['accept-language'] ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? ''))
}

function plain(): PageRefusal {
  return new PageRefusal('https', 'Others on this network can read plain http. Open the dashboard by https.', {
    said: { key: 'session.plain' },
  })
}

/** The page's data about the signed-in person, and what it may offer. */
async function sessionAnswer(
  parts: PeopleParts,
  request: FastifyRequest,
  person: SignedIn | null,
): Promise<SessionAnswer> {
  const nowMs = parts.clock.now()
  const isElevated = (person?.elevatedUntilMs ?? 0) > nowMs
  return {
    state: person === null ? 'signed-out' : 'signed-in',
    person: person && (await personAnswer(parts, person)),
    accounts: person === null ? [] : await accountsOf(parts, person),
    viewing: person && (await viewingOf(parts, person)),
    elevatedUntil: person !== null && isElevated ? toIso(person.elevatedUntilMs ?? 0) : null,
    door: doorOf(parts, request),
    time: toIso(nowMs),
  }
}

async function personAnswer({ users, passkeys }: PeopleParts, person: SignedIn): Promise<PersonAnswer> {
  const { userId, name, email, language, isOperator } = person
  const user = await users.find(userId)
  const hasPassword = (user?.password_hash ?? null) !== null
  return { userId, name, email, language, isOperator, hasPassword, passkeys: await passkeys.count(userId) }
}

async function accountsOf({ memberships }: PeopleParts, { userId }: SignedIn): Promise<MembershipAnswer[]> {
  const rows = await memberships.ofUser(userId)
  return rows.map(({ id, name, role, plan, live_approved_at }) => ({
    ...{ accountId: id, name, role, plan },
    isLive: live_approved_at !== null,
  }))
}

async function viewingOf({ accounts }: PeopleParts, { viewing }: SignedIn): Promise<SessionAnswer['viewing']> {
  if (viewing === null) return null
  const account = await accounts.find(viewing.accountId)
  const { accountId, reason, untilMs } = viewing
  return { accountId, accountName: account?.name ?? '', reason, until: toIso(untilMs) }
}

function doorOf({ signUp, sendsMail, site }: PeopleParts, request: FastifyRequest): DoorAnswer {
  const { origin, passkeyName } = site()
  const { host } = new URL(origin)
  return {
    signUp,
    sendsMail,
    passkeys: passkeyName !== null && request.headers.host?.toLowerCase() === host,
    refused: browserOfCall(request).isPlain ? 'plain' : null,
  }
}
