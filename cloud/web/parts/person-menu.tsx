// The signed-in person's menu: language, colours, sign-out.
import { Anchor, Button, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { useSession } from '#cloud/web/session.ts'
import { signOut } from '#cloud/web/sign-in/door.ts'
import { useSpeech } from '#cloud/web/speech.tsx'
import { isLanguage } from '#shared/languages.ts'
import { DropMenu } from './drop-menu.tsx'

const SCHEMES = ['auto', 'light', 'dark'] as const

export function PersonMenu() {
  const { t, language, languages, setLanguage } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { person } = useSession()
  const leave = async () => {
    await signOut()
    location.assign('/dashboard/')
  }
  return (
    <DropMenu label={t.person.menu(person?.name ?? '')} face={<CloudIcon name="me" />}>
      <p>
        <strong>
          <bdi>{person?.name}</bdi>
        </strong>
        <br />
        <bdi className="soft">{person?.email}</bdi>
      </p>
      <Anchor component={Link} to="/me">
        {t.nav.pages.me}
      </Anchor>
      <NativeSelect
        label={t.settings.language}
        value={language}
        onChange={({ currentTarget }) => isLanguage(currentTarget.value) && setLanguage(currentTarget.value)}
        data={languages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        label={t.settings.colours}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as (typeof SCHEMES)[number])}
        data={SCHEMES.map((value) => ({ value, label: t.settings.schemes[value] }))}
      />
      <Button variant="default" onClick={() => void leave()}>
        {t.person.signOut}
      </Button>
    </DropMenu>
  )
}
