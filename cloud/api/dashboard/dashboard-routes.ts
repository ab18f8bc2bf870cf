// Everything that the relay serves below /dashboard: the page's files, and what the page asks. Not part of /v1 and its document.
import type { App } from '#cloud/api/app.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import type { People } from '#cloud/people/people.ts'
import type { WebFiles } from '#shared/pages/web-assets.ts'
import type { LiveFeeds } from './live-feeds.ts'
import { operationRoutes } from './operation-routes.ts'
import { pageFileRoutes } from './page-files.ts'
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts'
import { voicemailSoundRoute } from './voicemail-sound.ts'

export interface DashboardDeps extends Omit<SessionRouteDeps, 'peopleChanged'> {
  control: ControlContext
  people: People
  feeds: LiveFeeds
  files: WebFiles
}

export function dashboardRoutes(app: App, { control, people, feeds, files, ...signIn }: DashboardDeps): void {
  const peopleChanged = (): void => feeds.recheck()
  sessionRoutes(app, { people, peopleChanged, ...signIn })
  operationRoutes(app, { control, people, peopleChanged })
  voicemailSoundRoute(app, { control, people })
  feeds.routes(app)
  pageFileRoutes(app, { files })
}
