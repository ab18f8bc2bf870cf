// Everything that the relay serves below /dashboard: the page's files, and what the page asks. Not part of /v1 and its document.
import type { App } from '#cloud/api/app.ts'
import type { WebFiles } from '#shared/pages/web-assets.ts'
import { type OperationRouteDeps, operationRoutes } from './operation-routes.ts'
import { pageFileRoutes } from './page-files.ts'

export interface DashboardDeps extends OperationRouteDeps {
  files: WebFiles
}

export function dashboardRoutes(app: App, deps: DashboardDeps): void {
  operationRoutes(app, deps)
  pageFileRoutes(app, deps)
}
