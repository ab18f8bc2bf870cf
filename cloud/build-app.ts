// The relay's HTTP application: the server with every route of its API.
import type { App } from './api/app.ts'
import { ByteBudget } from './api/byte-budget.ts'
import { claimRoutes } from './api/claim-routes.ts'
import { dashboardRoutes } from './api/dashboard/dashboard-routes.ts'
import { LiveFeeds } from './api/dashboard/live-feeds.ts'
import { builtDashboard } from './api/dashboard/page-files.ts'
import { cookiePerson, pageGuard } from './api/dashboard/page-guard.ts'
import { deviceRoutes } from './api/device-routes.ts'
import { docsRoutes } from './api/docs-routes.ts'
import { healthRoutes } from './api/health-routes.ts'
import { iconRoutes } from './api/icon-routes.ts'
import { RateLimits } from './api/rate-limit.ts'
import { useSandboxFaults } from './api/sandbox-faults.ts'
import { buildServer } from './api/server.ts'
import { statusRoutes } from './api/status-routes.ts'
import { StrangerBudget } from './api/stranger-budget.ts'
import { accountRoutes } from './api/v1/account-routes.ts'
import { channelRoutes } from './api/v1/channel-routes.ts'
import { eventRoutes } from './api/v1/event-routes.ts'
import { gatewayRoutes } from './api/v1/gateway-routes.ts'
import { listenerRoutes } from './api/v1/listener-routes.ts'
import { orderActionRoutes } from './api/v1/order-action-routes.ts'
import { orderRoutes } from './api/v1/order-routes.ts'
import { printRoutes } from './api/v1/print-routes.ts'
import { requestRoutes } from './api/v1/request-routes.ts'
import { sandboxRoutes } from './api/v1/sandbox-routes.ts'
import { skuRoutes } from './api/v1/sku-routes.ts'
import { webhookDeliveryRoutes } from './api/v1/webhook-delivery-routes.ts'
import { webhookRoutes } from './api/v1/webhook-routes.ts'
import { type Authorize, authorize } from './auth/authorize.ts'
import type { Shared } from './background.ts'
import { mayAddGateway } from './billing/gateway-cap.ts'
import { type CallApi, type ControlContext, openContext } from './control/context.ts'
import { KeyedBuckets } from './limits/keyed-buckets.ts'
import type { ClaimDeps } from './pairing/claim-gateway.ts'
import type { PeopleParts } from './people/parts.ts'
import type { People } from './people/people.ts'
import { receptionistRoutes } from './receptionist-parts.ts'
import type { Relay } from './relay/relay.ts'
import type { OpenStorage } from './storage/open-storage.ts'
import { SimulatorPhone } from './telephony/simulated/simulator-phone.ts'
import { ListenerDesk } from './webhooks/listener-desk.ts'

/** What a box gets when it is paired, and how the broker admits it. */
type Claims = Pick<ClaimDeps, 'brokerUrl' | 'brokerCa' | 'admit'> & { brokerHasOwnList: boolean }

export interface AppParts {
  shared: Shared
  watch: OpenStorage['watch']
  relay: Relay
  /** The relay's address as clients see it, without a slash at the end; known once it listens. */
  docBase: () => string
  isStopping: () => boolean
  isDraining: () => boolean
  claims: Claims
  /** Null: CLOUD_DASHBOARD is off. */
  dashboard: Dashboard | null
  /** False: nothing is sent out (CLOUD_OUTGOING). */
  sends: boolean
}

/** What is open for as long as its client likes. It starts and stops with the relay. */
export interface Feeds {
  /** Null: CLOUD_DASHBOARD is off. */
  live: LiveFeeds | null
  listeners: ListenerDesk
}

/** What the dashboard needs of the relay, in addition to what all parts have. */
export interface Dashboard {
  people: People
  parts: PeopleParts
  /** Its addresses as a browser names them in `Origin`; known once the relay listens. */
  origins: () => readonly string[]
  running: NonNullable<ControlContext['running']>
  brokerHasOwnList: boolean
}

