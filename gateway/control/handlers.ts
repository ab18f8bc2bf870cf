// All operations together.
import { backupOperations } from './backup-operations.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { courseOperations } from './course-operations.ts'
import { diagnosticsOperations, logOperations } from './diagnostics-operations.ts'
import { discoveryOperations } from './discovery-operations.ts'
import { displayOperations } from './display-operations.ts'
import { guideOperations } from './guide-operations.ts'
import { healthOperations } from './health-operations.ts'
import { IdentifiedDevices } from './identified-devices.ts'
import { jobOperations } from './job-operations.ts'
import { logoOperations } from './logo-operations.ts'
import { LookingLine } from './looking-line.ts'
import { orderOperations } from './order-operations.ts'
import { OrderSearch } from './order-search.ts'
import { pairingOperations } from './pairing-operations.ts'
import { previewOperations } from './preview-operations.ts'
import type { PrinterWatch } from './printer-device.ts'
import { printerOperations } from './printer-operations.ts'
import { reportOperations } from './report-operations.ts'
import { routingOperations } from './routing-operations.ts'
import { setupOperations } from './setup-operations.ts'
import { standInOperations } from './stand-in-operations.ts'
import { stationOperations } from './station-operations.ts'
import { statusOperations } from './status-operations.ts'
import { testOrderOperations } from './test-order-operations.ts'
import { userOperations } from './user-operations.ts'

/** @param watch messages about a printer in addition to its health */
export function controlHandlers(context: ControlContext, watch: PrinterWatch): ControlHandlers {
  const identified = new IdentifiedDevices(context.clock)
  const printers = printerOperations(context, watch, identified)
  const displays = displayOperations(context)
  const line = new LookingLine()
  const search = new OrderSearch(context, line)
  const health = healthOperations(context, { ...printers, ...displays })
  const handlers = {
    ...statusOperations(context, printers),
    ...health,
    ...standInOperations(context, displays),
    ...printers,
    ...setupOperations(context, printers),
    ...jobOperations(context, search),
    ...orderOperations(context, search),
    ...reportOperations(context, line),
    ...testOrderOperations(context, { ...printers, ...displays, ...health }),
    ...stationOperations(context),
    ...guideOperations(context),
    ...courseOperations(context),
    ...pairingOperations(context),
    ...previewOperations(context),
    ...routingOperations(context),
    ...discoveryOperations(context, identified),
    ...logoOperations(context),
    ...userOperations(context),
    ...displays,
    ...logOperations(context),
    ...backupOperations(context),
  }
  return { ...handlers, ...diagnosticsOperations(context, handlers) }
}
