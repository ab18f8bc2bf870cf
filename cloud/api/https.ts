// https instead of http: the same server with a certificate, and with its successor when there is one.
import type { ServerOptions } from 'node:http'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import type { App } from './app.ts'

/** Node's own two minutes would hold a connection on which nothing comes far longer than http does. */
const HANDSHAKE_WITHIN_MS = 10_000

/** Fastify's server options. Its types have only one of the two; both support HTTP/1.1 with the same options. */
export function httpOrHttps(certificate: ServedCertificate | null, options: ServerOptions): { http: ServerOptions } {
  if (certificate === null) return { http: options }
  const https = { ...options, ...certificate.options, handshakeTimeout: HANDSHAKE_WITHIN_MS }
  return { https } as object as { http: ServerOptions }
}

/** Open connections go on with the certificate that they began with. */
export function useNewCertificates(app: App, certificate: ServedCertificate): void {
  const server = app.server as object as { setSecureContext(options: ServedCertificate['options']): void }
  const unsubscribe = certificate.changed.subscribe(() => server.setSecureContext(certificate.options))
  app.addHook('onClose', async () => unsubscribe())
}
