// A mail that is kept because no mail server is set up: the operator reads it to pass it on, after a fresh password or passkey.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { OperatorNotice, ReadMailAnswer } from '#cloud/control/notice-list.ts'
import { outboxWords } from '#cloud/web/messages/outbox.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function KeptMail({ mail: { noticeId, kind, to } }: { mail: OperatorNotice }) {
  const t = usePageWords(outboxWords)
  const [shown, setShown] = useState<ReadMailAnswer | null>(null)
  const read = useChange('op.read-mail', setShown)
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        loading={read.isPending}
        aria-label={t.readLabel(t.kinds[kind] ?? kind, to ?? t.unreadable)}
        onClick={() => read.mutate({ noticeId })}
      >
        {t.read}
      </Button>
      <Problem error={read.error} />
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={t.readTitle} size="lg">
        {shown !== null && (
          <div className="stack">
            <p>{t.readHint}</p>
            <dl className="facts">
              <div>
                <dt>{t.columns.to}</dt>
                <dd>
                  <bdi>{shown.to}</bdi>
                </dd>
              </div>
              <div>
                <dt>{t.subject}</dt>
                <dd>
                  <bdi>{shown.subject}</bdi>
                </dd>
              </div>
            </dl>
            <CodeBlock label={t.text} text={shown.text} />
          </div>
        )}
      </Modal>
    </>
  )
}
