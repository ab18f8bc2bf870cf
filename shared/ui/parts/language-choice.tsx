// The language selection for pages without a menu. Each language is listed in its own words.
import { Button, Group } from '@mantine/core'
import { useSpeech } from '#shared/ui/speech.tsx'

export function LanguageChoice() {
  const { t, language, languages, setLanguage } = useSpeech()
  return (
    <Group gap="xs" role="group" aria-label={t.settings.language}>
      {languages.map(({ id, name }) => (
        <Button
          key={id}
          lang={id}
          variant={id === language ? 'filled' : 'default'}
          aria-pressed={id === language}
          onClick={() => setLanguage(id)}
        >
          {name}
        </Button>
      ))}
    </Group>
  )
}
