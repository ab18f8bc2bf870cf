// Text for a terminal or an editor, with a button that copies it.
import { Button } from '@mantine/core'
import { useSpeech } from '#cloud/web/speech.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'

/** @param label what it is, for a screen reader and the button */
export function CodeSample({ label, text }: { label: string; text: string }) {
  const { t } = useSpeech()
  const say = useNotice()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(t.common.copied),
      () => say(t.common.copyFailed),
    )
  return (
    <div className="code-sample">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard */}
      <section className="code-frame" tabIndex={0} aria-label={label}>
        <pre className="code-block">{text}</pre>
      </section>
      <Button variant="default" size="xs" onClick={() => void copy()}>
        {t.common.copy}
        <span className="hidden"> {label}</span>
      </Button>
    </div>
  )
}
