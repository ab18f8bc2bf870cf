// An established client that is not ours judges whether the virtual printer speaks status as printers do.
import { print } from 'receiptio'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { VirtualPrinter, type VirtualPrinterOptions } from './virtual-printer.ts'

// Its port is fixed, so each printer gets an address of its own; the process id keeps two runs on one machine apart.
const RECEIPTIO_PORT = 9_100
const NET = `127.${(process.pid % 200) + 2}.${(process.pid >> 8) % 250}`
let lastHost = 1
let printer: VirtualPrinter
let host: string

async function startPrinter(options: VirtualPrinterOptions = {}): Promise<void> {
  printer = new VirtualPrinter(options)
  host = `${NET}.${++lastHost}`
  await printer.start(RECEIPTIO_PORT, host)
}

/** Prints and gives the verdict; `escpos` and `generic` are the command sets that use the status of the family. */
function receiptio(options = ''): Promise<string> {
  return print('GRILL\n|2|CHEESEBURGER|\n', `-d ${host} -l en ${options}`.trim())
}

afterEach(async () => {
  vi.useRealTimers()
  await printer.stop()
})

describe('receiptio reports', () => {
  it.each(['', '-p escpos', '-p generic'])('success, and the receipt is on paper (%s)', async (options) => {
    await startPrinter()
    expect(await receiptio(options)).toBe('success')
    expect(printer.tickets).toHaveLength(1)
    expect(printer.tickets[0]?.text()).toMatch(/GRILL.*2.*CHEESEBURGER/s)
  })

  it('online', async () => {
    await startPrinter()
    expect(await receiptio('-q')).toBe('online')
  })

  it('paperempty before printing', async () => {
    await startPrinter()
    printer.paperOut()
    expect(await receiptio()).toBe('paperempty')
    expect(printer.tickets).toEqual([])
  })

  it('coveropen', async () => {
    await startPrinter()
    printer.openCover()
    expect(await receiptio()).toBe('coveropen')
  })

  it('error when the cutter is jammed and cannot recover', async () => {
    await startPrinter()
    printer.jamCutter('unrecoverable')
    expect(await receiptio()).toBe('error')
    expect(await receiptio()).toBe('error')
  })

  it('disconnect when nothing listens', async () => {
    await startPrinter()
    await printer.refuse()
    expect(await receiptio()).toBe('disconnect')
  })

  it('offline when the printer never answers', async () => {
    await startPrinter({ manners: { mute: true } })
    // It waits for twelve seconds: its timers are moved, the sockets are real.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const verdict = receiptio()
    while (printer.receivedBytes === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(12_000)
    expect(await verdict).toBe('offline')
  })

  it('paperempty in the middle of a receipt', async () => {
    await startPrinter()
    printer.paperOut(1)
    expect(await receiptio('-p escpos')).toBe('paperempty')
    expect(printer.tickets).toEqual([])
    expect(printer.unfinished).toContain('GRILL')
  })

  it('success although the answers arrive byte by byte or merged', async () => {
    await startPrinter({ manners: { splitReplies: true } })
    expect(await receiptio('-p escpos')).toBe('success')
    printer.manners.splitReplies = false
    printer.manners.glueReplies = true
    expect(await receiptio('-p escpos')).toBe('success')
    expect(printer.tickets).toHaveLength(2)
  })
})
