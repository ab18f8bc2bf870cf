// The interface of a transport for notices. It returns what is certain after an attempt, and no more.
import type { MessageAttempt, MessageOutcome } from '#cloud/outbox/message-worker.ts'

/** A notice as it leaves. */
export interface OutgoingMail {
  /** Of the notice: the Message-ID is made of it, so that the same mail is the same at every attempt. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

export interface MailTransport {
  /** One attempt. Never rejects. */
  send(mail: OutgoingMail, attempt: MessageAttempt): Promise<MessageOutcome>
}
