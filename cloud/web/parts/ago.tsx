// How long ago something was, with its exact time behind it.
import { useNow } from '#cloud/web/live.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

export function Ago({ at, className }: { at: string; className?: string }) {
  const { formats } = useSpeech()
  const nowMs = useNow()
  return (
    <time className={className} dateTime={at} title={formats.dateTime(at)}>
      {formats.ago(at, nowMs)}
    </time>
  )
}
