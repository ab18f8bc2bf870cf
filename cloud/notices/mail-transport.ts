// The interface of a transport for notices: SMTP today, text messages later. It returns what is certain after an attempt, and no more.

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
 * - `sent`: the server has accepted it
 * - `later`: it has not, and may accept it another time
 * - `refused`: it will never accept it
 * - `uncertain`: it got the text, and it is not known whether it has accepted it
 * - `stopped`: we ended the attempt before anything was sent
 * - `lost`: `begin` returned false
 *
 * `error`: a class such as `timeout` or `smtp_550`, never text from outside, which may contain the address.
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
