// Why the gateway cannot start, when a person can mend it: what holds its port, its database or its control socket, and what to do.
import type { GatewayConfig } from '#gateway/config.ts'
import { DatabaseInUseError } from '#gateway/storage/database.ts'
import { codeOf } from '#shared/code-of.ts'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'

/** Starting again without a change will not help. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

type Places = Pick<GatewayConfig, 'GATEWAY_DATABASE' | 'GATEWAY_HTTP_HOST' | 'GATEWAY_HTTP_PORT'>

/** @returns a CannotStart in words for a person; any other error as it is */
export function whyNotStarted(error: unknown, places: Places): unknown {
  const message = messageOf(error, places)
  return message === null ? error : new CannotStart(message, { cause: error })
}

function messageOf(error: unknown, { GATEWAY_DATABASE, GATEWAY_HTTP_HOST, GATEWAY_HTTP_PORT }: Places): string | null {
  if (error instanceof LocalSocketInUse) return error.message
  if (error instanceof DatabaseInUseError)
    return `the database ${GATEWAY_DATABASE} is in use by another gateway: end that one, or set GATEWAY_DATABASE to another file`
  // Only the page's plain http port ends a start: https and the control socket log it and go on.
  if (codeOf(error) === 'EADDRINUSE')
    return `port ${GATEWAY_HTTP_PORT} on ${GATEWAY_HTTP_HOST} is in use: end the program that holds it, or set GATEWAY_HTTP_PORT to another port (0 = any free one)`
  return null
}
