// Where a webhook goes and why it did not arrive, in words for the developer of the program that receives it.
import type { WebhookEndpoint } from '#shared/sdk/api.ts'

/** By the error codes of the delivery log. */
const REASONS: Readonly<Record<string, (host: string, status: number | null) => string>> = {
  http_status: (host, status) => `${host} answered ${status}`,
  redirect: (host, status) => `${host} answered ${status}, a redirect, which is not followed`,
  timeout: (host) => `${host} did not answer in time`,
  dns: (host) => `the name of ${host} was not found`,
  refused: (host) => `nothing listens at ${host}`,
  unreachable: (host) => `the network of ${host} cannot be reached`,
  reset: (host) => `${host} closed the connection without an answer`,
  tls: (host) => `the certificate of ${host} was not accepted`,
  blocked_address: (host) => `the address of ${host} is not public, or its port is not allowed`,
  invalid_response: (host) => `the answer of ${host} is not valid HTTP`,
  connection: (host) => `the connection to ${host} failed`,
}

/** @param url where the event was posted. @returns a clause; an unknown code stands in it as it is */
export function whyNotDelivered(url: string, error: string, status: number | null = null): string {
  const host = URL.canParse(url) ? new URL(url).host : url
  return REASONS[error]?.(host, status) ?? `${host}: ${error}`
}

/** Its URL; of an endpoint without one, such as a listener, what it is. */
export function placeOf({ kind, url, description }: WebhookEndpoint): string {
  return kind === 'url' ? url : `${kind}${description === null ? '' : `, ${description}`}`
}
