// A printer by its address: asks the device what it is before it is added; prints nothing.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { Mark, type Tone } from './mark.tsx'
import { useNotice } from './notices.tsx'
import { Problem } from './problem.tsx'

const TONES: Readonly<Record<string, Tone>> = { identified: 'ok', silent: 'warn', unreachable: 'bad' }
const DEFAULT_PORT = 9_100

export function AddByAddress({ added }: { added?: (printerId: string) => void }) {
  const { t } = useSpeech()
  const say = useNotice()
  const profiles = useRead('profiles', {})
  const [name, setName] = useState('')
  const [host, setHost] = useState('')
  const [port, setPort] = useState(String(DEFAULT_PORT))
  const [profileId, setProfileId] = useState('generic-80')
  const identify = useChange('printers.identify', ({ suggestedProfileId }) => {
    if (suggestedProfileId !== null) setProfileId(suggestedProfileId)
  })
  const add = useChange('printers.add', (printer) => {
    say(t.find.addedAs(printer.name))
    setName('')
    setHost('')
    added?.(printer.printerId)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ name, host: host.trim(), port: Number(port), profileId })
  }
  const answer = identify.data
  return (
    <form className="stack narrow" onSubmit={submit}>
      <TextInput
        label={t.printer.name}
        required
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t.printer.address}
        description={t.printer.addressHint}
        required
        value={host}
        onChange={(event) => setHost(event.currentTarget.value)}
      />
      <TextInput
        label={t.printer.port}
        inputMode="numeric"
        pattern="[0-9]{1,5}"
        required
        value={port}
        onChange={(event) => setPort(event.currentTarget.value)}
      />
      <NativeSelect
        label={t.printer.profile}
        description={t.printer.profileHint}
        value={profileId}
        onChange={(event) => setProfileId(event.currentTarget.value)}
        data={(profiles.data ?? []).map(({ id, models }) => ({
          value: id,
          label: `${id}: ${models.join(', ')}`.slice(0, 90),
        }))}
      />
      <Group>
        <Button
          variant="default"
          loading={identify.isPending}
          disabled={host.trim() === ''}
          onClick={() => identify.mutate({ host: host.trim(), port: Number(port) })}
        >
          {t.printer.identify}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t.printers.add}
        </Button>
      </Group>
      <div role="status">
        {answer && (
          <p>
            <Mark tone={TONES[answer.answer] ?? 'idle'}>
              {[answer.maker, answer.model].filter(Boolean).join(' ') || t.printer.answers[answer.answer]}
            </Mark>
            <br />
            {answer.words}
          </p>
        )}
      </div>
      <Problem error={add.error ?? identify.error} />
    </form>
  )
}
