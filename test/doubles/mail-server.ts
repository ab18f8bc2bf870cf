// A mail server on loopback that speaks real SMTP: keeps what it has taken, and answers well or badly as told.

import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { Signal } from '#shared/signal.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'

/** What a connection is answered. Default: the mail is taken. */
export type MailAnswer =
  | { kind: 'takes' }
  | { kind: 'refuses'; code: number; at: 'greeting' | 'sender' | 'recipient' | 'text' }
  /** Takes the whole text and cuts the connection instead of an answer. */
  | { kind: 'cuts'; at: 'recipient' | 'text' }
  /** Takes the whole text and never answers. */
  | { kind: 'hangs' }

export interface TakenMail {
  from: string
  to: string[]
  /** Of the sign-in; null without one. */
  user: string | null
  isOverTls: boolean
  /** As it came over the line. */
  raw: string
  headers: Map<string, string>
  text: string
  html: string
}

export interface MailServerOptions {
  /** Without a sign-in nothing is taken. */
  user?: { name: string; password: string }
  /** TLS from the first byte. */
  isSecure?: boolean
  /** No STARTTLS is offered. */
  isPlain?: boolean
}

export class MailServer {
  readonly taken: TakenMail[] = []
  readonly arrived = new Signal()
  /** Texts that were given away whole, whatever was answered. */
  texts = 0
  connections = 0
  readonly #options: MailServerOptions
  readonly #answers: MailAnswer[] = []
  readonly #server: SMTPServer
  readonly #ofSession = new Map<string, MailAnswer>()

  constructor(options: MailServerOptions = {}) {
    this.#options = options
    const { user } = options
    this.#server = new SMTPServer({
      ...SELF_SIGNED,
      secure: options.isSecure === true,
      logger: false,
      closeTimeout: 0,
      disableReverseLookup: true,
      authOptional: user === undefined,
      hideSTARTTLS: options.isPlain === true,
      disabledCommands: [...(options.isPlain === true ? ['STARTTLS'] : []), ...(user === undefined ? ['AUTH'] : [])],
      onConnect: (session, done) => {
        this.connections += 1
        const answer = this.#answers.shift() ?? { kind: 'takes' }
        this.#ofSession.set(session.id, answer)
        done(refusedAt(answer, 'greeting'))
      },
      onAuth: (given, _session, done) => {
        const isRight = given.username === user?.name && given.password === user?.password
        if (isRight) done(null, { user: given.username })
        else done(Object.assign(new Error('wrong user or password'), { responseCode: 535 }))
      },
      onMailFrom: (_address, session, done) => done(refusedAt(this.#answerOf(session), 'sender')),
      onRcptTo: (_address, session, done) => {
        const answer = this.#answerOf(session)
        if (answer.kind === 'cuts' && answer.at === 'recipient') this.#cut(session)
        else done(refusedAt(answer, 'recipient'))
      },
      onData: (stream, session, done) => void this.#take(stream, session, done),
    })
    // Of a connection that was cut.
    this.#server.on('error', () => {})
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  /** As CLOUD_MAIL_URL says it. */
  get url(): string {
    const { user, isSecure } = this.#options
    const sign = user === undefined ? '' : `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`
    return `${isSecure === true ? 'smtps' : 'smtp'}://${sign}localhost:${this.port}`
  }

  /** One answer a connection, in this order; then the default again. */
  answerNext(...answers: MailAnswer[]): void {
    this.#answers.push(...answers)
  }

  #answerOf({ id }: SMTPServerSession): MailAnswer {
    return this.#ofSession.get(id) ?? { kind: 'takes' }
  }

  async #take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    this.texts += 1
    const answer = this.#answerOf(session)
    if (answer.kind === 'cuts') this.#cut(session)
    else if (answer.kind !== 'hangs') {
      const refused = refusedAt(answer, 'text')
      if (refused === null) this.taken.push(takenMail(Buffer.concat(pieces), session))
      done(refused)
    }
    this.arrived.notify()
  }

  #cut({ id }: SMTPServerSession): void {
    for (const connection of this.#server.connections) if (connection.id === id) connection._socket.destroy()
  }
}

/** The certificate of `MailServer` is trusted by this process from now on. @returns what undoes it */
export function trustMailServer(): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, SELF_SIGNED.cert])
  return () => setDefaultCACertificates(before)
}

function refusedAt(answer: MailAnswer, at: string): Error | null {
  if (answer.kind !== 'refuses' || answer.at !== at) return null
  return Object.assign(new Error('not today'), { responseCode: answer.code })
}

function takenMail(bytes: Buffer, session: SMTPServerSession): TakenMail {
  const raw = bytes.toString('utf8')
  const { mailFrom, rcptTo } = session.envelope
  const { headers, body } = partOf(raw)
  const parts = partsOf(headers, body)
  const textOf = (type: string): string =>
    parts.find((part) => part.headers.get('content-type')?.startsWith(type) === true)?.text ?? ''
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    user: session.user === undefined ? null : String(session.user),
    isOverTls: session.secure,
    raw,
    headers,
    text: textOf('text/plain'),
    html: textOf('text/html'),
  }
}

function partOf(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), decodedWords(line.slice(at + 1).trim())]
    }),
  )
  return { headers, body: raw.slice(end + 4) }
}

function partsOf(headers: Map<string, string>, body: string) {
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) return []
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((piece) => {
      const part = partOf(piece.replace(/^\r\n/, ''))
      return {
        headers: part.headers,
        text: decoded(part.body, part.headers.get('content-transfer-encoding') ?? '7bit'),
      }
    })
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return lines(Buffer.from(body, 'base64').toString('utf8'))
  return lines(encoding === 'quoted-printable' ? unquoted(body.replaceAll('=\r\n', '')) : body)
}

const lines = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n+$/, '\n')

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Words such as =?UTF-8?Q?...?=. */
function decodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, way: string, word: string) =>
      way.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    )
}
