// What a caller hears with the settings as they are typed: the relay's own call machine is asked.
import { Button } from '@mantine/core'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { useRead } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { useSettled } from '#shared/ui/use-settled.ts'
import { canSpeak, useVoice } from './say-aloud.ts'
import { bodyOf, type Draft } from './setup-draft.ts'

export function SetupPreview({ merchantId, draft }: { merchantId: string; draft: Draft }) {
  const t = usePageWords(setupWords)
  const profile = useSettled(bodyOf(draft), 400)
  // What cannot be saved yet cannot be heard: the last that could stays.
  const preview = useRead('receptionist.preview', { merchantId, profile }, { keep: true })
  const { open, closed, language } = preview.data ?? { open: null, closed: null, language: 'en' }
  return (
    <aside className="preview card" aria-label={t.preview}>
      <h2>{t.preview}</h2>
      {open === null && closed === null && <p className="soft">{t.previewNone}</p>}
      {open !== null && <Heard title={t.previewOpen} texts={open} language={language} />}
      {closed !== null && <Heard title={t.previewClosed} texts={closed} language={language} />}
    </aside>
  )
}

function Heard({ title, texts, language }: { title: string; texts: readonly string[]; language: string }) {
  const t = usePageWords(setupWords)
  const voice = useVoice()
  return (
    <section className="stack">
      <h3>{title}</h3>
      {texts.length === 0 ? (
        <p className="soft">{t.previewOff}</p>
      ) : (
        <ul className="talk" lang={language}>
          {texts.map((text) => (
            <li key={text}>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      )}
      {texts.length > 0 && canSpeak() && (
        <p>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => (voice.isSpeaking ? voice.stop() : voice.speak(texts, language))}
          >
            {voice.isSpeaking ? t.stop : t.play}
            <span className="hidden">: {title}</span>
          </Button>
        </p>
      )}
    </section>
  )
}
