// The listen secret of the account: asked for, shown, copied and hidden again.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function ListenSecret({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const { title, hint, show, hide } = t.listenSecret
  const [secret, setSecret] = useState<string | null>(null)
  const ask = useChange('endpoints.listenSecret', (shown) => setSecret(shown.secret))
  return (
    <Part title={title}>
      <p className="soft">{hint}</p>
      {secret === null ? (
        <p>
          <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate({ merchantId })}>
            {show}
          </Button>
        </p>
      ) : (
        <CodeBlock label={title} text={secret} hasHeading copy={t.secret.copy}>
          <Button size="compact-sm" variant="default" onClick={() => setSecret(null)}>
            {hide}
          </Button>
        </CodeBlock>
      )}
      <Problem error={ask.error} />
    </Part>
  )
}
