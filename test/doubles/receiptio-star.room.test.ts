// An established client that is not ours judges whether the virtual Star printer speaks status as Star printers do.
import { print } from 'receiptio'
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterParts } from './virtual-printer-status.ts'
import { VirtualStarPrinter, type VirtualStarPrinterOptions } from './virtual-star-printer.ts'

// Its port is fixed, so each printer gets an address of its own; the process id keeps two runs on one machine apart.
const RECEIPTIO_PORT = 9_100
const NET = `127.${(process.pid % 200) + 2}.${((process.pid >> 8) % 250) + 1}`
let lastHost = 100
let printer: VirtualStarPrinter
let host: string

async function startPrinter(options: VirtualStarPrinterOptions = {}): Promise<void> {
  printer = new VirtualStarPrinter(options)
  host = `${NET}.${++lastHost}`
  await printer.start(RECEIPTIO_PORT, host)
}

function receiptio(options = ''): Promise<string> {
  return print('GRILL\n|2|CHEESEBURGER|\n', `-d ${host} -l en ${options}`.trim())
}

function spoiling(act: (parts: PrinterParts) => void): () => void {
  return () => printer.change(act)
}

afterEach(() => printer.stop())

describe('receiptio reports', () => {
  it.each(['', '-p starline', '-p star'])(
    'success after two ETBs, and the receipt stands on paper (%s)',
    async (options) => {
      await startPrinter()
      expect(await receiptio(options)).toBe('success')
      expect(printer.etbCount).toBe(2)
      expect(printer.tickets[0]?.text()).toMatch(/GRILL.*2.*CHEESEBURGER/s)
    },
  )

  it.each([true, false])('online, with length bytes and without (%s)', async (lengthBytes) => {
    await startPrinter({ model: { lengthBytes } })
    expect(await receiptio('-q -p starline')).toBe('online')
  })

  it.each([
    [
      'paperempty',
      spoiling((parts) => {
        parts.paper = 'out'
      }),
    ],
    [
      'coveropen',
      spoiling((parts) => {
        parts.coverOpen = true
      }),
    ],
    [
      'error',
      spoiling((parts) => {
        parts.cutterError = 'unrecoverable'
      }),
    ],
  ] as const)('%s before printing', async (verdict, spoil) => {
    await startPrinter()
    spoil()
    expect(await receiptio('-p starline')).toBe(verdict)
    expect(printer.tickets).toEqual([])
  })

  it('paperempty in the middle of a receipt', async () => {
    await startPrinter()
    printer.change((parts) => {
      parts.paper = 'out'
    }, 1)
    expect(await receiptio('-p starline')).toBe('paperempty')
    expect(printer.tickets).toEqual([])
    expect(printer.unfinished).toContain('GRILL')
  })
})
