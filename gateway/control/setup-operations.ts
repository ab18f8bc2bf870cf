// The technician's papers: test ticket and its code, code page sheet, drawer, set-up ticket.
import { confirmLevelOf } from '#gateway/printers/confirm-level.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { setupTicket } from '#shared/tickets/setup-ticket.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { requirePrinter } from './printer-view.ts'
import { TestCodes } from './test-codes.ts'

type Operations = Pick<
  ControlHandlers,
  'printers.test' | 'printers.verify' | 'printers.sheet' | 'printers.drawer' | 'printers.setup-ticket'
>

export function setupOperations(context: ControlContext, handlers: Pick<ControlHandlers, 'printers.list'>): Operations {
  const { queue, clock, time, site } = context
  const codes = new TestCodes(clock)
  const print = async ({ printerId }: PrinterRecord, doc: LocalDoc) => ({
    ticketId: await queue.printLocal(printerId, doc),
  })
  const common = () => ({ queuedAtMs: time.now(), timeZone: site.timeZone })
  return {
    'printers.test': async ({ printer }) => {
      const known = requirePrinter(context, printer)
      const code = codes.make(known.printerId)
      return await print(known, { kind: 'test', ...common(), code, facts: factsOf(known) })
    },

    'printers.verify': async ({ printer, code }) => {
      const known = requirePrinter(context, printer)
      switch (codes.type(known.printerId, code)) {
        case 'wrong': {
          const other = context.printers.find(codes.ownerOf(code) ?? '')
          if (other) throw cameOutAt(other)
          throw new ControlRefusal('refused', 'That is not the code on the last test ticket. Look again.', {
            said: { key: 'printer.wrong-number' },
          })
        }
        case 'print-again':
          throw new ControlRefusal('refused', 'No code is waited for: print a test ticket and type in its code.', {
            said: { key: 'printer.no-number' },
          })
        case 'right': {
          // What people measure time by: this instant is shown as a date.
          const updated = await queue.updatePrinter(known.printerId, { settings: { testedAtMs: time.now() } })
          if (!updated.ok) throw gone()
          const shown = (await handlers['printers.list']({})).find(({ printerId }) => printerId === known.printerId)
          if (!shown) throw gone()
          return { printer: shown }
        }
      }
    },

    'printers.sheet': async ({ printer }) =>
      await print(requirePrinter(context, printer), { kind: 'code-pages', ...common() }),

    'printers.drawer': async ({ printer }) => {
      const known = requirePrinter(context, printer)
      if (profileFor(known.profileId, known.settings).drawer === 'none')
        throw new ControlRefusal('refused', `${known.name} has no connector for a drawer, says its profile.`, {
          said: { key: 'printer.no-drawer' },
        })
      return await print(known, { kind: 'drawer', ...common() })
    },

    // Without a code: a user of the page is signed in already.
    'printers.setup-ticket': ({ printer }) => ({
      ticketId: printSetupTicket(context, requirePrinter(context, printer), null),
    }),
  }
}

/** Where the page is, on paper. @param code lets the first user in: only where the printer `isDevice`. @returns the ticket's id */
export function printSetupTicket(
  {
    queue,
    pageUrls,
    https,
    site,
    time,
    users,
  }: Pick<ControlContext, 'queue' | 'pageUrls' | 'https' | 'site' | 'time' | 'users'>,
  { printerId, name }: Pick<PrinterRecord, 'printerId' | 'name'>,
  code: string | null,
): string {
  const { state, certificate } = https()
  // One that the owner put in is vouched for by others: the browser does not warn.
  const isSelfSigned = state === 'on' && certificate?.source === 'self-signed'
  const fingerprint = isSelfSigned ? certificate.fingerprint : null
  const isPaired = site.gatewayId !== ''
  const facts = { urls: pageUrls(), fingerprint, printerName: name, code, hasUser: users.count() > 0, isPaired }
  return queue.printLocal(printerId, setupTicket({ ...facts, queuedAtMs: time.now(), timeZone: site.timeZone }))
}

/** The text on the test ticket besides the code. */
export function factsOf({ name, host, port, profileId, settings, capability }: PrinterRecord): string[] {
  const profile = profileFor(profileId, settings)
  const { level, method } = confirmLevelOf(capability)
  return [
    name,
    port === 0 ? host : `${host}:${port}`,
    `profile ${profileId}, ${profile.columns} columns`,
    `code pages ${profile.codePages.map(({ page, encoding }) => `${page} ${encoding}`).join(', ')}`.slice(0, 200),
    `confirmation ${level} (${method})`,
  ]
}

function cameOutAt({ name }: PrinterRecord): ControlRefusal {
  return new ControlRefusal('refused', `That number came out at ${name}, not here.`, {
    said: { key: 'test-order.other-printer', values: { printer: name } },
  })
}

function gone(): ControlRefusal {
  return new ControlRefusal('not-found', 'The printer is no longer there.', {
    said: { key: 'printer.unknown-printer' },
  })
}
