// Is everything green? Each line is what the box knows, not what somebody ticked.
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { RepairList } from '#gateway/web/admin/parts/repair-list.tsx'
import { TicketRows } from '#gateway/web/admin/parts/ticket-rows.tsx'
import { linkStanding, printerStanding } from '#gateway/web/admin/parts/words.ts'
import { type Fact, FactList } from '#shared/ui/parts/fact-list.tsx'
import type { Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { usePrintNumbers } from './print-numbers.ts'
import { TestOrder } from './test-order.tsx'

export function CheckStep() {
  const { t } = useSpeech()
  const say = useNotice()
  const { topics } = useLive()
  const printers = Object.values(topics.printers)
  const displays = useRead('displays.list', {}, { everyMs: 3_000 })
  const numbers = usePrintNumbers()
  const address = useChange('printers.setup-ticket', () => say(t.wizard.addressSent))
  const wallPrinter = printers.find(({ isDefault }) => isDefault) ?? printers[0]
  const link = linkStanding(topics.status['box']?.link ?? { state: 'unpaired' }, t)
  const lines: Fact[] = [
    { name: t.link.title, tone: link.tone, words: link.words },
    ...printers.map((printer) => {
      const { tone, words } = printerStanding(printer, t)
      // Green is what somebody has seen on paper.
      return printer.testedAt === null && tone === 'ok'
        ? { name: printer.name, tone: 'warn' as Tone, words: `${words} · ${t.printer.untested}` }
        : { name: printer.name, tone, words }
    }),
    ...(displays.data ?? []).map(({ name, isAlive }) => ({
      name,
      tone: (isAlive ? 'ok' : 'warn') as Tone,
      words: isAlive ? t.displays.alive : t.displays.notYet,
    })),
  ]
  const repairs = Object.values(topics.repairs)
  const tickets = Object.values(topics.tickets).sort((a, b) => b.receivedAt.localeCompare(a.receivedAt))
  return (
    <>
      <FactList facts={lines} />
      <Group>
        <Button
          variant="default"
          loading={numbers.isPending}
          disabled={printers.length === 0}
          onClick={() => void numbers.printAll()}
        >
          {t.wizard.printAll}
        </Button>
        {wallPrinter && (
          <Button
            variant="default"
            loading={address.isPending}
            onClick={() => address.mutate({ printer: wallPrinter.printerId })}
          >
            {t.wizard.printAddress}
          </Button>
        )}
        <Button variant="default" component={Link} to="/routing">
          {t.routing.whatIf}
        </Button>
      </Group>
      <Problem error={numbers.error ?? address.error} />
      <Part title={t.testOrder.title}>
        <TestOrder />
      </Part>
      <Part title={t.overview.lastTickets}>
        <TicketRows tickets={tickets.slice(0, 5)} />
      </Part>
      {repairs.length > 0 && (
        <Part title={t.nav.repairs}>
          <RepairList repairs={repairs} />
        </Part>
      )}
    </>
  )
}
