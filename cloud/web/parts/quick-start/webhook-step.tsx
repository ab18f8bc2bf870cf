// What a server hears of the order: the inspector takes its place, and shows what came and whether its signature is right.
import { Button } from '@mantine/core'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { Step } from './step.tsx'

const EVERY_MS = 2_000

export function WebhookStep({ merchantId }: { merchantId: string }) {
  const t = usePageWords(quickStartWords)
  const mayOpen = useMay('build')
  const endpoints = useRead('endpoints.list', { merchantId })
  const hasInspector = endpoints.data?.some(({ kind }) => kind === 'inspector') ?? false
  const open = useChange('inspector.open', () => void endpoints.refetch())
  return (
    <Step number={4} title={t.webhook.title} isDone={hasInspector}>
      <p>{t.webhook.explain}</p>
      <Answer of={endpoints} rows={1}>
        {() =>
          hasInspector ? (
            <Received merchantId={merchantId} />
          ) : (
            mayOpen && (
              <Button loading={open.isPending} onClick={() => open.mutate({ merchantId })}>
                {t.webhook.open}
              </Button>
            )
          )
        }
      </Answer>
      <Problem error={open.error} />
    </Step>
  )
}

function Received({ merchantId }: { merchantId: string }) {
  const t = usePageWords(quickStartWords)
  const received = useRead('inspector.list', { merchantId, limit: 1 }, { everyMs: EVERY_MS })
  return (
    <Answer of={received} rows={1}>
      {({ data: [newest] }) =>
        newest === undefined ? (
          <p className="soft" role="status">
            {t.webhook.waiting}
          </p>
        ) : (
          <>
            <p>
              <strong>{t.webhook.received(newest.type)}</strong>{' '}
              {newest.steps.every(({ ok }) => ok) ? (
                <Mark tone="ok">{t.webhook.signed}</Mark>
              ) : (
                <Mark tone="bad">{t.webhook.wrong}</Mark>
              )}
            </p>
            <CodeBlock label={t.webhook.label} text={readable(newest.body)} />
          </>
        )
      }
    </Answer>
  )
}

/** JSON in lines; whatever else as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
