// Asks the running gateway through its control socket.
import { request } from 'node:http'
import { LineError } from '#shared/cli/command.ts'
import { parseJson } from '#shared/parse-json.ts'
import { EXIT } from './command.ts'

const LONGEST_WAIT_MS = 60_000

/** @throws LineError in words: not running, refused, or a fault of the printer */
export async function callControl(socketPath: string, operation: string, body: unknown): Promise<unknown> {
  const { status, text } = await post(socketPath, `/v1/control/${operation}`, JSON.stringify(body))
  const answer = parse(text)
  if (status === 200) return answer['result']
  const message = typeof answer['message'] === 'string' ? answer['message'] : `the gateway answered ${status}`
  throw new LineError(message, exitCodeOf(answer['code']))
}

function exitCodeOf(code: unknown): number {
  if (code === 'invalid') return EXIT.usage
  if (code === 'relay-unreachable') return EXIT.relayUnreachable
  return code === 'printer-fault' ? EXIT.printerFault : EXIT.failed
}

function post(socketPath: string, path: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ socketPath, path, method: 'POST', headers, timeout: LONGEST_WAIT_MS }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      incoming.on('error', reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('the gateway does not answer')))
    outgoing.on('error', (error: NodeJS.ErrnoException) => reject(unreachable(socketPath, error)))
    outgoing.end(body)
  })
}

function unreachable(socketPath: string, error: NodeJS.ErrnoException): LineError {
  if (error.code === 'EACCES')
    return new LineError(`${socketPath} may not be opened by this user: use the gateway's own, such as with sudo -u`)
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTSOCK')
    return new LineError(
      `The gateway is not running: nobody answers at ${socketPath}. Start it (systemctl start ticketrail-gateway, or npm run gateway), or name its socket with GATEWAY_CONTROL_SOCKET.`,
      EXIT.notRunning,
    )
  return new LineError(`The gateway broke off: ${error.message}`)
}

function parse(text: string): Record<string, unknown> {
  const answer = parseJson(text)
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}
