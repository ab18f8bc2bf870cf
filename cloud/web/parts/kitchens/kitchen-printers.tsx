// The printers of a box, inside its row: the state of each, a test ticket, and what the cloud proposes.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { KitchenAnswer, KitchenPrinter } from '#cloud/control/kitchen-list.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { printerStanding } from './kitchen-words.ts'
import { PrinterForm } from './printer-form.tsx'

interface PrintersProps {
  merchantId: string
  kitchen: KitchenAnswer
}

export function KitchenPrinters({ merchantId, kitchen }: PrintersProps) {
  const t = usePageWords(kitchensWords)
  const mayChange = useMay('kitchen')
  const { printers, name, simulated } = kitchen
  return (
    <div className="box-printers">
      {printers.length === 0 && <p className="soft">{t.noPrinters}</p>}
      <ul aria-label={t.printerHead}>
        {printers.map((printer) => (
          <PrinterLine
            key={printer.printerId ?? printer.proposal?.id ?? printer.name}
            {...{ merchantId, kitchen, printer, mayChange }}
          />
        ))}
      </ul>
      {mayChange && !simulated && (
        <PrinterDialog
          label={t.addPrinter}
          title={t.addPrinterTo(name)}
          {...{ merchantId, gatewayId: kitchen.gatewayId, proposal: null }}
        />
      )}
    </div>
  )
}

interface LineProps extends PrintersProps {
  printer: KitchenPrinter
  mayChange: boolean
}

function PrinterLine({ merchantId, kitchen, printer, mayChange }: LineProps) {
  const t = usePageWords(kitchensWords)
  const { formats } = useSpeech()
  const { tone, words, hint } = printerStanding(printer, t, formats)
  const { stations, proposal, printerId, name } = printer
  const test = useTestTicket({ merchantId, printerId: printerId ?? '', name })
  return (
    <li>
      <div className="printer-line">
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <Mark tone={tone}>{words}</Mark>
        <span className="soft">
          {stations.length > 0 ? t.stations(formats.list(stations)) : printer.isDefault && t.allStations}
        </span>
        {hint !== null && <p className="soft">{hint}</p>}
      </div>
      {mayChange && (
        <div className="row-actions">
          {printerId !== null && (
            <Button
              variant="default"
              size="xs"
              aria-label={t.testOf(name)}
              loading={test.isPending}
              onClick={test.print}
            >
              {t.test}
            </Button>
          )}
          {proposal !== null && !proposal.removed && (
            <PrinterDialog
              label={t.change}
              title={t.changePrinter(name)}
              {...{ merchantId, gatewayId: kitchen.gatewayId, proposal }}
            />
          )}
        </div>
      )}
      {test.told}
    </li>
  )
}

interface DialogProps extends Omit<Parameters<typeof PrinterForm>[0], 'close'> {
  label: string
  title: string
}

function PrinterDialog({ label, title, ...form }: DialogProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" aria-label={title} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title}>
        <PrinterForm {...form} close={() => setOpen(false)} />
      </Modal>
    </>
  )
}

const FOLLOW_EVERY_MS = 1_000
const ENDED: readonly string[] = ['printed', 'failed', 'uncertain', 'cancelled', 'expired']

interface Tested {
  merchantId: string
  printerId: string
  name: string
}

/** A ticket with a number, and what becomes of it. */
function useTestTicket({ merchantId, printerId, name }: Tested) {
  const t = usePageWords(kitchensWords)
  const test = useChange('printers.test')
  const [isFollowed, setFollowed] = useState(true)
  const { printJobId = '', number = '', waits = false } = test.data ?? {}
  const job = useRead(
    'printers.tested',
    { merchantId, printJobId },
    { enabled: printJobId !== '', everyMs: isFollowed ? FOLLOW_EVERY_MS : false, keep: true },
  )
  const state = job.data?.printJobId === printJobId ? job.data.state : 'queued'
  if (isFollowed && ENDED.includes(state)) setFollowed(false)
  return {
    isPending: test.isPending,
    print: () => {
      setFollowed(true)
      test.mutate({ merchantId, printerId })
    },
    told: (
      <div className="test-told" role="status">
        <Problem error={test.error} />
        {test.data && <Mark tone={testTone(state, waits)}>{testWords(state, waits, t)(`TEST ${number}`, name)}</Mark>}
      </div>
    ),
  }
}

function testTone(state: string, waits: boolean): Tone {
  if (state === 'printed') return 'ok'
  if (!ENDED.includes(state)) return waits ? 'warn' : 'idle'
  return state === 'uncertain' ? 'warn' : 'bad'
}

function testWords(state: string, waits: boolean, { tested }: { tested: TestedWords }) {
  if (state === 'printed') return tested.printed
  if (!ENDED.includes(state)) return waits ? tested.waits : tested.sent
  return state === 'uncertain' ? tested.uncertain : tested.failed
}

type TestedWords = Readonly<
  Record<'waits' | 'sent' | 'printed' | 'failed' | 'uncertain', (number: string, name: string) => string>
>
