// The page's way to the box: operations by POST, answers typed by the server's own list. Nothing of the server is loaded: types only.
import type { OperationAnswers } from '#gateway/control/answers.ts'
import type { AsksOwnPassword, OperationBody, OperationName } from '#gateway/control/operations.ts'
import { getFrom, postTo } from '#shared/ui/api.ts'

/** What the page sends: with the own password, where the box asks for it again. */
export type PageBody<N extends OperationName> = OperationBody<N> &
  (N extends AsksOwnPassword ? { ownPassword: string } : unknown)

export async function perform<N extends OperationName>(name: N, body: PageBody<N>): Promise<OperationAnswers[N]> {
  const { result } = (await post(name, body)) as { result: OperationAnswers[N] }
  return result
}

/** @param path below /api/v1/ */
export function post(path: string, body: unknown = {}): Promise<unknown> {
  return postTo(`/api/v1/${path}`, body)
}

export function get(path: string): Promise<unknown> {
  return getFrom(`/api/v1/${path}`)
}
