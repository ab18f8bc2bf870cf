// /favicon.ico: the mark of Ticketrail, which browsers ask for at every page that names no icon of its own.
import { ServiceError } from '#shared/errors.ts'
import { filesOfFolder, WebPages } from '#shared/pages/web-assets.ts'
import type { App } from './app.ts'

const FOLDER = new URL('../../shared/ui', import.meta.url).pathname
const ONE_DAY = 'public, max-age=86400'

export function iconRoutes(app: App): void {
  const pictures = new WebPages(filesOfFolder(FOLDER), () => {
    throw new ServiceError('request.not_found')
  })
  app.route({
    method: 'GET',
    url: '/favicon.ico',
    exposeHeadRoute: true,
    config: { access: 'public' },
    handler: (request, reply) => pictures.send('mark.svg', request, reply.header('cache-control', ONE_DAY)),
  })
}
