// When the receptionist answers, with which words and in which voice.
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import type { SectionProps } from './setup-draft.ts'

/** Names that telephone companies document; any other may be typed. */
const KNOWN_VOICES: Readonly<Record<'en' | 'es', readonly string[]>> = {
  en: ['Polly.Joanna-Neural', 'Polly.Matthew-Neural', 'Polly.Joanna', 'Polly.Matthew'],
  es: ['Polly.Lupe-Neural', 'Polly.Pedro-Neural', 'Polly.Lupe', 'Polly.Miguel'],
}

export function SetupAnswering({ draft, set }: SectionProps) {
  const t = usePageWords(setupWords)
  return (
    <Part title={t.answering}>
      <div className="card setup-fields">
        <ChoiceField
          name="profile.mode"
          label={t.mode}
          description={t.modeHint}
          value={draft.mode}
          set={(mode) => set({ mode })}
          choices={(['off', 'answers', 'after-hours'] as const).map((mode) => [mode, t.modes[mode]])}
        />
        {draft.mode !== 'off' && (
          <ChoiceField
            name="profile.afterHours"
            label={t.afterHours}
            value={draft.afterHours}
            set={(afterHours) => set({ afterHours })}
            choices={(['voicemail', 'answers'] as const).map((one) => [one, t.afterHoursModes[one]])}
          />
        )}
        <TextAreaField
          name="profile.greeting"
          label={t.greeting}
          description={t.greetingHint}
          required
          rows={3}
          maxLength={500}
          value={draft.greeting}
          // It is spoken: a line break means nothing.
          set={(greeting) => set({ greeting: greeting.replaceAll('\n', ' ') })}
        />
        <div className="setup-pair">
          <ChoiceField
            name="profile.language"
            label={t.language}
            value={draft.language}
            set={(language) => set({ language })}
            choices={(['en', 'es'] as const).map((one) => [one, t.languages[one]])}
          />
          <TextField
            name="profile.voice"
            label={t.voice}
            description={t.voiceHint}
            maxLength={64}
            list="receptionist-voices"
            autoComplete="off"
            spellCheck={false}
            value={draft.voice}
            set={(voice) => set({ voice })}
          />
        </div>
        <datalist id="receptionist-voices">
          {KNOWN_VOICES[draft.language].map((voice) => (
            <option key={voice} value={voice} />
          ))}
        </datalist>
      </div>
    </Part>
  )
}
