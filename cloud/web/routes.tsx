// Addresses of the pages. Each page is one line: its code and its words are loaded when it is first seen.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { auditWords } from './messages/audit.ts'
import { deviceWords } from './messages/device.ts'
import { homeWords } from './messages/home.ts'
import { keysWords } from './messages/keys.ts'
import { kitchensWords } from './messages/kitchens.ts'
import { meWords } from './messages/me.ts'
import { menuWords } from './messages/menu.ts'
import { operatorWords } from './messages/operator.ts'
import { ordersWords } from './messages/orders.ts'
import { outboxWords } from './messages/outbox.ts'
import { partnersWords } from './messages/partners.ts'
import { peopleWords } from './messages/people.ts'
import { quickStartWords } from './messages/quick-start.ts'
import { callsWords } from './messages/receptionist-calls.ts'
import { knowledgeWords } from './messages/receptionist-knowledge.ts'
import { setupWords } from './messages/receptionist-setup.ts'
import { tryWords } from './messages/receptionist-try.ts'
import { reliabilityWords } from './messages/reliability.ts'
import { requestWords } from './messages/requests.ts'
import { sandboxWords } from './messages/sandbox.ts'
import { settingsWords } from './messages/settings.ts'
import { usageWords } from './messages/usage.ts'
import { webhookWords } from './messages/webhooks.ts'
import { BrokenPage } from './parts/broken-page.tsx'
import { NotFound } from './parts/not-found.tsx'
import { type PlaceSearch, placeSearch } from './place-search.ts'
import { Shell } from './shell.tsx'
import { type PageWords, preloadWords } from './speech.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>): PlaceSearch => placeSearch(search),
  search: { middlewares: [retainSearchParams(['account', 'merchant', 'environment'])] },
})

/** @param words of the page, which come with its code @param load its module and the page in it */
function page<const P extends string>(path: P, words: PageWords<unknown>, load: () => Promise<ComponentType>) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(async () => {
      preloadWords(words)
      return { default: await load() }
    }),
  })
}

const pages = [
  // Run
  page('/', homeWords, async () => (await import('./pages/home.tsx')).Home),
  page('/orders', ordersWords, async () => (await import('./pages/orders.tsx')).OrdersPage),
  page('/orders/$id', ordersWords, async () => (await import('./pages/order.tsx')).OrderPage),
  page('/kitchens', kitchensWords, async () => (await import('./pages/kitchens.tsx')).Kitchens),
  page('/menu', menuWords, async () => (await import('./pages/menu.tsx')).MenuPage),
  // Receptionist
  page('/receptionist', callsWords, async () => (await import('./pages/receptionist.tsx')).ReceptionistPage),
  page(
    '/receptionist/calls/$id',
    callsWords,
    async () => (await import('./pages/receptionist-call.tsx')).ReceptionistCall,
  ),
  page('/receptionist/try', tryWords, async () => (await import('./pages/receptionist-try.tsx')).ReceptionistTry),
  page(
    '/receptionist/setup',
    setupWords,
    async () => (await import('./pages/receptionist-setup.tsx')).ReceptionistSetup,
  ),
  page(
    '/receptionist/knowledge',
    knowledgeWords,
    async () => (await import('./pages/receptionist-knowledge.tsx')).ReceptionistKnowledge,
  ),
  // Build
  page('/quick-start', quickStartWords, async () => (await import('./pages/quick-start.tsx')).QuickStart),
  page('/keys', keysWords, async () => (await import('./pages/keys.tsx')).Keys),
  page('/webhooks', webhookWords, async () => (await import('./pages/webhooks.tsx')).WebhooksPage),
  page('/webhooks/inspector', webhookWords, async () => (await import('./pages/inspector.tsx')).InspectorPage),
  page('/webhooks/$id', webhookWords, async () => (await import('./pages/endpoint.tsx')).EndpointPage),
  page('/deliveries/$id', webhookWords, async () => (await import('./pages/delivery.tsx')).DeliveryPage),
  page('/events', webhookWords, async () => (await import('./pages/events.tsx')).EventsPage),
  page('/events/$id', webhookWords, async () => (await import('./pages/event.tsx')).EventPage),
  page('/requests', requestWords, async () => (await import('./pages/requests.tsx')).RequestsPage),
  page('/requests/$id', requestWords, async () => (await import('./pages/request.tsx')).RequestPage),
  page('/sandbox', sandboxWords, async () => (await import('./pages/sandbox.tsx')).SandboxPage),
  // Account
  page('/usage', usageWords, async () => (await import('./pages/usage.tsx')).UsagePage),
  page('/usage/$id', usageWords, async () => (await import('./pages/invoice.tsx')).InvoicePage),
  page('/reliability', reliabilityWords, async () => (await import('./pages/reliability.tsx')).ReliabilityPage),
  page('/partners', partnersWords, async () => (await import('./pages/partners.tsx')).PartnersPage),
  page('/audit', auditWords, async () => (await import('./pages/audit.tsx')).AuditPage),
  page('/people', peopleWords, async () => (await import('./pages/people.tsx')).People),
  page('/device', deviceWords, async () => (await import('./pages/device.tsx')).DevicePage),
  page('/me', meWords, async () => (await import('./pages/me.tsx')).Me),
  page('/settings', settingsWords, async () => (await import('./pages/settings.tsx')).SettingsPage),
  // Operator
  page('/operator', operatorWords, async () => (await import('./pages/operator.tsx')).OperatorPage),
  page('/operator/outbox', outboxWords, async () => (await import('./pages/outbox.tsx')).OutboxPage),
  page('/operator/fleet', operatorWords, async () => (await import('./pages/fleet.tsx')).FleetPage),
]

export function pageRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    basepath: '/dashboard',
    defaultPreload: 'intent',
    defaultErrorComponent: BrokenPage,
    // Plain words: an order's number stays a text, and addresses can be read.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
  })
}

function stringifySearch(search: Record<string, unknown>): string {
  const said = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(said.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof pageRouter>
  }
}