export function buildApp({ shared, claims, dashboard, sends, ...parts }: AppParts): { app: App; feeds: Feeds } {
  const { docBase, isStopping } = parts
  const merchantOf: Authorize = (principal, merchantId) => authorize(shared, principal, merchantId)
  const rateLimits = new RateLimits(shared)
  const app = buildServer({
    ...shared,
    docBase,
    stopping: isStopping,
    rateLimits,
    bytes: { ...shared, budget: new ByteBudget(shared) },
    strangers: new StrangerBudget(shared),
    certificate: shared.certificates.api,
    answered: shared.metrics?.answered,
    requests: shared.requests?.answered,
    ...(dashboard && {
      pageGuard: pageGuard({ ...shared, ...dashboard, docBase }),
      personOf: cookiePerson({ ...shared, ...dashboard, docBase }),
    }),
  })
  app.addHook('onClose', () => rateLimits.stop())
  health(app, { shared, ...parts })
  useSandboxFaults(app, { ...shared, docBase })
  docsRoutes(app, { docBase })
  iconRoutes(app)
  statusRoutes(app, { ...shared, docBase })
  orderRoutes(app, { ...shared, authorize: merchantOf })
  orderActionRoutes(app, { ...shared, authorize: merchantOf })
  printRoutes(app, { ...shared, authorize: merchantOf })
  accountRoutes(app, { ...shared, authorize: merchantOf })
  skuRoutes(app, { ...shared, authorize: merchantOf })
  channelRoutes(app, { ...shared, authorize: merchantOf })
  webhookRoutes(app, { ...shared, authorize: merchantOf })
  webhookDeliveryRoutes(app, { ...shared, authorize: merchantOf })
  let live: LiveFeeds | null = null
  const otherFeeds = (): number => live?.size ?? 0
  const desk = new ListenerDesk({ ...shared, sends, otherFeeds, isAlone: shared.db.replicaId === null })
  listenerRoutes(app, { ...shared, authorize: merchantOf, desk })
  eventRoutes(app, { ...shared, authorize: merchantOf })
  requestRoutes(app, { requests: shared.requests, authorize: merchantOf })
  sandboxRoutes(app, { ...shared, authorize: merchantOf })
  gatewayRoutes(app, { ...shared, authorize: merchantOf })
  claimRoutes(app, { ...shared, mayAdd: (tx, locationId) => mayAddGateway(tx, shared, locationId), ...claims })
  receptionistRoutes(app, shared, merchantOf)
  if (dashboard !== null) live = addDashboard(app, { ...shared, rateLimits, otherFeeds: () => desk.size }, dashboard)
  return { app, feeds: { live, listeners: desk } }
}

/** @returns its live feeds, which start and stop with the relay */
function addDashboard(
  app: App,
  shared: Shared & { rateLimits: RateLimits; otherFeeds: () => number },
  { people, parts, ...dashboard }: Dashboard,
): LiveFeeds {
  const { site, sendsMail } = parts
  const control = openContext({
    ...{ ...shared, stores: shared, site, sendsMail, ...dashboard },
    running: {
      ...dashboard.running,
      meter: shared.meter,
      rateLimits: shared.rateLimits,
      callApi: ownCalls(app),
      ...telephoneParts(app, shared),
    },
  })
  const { clock, log, otherFeeds } = shared
  const feeds = new LiveFeeds({ control, people, clock, log, otherFeeds })
  deviceRoutes(app, control)
  dashboardRoutes(app, { control, people, parts, feeds, files: builtDashboard() })
  return feeds
}

/** Calls that are tried at the dashboard come to the hooks as those of a telephone company do, past the network. */
function telephoneParts(app: App, { telephony, receptionistUrl, countries, clock }: Shared) {
  const phone = new SimulatorPhone({
    telephony: telephony.simulated,
    clock,
    exchange: async ({ url, headers, body }) => {
      const { pathname, search } = new URL(url)
      const answer = await app.inject({ method: 'POST', url: `${pathname}${search}`, headers, payload: body })
      return { status: answer.statusCode, body: answer.body }
    },
  })
  const simulatedActs = new KeyedBuckets({ clock, rates: { steadyPerMinute: 60, burstPerMinute: 120 } })
  return { telephones: telephony, phone, receptionistUrl, countries, simulatedActs }
}

/** What the dashboard asks of the API goes through all of its checks, as if it came over the network. */
function ownCalls(app: App): CallApi {
  return async ({ method, path, apiKey, body }) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    }
    const answer = await app.inject({ method, url: path, headers, ...(body === null ? {} : { payload: body }) })
    return { status: answer.statusCode, requestId: String(answer.headers['x-request-id']), text: answer.body }
  }
}

function health(
  app: App,
  { shared, watch, relay, isStopping, isDraining }: Omit<AppParts, 'claims' | 'docBase' | 'dashboard' | 'sends'>,
) {
  const { gate } = shared.db
  healthRoutes(app, {
    checks: [
      {
        name: 'database',
        ok: async () => !gate.has('damaged') && !gate.has('away') && (await shared.accounts.answers()),
      },
      { name: 'disk', ok: () => !gate.has('full') },
      {
        name: 'writable',
        ok: () => !(['locked', 'readOnly', 'stuck'] as const).some((trouble) => gate.has(trouble)),
      },
      { name: 'broker', ok: () => relay.ready() },
      { name: 'running', ok: () => !isStopping() && !isDraining() },
    ],
    warnings: () => [...watch.warnings],
  })
}
