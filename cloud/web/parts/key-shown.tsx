// A new API key, which is shown this once: by itself, and in a line that works at once.
import { keysWords } from '#cloud/web/messages/keys.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { CodeBlock } from './code-block.tsx'

export function KeyShown({ apiKey }: { apiKey: string }) {
  const t = usePageWords(keysWords)
  return (
    <section className="card shown-once" aria-label={t.shownOnce}>
      <h2>{t.shownOnce}</h2>
      <p>{t.shownOnceHint}</p>
      <CodeBlock label={t.key} text={apiKey} />
      <p>{t.tryIt}</p>
      <CodeBlock
        label={t.tryItLabel}
        text={`curl -sS ${location.origin}/v1/merchants \\\n  -H 'Authorization: Bearer ${apiKey}'`}
      />
    </section>
  )
}
