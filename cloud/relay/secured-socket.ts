// TLS on a connection of the MQTT port. An unfinished handshake is closed by the CONNECT timeout.
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'

/** The stream that carries MQTT; the socket itself without a certificate. Destroying either destroys both. */
export function securedSocket(socket: Socket, certificate: Pick<ServedCertificate, 'context'> | null): Socket {
  if (certificate === null) return socket
  // The stream above it reports what ends the connection.
  socket.on('error', () => undefined)
  const secured = new TLSSocket(socket, { isServer: true, secureContext: certificate.context })
  // No `tls.Server` counts handshakes here. The certificate's context refuses a second one too.
  secured.disableRenegotiation()
  return secured
}
