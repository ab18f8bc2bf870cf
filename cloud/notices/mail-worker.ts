// Sends the outbox of notices by mail.
import { type MessageAttempt, type MessageOutcome, MessageWorker } from '#cloud/outbox/message-worker.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { ClaimedNotice, NoticeStore } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { NoticeId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { MailTransport } from './mail-transport.ts'
import { openedNotice } from './open-notice.ts'

export interface MailWorkerDeps {
  db: RelayDatabase
  notices: NoticeStore
  secretBox: SecretBox
  /** Null: no mail server is set up. Whatever is due is kept, to be read by the operator. */
  mail: MailTransport | null
  clock: Clock
  random: () => number
  log: Logger
}

/** Delays between attempts, in seconds; the last is repeated until the notice is too late. */
export const MAIL_RETRY_SECONDS = [60, 300, 1_800, 7_200] as const

export class MailWorker extends MessageWorker<NoticeId, ClaimedNotice> {
  constructor(deps: MailWorkerDeps) {
    super(deps, {
      rows: deps.notices,
      retrySeconds: MAIL_RETRY_SECONDS,
      // A server of mail takes few connections of one sender.
      atOnce: 4,
      sends: deps.mail !== null,
      send: (notice, attempt) => send(deps, notice, attempt),
      words: {
        what: 'notices',
        id: 'noticeId',
        tooLate: 'notices were too late and are not sent any more',
        interrupted: 'a relay ended while it sent notices: it is not known whether they left',
        kept: 'no mail server is set up: notices are kept, admin notices list shows them',
        sent: 'a notice was sent',
        notSent: 'a notice was not sent',
      },
    })
  }
}

async function send(
  { secretBox, mail }: MailWorkerDeps,
  notice: ClaimedNotice,
  attempt: MessageAttempt,
): Promise<MessageOutcome> {
  if (mail === null) return { kind: 'lost' }
  const opened = openedNotice(secretBox, notice)
  if (opened === null) return { kind: 'refused', error: 'not_readable' }
  return mail.send({ id: notice.id, ...opened }, attempt)
}
