// Addresses of the pages; each page is loaded when it is first seen.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotFound } from './parts/not-found.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const under = () => root

const routes = [
  createRoute({
    getParentRoute: under,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/setup',
    component: lazyRouteComponent(() => import('./wizard/wizard.tsx'), 'Wizard'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/setup/$step',
    component: lazyRouteComponent(() => import('./wizard/wizard.tsx'), 'Wizard'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/test-order',
    component: lazyRouteComponent(() => import('./wizard/test-order-page.tsx'), 'TestOrderPage'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/printers',
    component: lazyRouteComponent(() => import('./pages/printers.tsx'), 'Printers'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/printers/add',
    component: lazyRouteComponent(() => import('./pages/add-printer.tsx'), 'AddPrinterPage'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/printers/$printerId',
    component: lazyRouteComponent(() => import('./pages/printer.tsx'), 'PrinterPage'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./pages/jobs.tsx'), 'Jobs'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/jobs/$ticketId',
    component: lazyRouteComponent(() => import('./pages/job.tsx'), 'JobPage'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/orders',
    component: lazyRouteComponent(() => import('./pages/orders.tsx'), 'Orders'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/orders/$order',
    component: lazyRouteComponent(() => import('./pages/order.tsx'), 'OrderPage'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/report',
    component: lazyRouteComponent(() => import('./pages/report.tsx'), 'Report'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/repairs',
    component: lazyRouteComponent(() => import('./pages/repairs.tsx'), 'Repairs'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/displays',
    component: lazyRouteComponent(() => import('./pages/displays.tsx'), 'Displays'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/routing',
    component: lazyRouteComponent(() => import('./pages/routing.tsx'), 'Routing'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/users',
    component: lazyRouteComponent(() => import('./pages/users.tsx'), 'Users'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/logs',
    component: lazyRouteComponent(() => import('./pages/logs.tsx'), 'Logs'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/care',
    component: lazyRouteComponent(() => import('./pages/care.tsx'), 'Care'),
  }),
]

export function pageRouter() {
  return createRouter({ routeTree: root.addChildren(routes), basepath: '/admin', defaultPreload: 'intent' })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof pageRouter>
  }
}
