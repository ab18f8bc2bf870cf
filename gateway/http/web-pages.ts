// The box's two pages: the technician's and the kitchen display's. At any path below theirs, so that a reload works.
import type { FastifyInstance } from 'fastify'
import { assetRoutes, type WebFiles, WebPages } from '#shared/pages/web-assets.ts'
import { refuse } from './refusal.ts'

const ADMIN = 'admin.html'
const KITCHEN = 'kitchen.html'

/** @returns false when the pages were not built: then nothing is registered */
export function webRoutes(app: FastifyInstance, files: WebFiles): boolean {
  if (files(ADMIN) === null || files(KITCHEN) === null) return false
  const config = { openTo: 'anyone' } as const
  const pages = new WebPages(files, (reply) => refuse(reply.code(404), 'not-found', 'There is nothing at this path.'))
  // A fragment, such as that of the set-up code, stays through a redirection.
  app.get('/', { config }, (_request, reply) => reply.redirect('/admin', 302))
  for (const path of ['/admin', '/admin/*']) app.get(path, { config: { openTo: 'sign-in' } }, pages.page(ADMIN))
  for (const path of ['/kitchen', '/kitchen/*']) app.get(path, { config }, pages.page(KITCHEN))
  app.get('/kitchen/api/*', { config }, (_request, reply) => pages.notThere(reply))
  assetRoutes(app, pages, { config })
  return true
}
