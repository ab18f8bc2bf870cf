// prom-client's own metrics of Node, without its observer of the garbage collector, which is called at each collection and costs time.
import { createRequire } from 'node:module'
import type { Registry } from 'prom-client'

const PARTS = [
  'processCpuTotal',
  'processStartTime',
  'osMemoryHeap',
  'processOpenFileDescriptors',
  'processMaxFileDescriptors',
  'eventLoopLag',
  'processResources',
  'heapSizeAndUsed',
  'heapSpacesSizeAndUsed',
  'version',
] as const
/** Of the clock that watches the event loop: each tick wakes the program. */
const LOOP_TICK_MS = 20

type Collect = (registry: Registry, options: { eventLoopMonitoringPrecision: number }) => void

/** `collectDefaultMetrics` has no way to leave one out. */
export function collectNodeMetrics(registry: Registry): void {
  const load = createRequire(import.meta.url)
  for (const part of PARTS) {
    const collect = load(`prom-client/lib/metrics/${part}.js`) as Collect
    collect(registry, { eventLoopMonitoringPrecision: LOOP_TICK_MS })
  }
}
