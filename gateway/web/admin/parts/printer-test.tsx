// Confirms that it is this printer: a test ticket has a number; a person who types it has seen the paper.
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

/** @param isBrief without sheet and drawer, where only the number matters */
export function PrinterTest({ printer, isBrief = false }: { printer: PrinterAnswer; isBrief?: boolean }) {
  const { t, formats } = useSpeech()
  const say = useNotice()
  const isTechnician = useIsTechnician()
  const [code, setCode] = useState('')
  const printed = () => say(t.printer.test.sent)
  const test = useChange('printers.test', printed)
  const sheet = useChange('printers.sheet', printed)
  const drawer = useChange('printers.drawer', () => say(t.common.done))
  const verify = useChange('printers.verify', () => {
    setCode('')
    say(t.printer.test.right)
  })
  const one = { printer: printer.printerId }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate({ ...one, code })
  }
  return (
    <div className="stack">
      {printer.testedAt !== null && <Mark tone="ok">{t.printer.test.done(formats.dateTime(printer.testedAt))}</Mark>}
      <Group>
        <Button
          onClick={() => test.mutate(one)}
          loading={test.isPending}
          aria-label={`${t.printer.test.print}: ${printer.name}`}
        >
          {t.printer.test.print}
        </Button>
        {!isBrief && (
          <Button
            variant="default"
            onClick={() => sheet.mutate(one)}
            loading={sheet.isPending}
            aria-label={`${t.printer.test.sheet}: ${printer.name}`}
          >
            {t.printer.test.sheet}
          </Button>
        )}
        {isTechnician && !isBrief && (
          <Button
            variant="default"
            onClick={() => drawer.mutate(one)}
            loading={drawer.isPending}
            aria-label={`${t.printer.test.drawer}: ${printer.name}`}
          >
            {t.printer.test.drawer}
          </Button>
        )}
      </Group>
      <form onSubmit={submit}>
        <Group align="end">
          <TextInput
            label={t.printer.test.code}
            description={t.printer.test.codeHint}
            inputMode="numeric"
            autoComplete="off"
            pattern="[0-9]{4}"
            maxLength={4}
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={verify.isPending}>
            {t.printer.test.check}
          </Button>
        </Group>
      </form>
      <Problem error={test.error ?? sheet.error ?? drawer.error ?? verify.error} />
    </div>
  )
}
