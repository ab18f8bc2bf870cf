// The seam to whatever carries a notice away: SMTP today, text messages by a provider later. Says what is known after an attempt, and no more.

/** A notice as it leaves. */
export interface OutgoingMail {
  /** Of the notice: the Message-ID is made of it, so that the same mail is the same at every attempt. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/**
 * - `sent`: the server has taken it
 * - `later`: it has not, and may take it another time
 * - `refused`: it never takes it
 * - `uncertain`: it was given the text, and it is not known whether it has taken it
 * - `stopped`: we ended the attempt before anything was given away
 * - `lost`: `begin` said no
 *
 * `error`: a class such as `timeout` or `smtp_550`, never text from outside: it may hold the address.
 */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'later' | 'refused' | 'uncertain'; error: string }
  | { kind: 'stopped' }
  | { kind: 'lost' }

export interface MailAttempt {
  /** Called once, just before the first byte of the text is given away. False: do not. */
  begin: () => Promise<boolean>
  stopped: AbortSignal
}

export interface MailTransport {
  /** One attempt. Never rejects. */
  send(mail: OutgoingMail, attempt: MailAttempt): Promise<MailOutcome>
}
