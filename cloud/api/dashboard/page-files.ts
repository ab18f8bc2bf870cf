// The built page of the dashboard, from dist/cloud-web: at any path below /dashboard, so that a reload works.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#cloud/api/app.ts'
import { ServiceError } from '#shared/errors.ts'
import { assetRoutes, filesOfFolder, type WebFiles, WebPages } from '#shared/pages/web-assets.ts'
import { PAGE_API } from './page-refusal.ts'

const PAGE = 'dashboard.html'
const BELOW = '/dashboard'

/** Made by `npm run build:web`. */
export function builtDashboard(): WebFiles {
  return filesOfFolder(new URL('../../../dist/cloud-web', import.meta.url).pathname)
}

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Ticketrail</title><p>The page of this dashboard was not built: run npm run build:web on the relay\'s machine, then open this address again.</p></html>'

export function pageFileRoutes(app: App, { files }: { files: WebFiles }): void {
  const pages = new WebPages(files, (reply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('There is nothing at this path.\n'),
  )
  const page = pages.page(PAGE)
  const config = { access: 'page' } as const
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    files(PAGE) === null ? reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT) : page(request, reply)
  for (const url of [BELOW, `${BELOW}/*`])
    app.route({ method: 'GET', url, exposeHeadRoute: true, config, handler: answer })
  app.route({
    method: 'GET',
    url: `${PAGE_API}*`,
    config,
    handler: async () => {
      throw new ServiceError('request.not_found')
    },
  })
  assetRoutes(app as unknown as Pick<FastifyInstance, 'get'>, pages, { config, below: BELOW })
}
