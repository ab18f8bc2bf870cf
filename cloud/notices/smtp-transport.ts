// Gives mail to an SMTP server, one connection a mail. The library is loaded at the first mail: most relays never send one.
import { Readable } from 'node:stream'
import type { MessageAttempt, MessageOutcome } from '#cloud/outbox/message-worker.ts'
import type { Clock } from '#shared/clock.ts'
import type { MailServer } from './mail-address.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'

export interface SmtpDeps {
  server: MailServer
  from: { name: string; address: string }
  clock: Clock
}

const CONNECT_MS = 10_000
/** Limit for a server that does not answer. */
const SILENT_MS = 30_000
/** Of a whole attempt. */
export const ATTEMPT_MS = 60_000

/** From the library: `code` is its word for the failure, `responseCode` the server's answer. */
interface SmtpError extends Error {
  code?: string
  /** Node's word for it. */
  originalCode?: string
  responseCode?: number
}

/** Its words for what went wrong before the server had judged the mail. */
const CLASSES: Readonly<Record<string, string>> = {
  EDNS: 'dns',
  ETLS: 'tls',
  EAUTH: 'sign_in',
  ENOAUTH: 'sign_in',
  ETIMEDOUT: 'timeout',
  ECONNECTION: 'connection',
  ESOCKET: 'connection',
}

/** Of a certificate that is not trusted, or of a handshake that failed. */
const TLS_CODES = /CERT|SSL|TLS|SIGNATURE|^UNABLE_TO/

function classOf({ code = '', originalCode = '' }: SmtpError): string | undefined {
  return TLS_CODES.test(originalCode) ? 'tls' : CLASSES[code]
}

export class SmtpTransport implements MailTransport {
  readonly #deps: SmtpDeps

  constructor(deps: SmtpDeps) {
    this.#deps = deps
  }

  async send(mail: OutgoingMail, attempt: MessageAttempt): Promise<MessageOutcome> {
    const progress: Progress = { hasBegun: false, isLost: false }
    try {
      await this.#converse(mail, attempt, progress)
      return { kind: 'sent' }
    } catch (error) {
      return outcomeOf(error as SmtpError, progress, attempt.stopped)
    }
  }

  async #converse(mail: OutgoingMail, { begin, stopped }: MessageAttempt, progress: Progress): Promise<void> {
    const { server, from, clock } = this.#deps
    const [{ default: Connection }, message] = await Promise.all([
      import('nodemailer/lib/smtp-connection'),
      composed(mail, from),
    ])
    const connection = new Connection({
      host: server.host,
      port: server.port,
      secure: server.isSecure,
      requireTLS: server.needsTls,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
    })
    // `close` rejects nothing: waiting callers are rejected here.
    const ended = Promise.withResolvers<never>()
    ended.promise.catch(() => {})
    const end = (code: string): void => {
      ended.reject(Object.assign(new Error(code), { code }))
      connection.close()
    }
    const stop = (): void => end('STOPPED')
    const cancel = clock.after(ATTEMPT_MS, () => end('ETIMEDOUT'))
    connection.on('error', (error) => ended.reject(error))
    try {
      // The library may have loaded for a while.
      stopped.throwIfAborted()
      stopped.addEventListener('abort', stop)
      await Promise.race([ended.promise, told((done) => connection.connect(done))])
      const { user, password } = server
      if (user !== null && password !== null)
        await Promise.race([ended.promise, told((done) => connection.login({ user, pass: password }, done))])
      const body = Readable.from(given(message, begin, progress), { objectMode: false })
      const envelope = { from: from.address, to: [mail.to] }
      await Promise.race([ended.promise, told((done) => connection.send(envelope, body, (error) => done(error)))])
      connection.quit()
    } catch (error) {
      connection.close()
      throw error
    } finally {
      cancel()
      stopped.removeEventListener('abort', stop)
    }
  }
}

interface Progress {
  /** The text may be on its way. */
  hasBegun: boolean
  /** Another relay has the notice. */
  isLost: boolean
}

/** Read only once the server is ready for the text. */
async function* given(message: Buffer, begin: () => Promise<boolean>, progress: Progress): AsyncGenerator<Buffer> {
  if (!(await begin())) {
    progress.isLost = true
    throw new Error('another relay has this notice')
  }
  progress.hasBegun = true
  yield message
}

function told(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()))
  })
}

async function composed(mail: OutgoingMail, from: SmtpDeps['from']): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const host = from.address.slice(from.address.lastIndexOf('@') + 1)
  return new MailComposer({
    from,
    // Not as text: a comma in it would be a second recipient.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${host}>`,
    // So that no machine answers it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

function outcomeOf(error: SmtpError, { hasBegun, isLost }: Progress, stopped: AbortSignal): MessageOutcome {
  if (isLost) return { kind: 'lost' }
  const { code = '', responseCode } = error
  // What it has answered it has decided, whenever that was.
  if (responseCode !== undefined && responseCode >= 400) {
    // A greeting or a refused sign-in is about the server's settings, not about this mail.
    const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
    return { kind: isAboutMail && responseCode >= 500 ? 'refused' : 'later', error: `smtp_${responseCode}` }
  }
  if (hasBegun) return { kind: 'uncertain', error: stopped.aborted ? 'interrupted' : (classOf(error) ?? 'connection') }
  if (stopped.aborted) return { kind: 'stopped' }
  // The library itself refuses an address that the server does not support, and a text that is too large for it.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { kind: 'refused', error: 'not_acceptable' }
  return { kind: 'later', error: classOf(error) ?? 'not_sent' }
}
