// The certificate that a new connection to a port is shown, whoever vouches for it.
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'

export async function servedCertificate(host: string, port: number): Promise<X509Certificate> {
  const socket = connect({ host, port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return new X509Certificate(raw)
}
