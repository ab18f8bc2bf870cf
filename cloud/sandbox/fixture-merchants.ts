// The test merchants of the specification as data: every account gets its own copy of each.
import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { BISTRO_MENU } from './bistro-menu.ts'

/** A printer of a simulated kitchen. */
export interface FixturePrinter {
  /** Unique within the merchant. */
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
  /** Id of the printer profile that tickets are rendered for. */
  profileId: string
}

interface FixtureLocation {
  name: string
  printers: readonly FixturePrinter[]
}

/** A connection to an ordering platform that only pretends: it confirms everything in this process. */
export interface FixtureChannel {
  channelId: string
  platform: string
  name: string
  /** Prefix of the umsId in the platform's own id of an item. */
  itemPrefix: string
}

/** A test merchant of the specification. */
export interface FixtureMerchant {
  merchantId: string
  name: string
  timeZone: string
  prepMinutes: number
  /** The first is the default location. */
  locations: readonly FixtureLocation[]
  /** False: no printer of it can be reached, for ever. */
  printersOnline: boolean
  menu: readonly MenuItem[]
  channels: readonly FixtureChannel[]
}

/** How a merchant misbehaves on purpose is in cloud/api/sandbox-faults.ts, by these ids. */
export const FAULT_MERCHANTS = {
  slow: 'M-TEST-SLOW',
  flaky: 'M-TEST-FLAKY',
  printerOffline: 'M-TEST-PRINTER-OFFLINE',
} as const

const EPSON = 'epson-thermal-203'

/** One thermal printer for everything. */
function smallKitchen(prefix: string): FixturePrinter[] {
  return [{ printerId: `${prefix}-kitchen`, name: 'Kitchen', stations: [], isDefault: true, profileId: EPSON }]
}

/** Hot line, cold line with a two-colour impact printer, bar on narrow paper, front desk. */
function fullKitchen(prefix: string): FixturePrinter[] {
  const printer = (
    slug: string,
    name: string,
    { stations, profileId }: { stations: string[]; profileId: string },
  ): FixturePrinter => ({
    printerId: `${prefix}-${slug}`,
    name,
    stations,
    isDefault: slug === 'kitchen',
    profileId,
  })
  return [
    printer('kitchen', 'Kitchen', { stations: ['grill', 'fry'], profileId: EPSON }),
    printer('cold', 'Cold Line', { stations: ['cold'], profileId: 'epson-impact' }),
    printer('bar', 'Bar', { stations: ['bar'], profileId: 'generic-58' }),
    printer('front', 'Front Desk', { stations: ['receipt', 'label'], profileId: EPSON }),
  ]
}

function channel(channelId: string, platform: string, itemPrefix: string): FixtureChannel {
  return { channelId, platform: channelId, name: `${platform} (simulated)`, itemPrefix }
}

const SIX_PLATFORMS: readonly FixtureChannel[] = [
  channel('uber-eats', 'Uber Eats', 'ue_'),
  channel('doordash', 'DoorDash', 'dd-'),
  channel('grubhub', 'Grubhub', 'gh:'),
  channel('deliveroo', 'Deliveroo', 'roo/'),
  channel('just-eat', 'Just Eat', 'je.'),
  channel('glovo', 'Glovo', 'gl_'),
]

function merchant(merchantId: string, name: string, change: Partial<FixtureMerchant>): FixtureMerchant {
  const prefix = `sim-${merchantId.slice('M-TEST-'.length).toLowerCase()}`
  return {
    merchantId,
    name,
    timeZone: 'America/New_York',
    prepMinutes: 12,
    locations: [{ name: 'Main Street', printers: smallKitchen(prefix) }],
    printersOnline: true,
    menu: BISTRO_MENU,
    channels: [],
    ...change,
  }
}

/** All of them have the same menu, so that one order can be tried on each. */
export const FIXTURE_MERCHANTS: readonly FixtureMerchant[] = [
  merchant('M-TEST-001', 'Café Señorita', {
    locations: [{ name: 'Main Street', printers: fullKitchen('sim-001') }],
  }),
  merchant('M-TEST-002', 'Platform Pizza & Grill', {
    timeZone: 'America/Chicago',
    locations: [{ name: 'Lake Street', printers: fullKitchen('sim-002') }],
    channels: SIX_PLATFORMS,
  }),
  merchant('M-TEST-003', 'Three Harbors Kitchen', {
    timeZone: 'America/Los_Angeles',
    prepMinutes: 15,
    locations: [
      { name: 'Downtown', printers: fullKitchen('sim-003-downtown') },
      { name: 'Harbor', printers: fullKitchen('sim-003-harbor') },
      { name: 'Airport', printers: fullKitchen('sim-003-airport') },
    ],
  }),
  merchant(FAULT_MERCHANTS.slow, 'Slow Diner', {}),
  merchant(FAULT_MERCHANTS.flaky, 'Flaky Diner', {}),
  merchant(FAULT_MERCHANTS.printerOffline, 'Dark Kitchen', { printersOnline: false }),
]

const PROFILE_OF = new Map(
  FIXTURE_MERCHANTS.flatMap(({ locations }) => locations)
    .flatMap(({ printers }) => printers)
    .map(({ printerId, profileId }) => [printerId, profileId]),
)

/** The profile of a simulated printer. */
export function simulatedProfileId(printerId: string): string {
  return PROFILE_OF.get(printerId) ?? EPSON
}
