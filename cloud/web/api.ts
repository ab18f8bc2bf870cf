// The page's way to the relay: operations by POST, answers typed by the relay's own list. Nothing of the relay is loaded: types only.
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { OperationBody, OperationName } from '#cloud/control/operations.ts'
import { randomBytes } from '#cloud/web/random.ts'
import { getFrom, postTo } from '#shared/ui/api.ts'

export type Environment = 'sandbox' | 'live'

/** What an operation is asked for: the account and environment that the page shows, and for a change its tap. */
export interface Asked {
  accountId: string | null
  environment: Environment
  /** With the same one a change is made once, however often it is sent. */
  tapId?: string
}

const API = '/dashboard/api/'

/** @throws ApiError */
export async function perform<N extends OperationName>(
  name: N,
  body: OperationBody<N>,
  { accountId, environment, tapId }: Asked,
): Promise<OperationAnswers[N]> {
  const { result } = (await postTo(`${API}${name}`, body, {
    'x-environment': environment,
    ...(accountId === null ? {} : { 'x-account': accountId }),
    ...(tapId === undefined ? {} : { 'idempotency-key': tapId }),
  })) as { result: OperationAnswers[N] }
  return result
}

/** Calls of the session: sign-in, sign-out, the signed-in person. @param path below /dashboard/api/ @throws ApiError */
export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  return ((await postTo(`${API}${path}`, body)) as { result: T }).result
}

/** @throws ApiError */
export async function get<T>(path: string): Promise<T> {
  return ((await getFrom(`${API}${path}`)) as { result: T }).result
}

/** A new one for each thing that a person does. */
export function newTapId(): string {
  return `tap_${randomBytes(16)}`
}
