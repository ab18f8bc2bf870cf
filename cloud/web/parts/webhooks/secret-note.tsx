// A signing secret as it was just made: shown once, copied, and put away by the person.
import { Button } from '@mantine/core'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'

export function SecretNote({ secret, done }: { secret: string; done: () => void }) {
  const t = usePageWords(webhookWords)
  return (
    <section className="card secret-note" role="status">
      <p>{t.secret.once}</p>
      <CodeBlock label={t.secret.title} text={secret} copy={t.secret.copy}>
        <Button size="compact-sm" onClick={done}>
          {t.secret.done}
        </Button>
      </CodeBlock>
    </section>
  )
}
