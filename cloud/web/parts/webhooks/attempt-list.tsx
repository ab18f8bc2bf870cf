// The attempts of a delivery, one after the other: when, how long, what was answered, and what exactly was sent.
import type { DeliveryDetailAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { failureWords } from './webhook-words.ts'

type Attempt = DeliveryDetailAnswer['attempts'][number]

/** Newest first. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  const t = usePageWords(webhookWords)
  if (attempts.length === 0) return <p className="soft">{t.attempts.none}</p>
  return (
    <ol className="attempts">
      {attempts.toReversed().map((attempt) => (
        <AttemptItem key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  )
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const { number, trigger, at, ms, status, error, response, headers } = attempt
  return (
    <li className="card">
      <div className="endpoint-head">
        <h3>{t.attempts.number(formats.number(number))}</h3>
        <Mark tone={error === null ? 'ok' : 'bad'}>
          {error === null ? String(status) : failureWords(t, { error, status })}
        </Mark>
      </div>
      <p className="soft">
        <time dateTime={at}>{`${formats.date(at)} ${formats.exactTime(at)}`}</time>
        {` · ${t.attempts.took(formats.duration(ms))}`}
        {trigger === 'manual' && ` · ${t.attempts.byHand}`}
      </p>
      {response !== null && response !== '' && <CodeBlock label={t.attempts.answer} text={response} />}
      {response === '' && <p className="soft">{t.attempts.noAnswer}</p>}
      <details>
        <summary>{t.attempts.headers}</summary>
        {headers === null ? (
          <p className="soft">{t.attempts.noHeaders}</p>
        ) : (
          <HeaderTable label={t.attempts.headers} headers={headers} />
        )}
      </details>
    </li>
  )
}

export function HeaderTable({ label, headers }: { label: string; headers: Readonly<Record<string, string>> }) {
  return (
    <table className="header-table" aria-label={label}>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <code>{value}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
