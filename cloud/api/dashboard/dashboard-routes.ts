// Everything that the relay serves below /dashboard: the page's files, and what the page asks. Not part of /v1 and its document.
import type { App } from '#cloud/api/app.ts'
import type { People } from '#cloud/people/people.ts'
import type { WebFiles } from '#shared/pages/web-assets.ts'
import { type OperationRouteDeps, operationRoutes } from './operation-routes.ts'
import { pageFileRoutes } from './page-files.ts'
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts'

export interface DashboardDeps extends OperationRouteDeps, SessionRouteDeps {
  people: People
  files: WebFiles
}

export function dashboardRoutes(app: App, deps: DashboardDeps): void {
  sessionRoutes(app, deps)
  operationRoutes(app, deps)
  pageFileRoutes(app, deps)
}
