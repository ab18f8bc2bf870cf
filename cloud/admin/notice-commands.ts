// notices: mail and text messages that leave the relay, and whether they do.
import { z } from 'zod'
import { NOTICE_OPERATIONS, NOTICE_STATES, type OutboxAnswer } from '#cloud/control/notice-list.ts'
import { perform } from '#cloud/control/perform.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { wholeNumber } from './fields.ts'
import { facts, table } from './print.ts'

const mail = NOTICE_OPERATIONS['op.test-mail'].input.shape
const NO_SERVER = 'No mail server is set up (CLOUD_MAIL_URL): mail is kept here, and you hand it on.'

export const noticeCommands: readonly Command[] = [
  defineCommand({
    name: 'notices list',
    summary:
      'Mail that was not sent, with the reason; without a mail server also its text. Also how many text messages there are',
    options: {
      state: z
        .enum(NOTICE_STATES)
        .optional()
        .describe(`Only mail that is one of: ${NOTICE_STATES.join(', ')}`),
      limit: wholeNumber(500).optional().describe('How many at most; default: 50'),
    },
    example: '--state failed',
    run: async (context, raw) => {
      const data = await perform(context, consoleAct(), { name: 'op.outbox', raw })
      return { data, text: outboxText(data) }
    },
  }),

  defineCommand({
    name: 'notices test',
    summary: 'Send a mail that says nothing but that mail arrives',
    options: {
      to: mail.to.describe('Mail address'),
      language: mail.language.optional().describe('Language of the mail; default: en'),
    },
    example: '--to you@example.com',
    run: async (context, raw) => {
      const data = await perform(context, consoleAct(), { name: 'op.test-mail', raw })
      return {
        data,
        text: `${facts({ ...data })}\n\nIt leaves within seconds. \`notices list\` shows it if it does not.`,
      }
    },
  }),
]

function outboxText({ sendsMail, mail, texts: messages, notices }: OutboxAnswer): string {
  const rows = notices.map(({ noticeId, createdAt, kind, to, state, error, attempts, nextAt }) => ({
    ...{ noticeId, createdAt, kind, to, state, error, attempts, nextAt },
  }))
  const counts = [
    { of: 'mail', ...mail },
    { of: 'text messages', ...messages },
  ]
  const texts = notices.flatMap(({ noticeId, text }) => (text === null ? [] : [`${noticeId}\n\n${text}`]))
  return [...(sendsMail ? [] : [NO_SERVER]), table(counts, ''), table(rows, 'No mail of this kind.'), ...texts].join(
    '\n\n',
  )
}
