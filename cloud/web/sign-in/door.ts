// What the page asks of the relay's door: signing in and out, codes, passkeys, links. docs/dashboard.md has the table.
import type {
  CodeSent,
  InviteAnswer,
  PasskeyQuestion,
  SessionAnswer,
  SignUpAnswer,
} from '#cloud/control/session-answers.ts'
import { post } from '#cloud/web/api.ts'
import { request } from '#shared/ui/api.ts'

export const signInByPassword = (email: string, password: string) => post<SessionAnswer>('session', { email, password })

export const sendCode = (email: string, language: string) => post<CodeSent>('session/code', { email, language })
export const signInByCode = (codeId: string, code: string) => post<SessionAnswer>('session/code/use', { codeId, code })

export const signUp = (person: { email: string; name: string; company: string; language: string }) =>
  post<CodeSent>('session/sign-up', person)
export const finishSignUp = (proof: { codeId: string; code: string; password?: string }) =>
  post<SignUpAnswer>('session/sign-up/finish', proof)

export const sendReset = (email: string, language: string) => post<CodeSent>('session/reset', { email, language })
export const finishReset = (proof: { codeId: string; code: string; password: string }) =>
  post<SessionAnswer>('session/reset/finish', proof)

export const inviteOf = (code: string) => post<InviteAnswer>('session/invite', { code })
export const acceptInvite = (invite: { code: string; name?: string; password?: string; language?: string }) =>
  post<SessionAnswer>('session/invite/accept', invite)
export const welcome = (code: string) => post<SessionAnswer>('session/welcome', { code })

/** For a person with a fresh password or passkey; all other browsers are signed out. */
export const setPassword = (password: string) => post<SessionAnswer>('session/password', { password })

export const elevateByPassword = (password: string) => post<SessionAnswer>('session/elevate', { password })

/** Ends the session of this browser; one that has ended already is as good. */
export async function signOut(): Promise<void> {
  await request('/dashboard/api/session', { method: 'DELETE' }).catch(() => null)
}

/**
 * Asks the browser for a passkey and sends its answer to the relay. The library is loaded only when it is used.
 * @param path `session/passkey` to sign in, `session/elevate/passkey` to confirm one's identity again
 * @param isQuiet true: the browser offers passkeys in the list of the e-mail field, without a dialog
 * @returns null when the person has chosen none
 * @throws ApiError
 */
export async function byPasskey(
  path: 'session/passkey' | 'session/elevate/passkey',
  isQuiet = false,
): Promise<SessionAnswer | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await import('@simplewebauthn/browser')
  if (isQuiet && !(await browserSupportsWebAuthnAutofill())) return null
  const { ticket, options } = await post<PasskeyQuestion>(`${path}/begin`)
  // The types of the relay's half are separate from the browser's: the JSON is the same.
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: isQuiet }).catch(() => null)
  return response === null ? null : await post<SessionAnswer>(path, { ticket, response })
}
