// /v1/test/print/job/{printJobId}/...: what the sandbox's simulated kitchen has printed. These routes do not exist for a live key.
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { listTickets, type SandboxTicketDeps, ticketDocument } from '#cloud/sandbox/sandbox-tickets.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'
import { printJobParams, sandboxTicketParams, sandboxTicketQuery, sandboxTickets } from '#shared/wire/api/printing.ts'

export interface SandboxRouteDeps extends SandboxTicketDeps {
  authorize: Authorize
}

/** An SVG comes from the client's own text: a browser that opens it must run and load nothing. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export function sandboxRoutes(app: App, deps: SandboxRouteDeps): void {
  const config = { access: 'printers:control', sandboxOnly: true } as const

  app.route({
    method: 'GET',
    url: '/v1/test/print/job/:printJobId/tickets',
    config: {
      ...config,
      doc: {
        operationId: 'listSandboxTickets',
        summary: 'List what the simulated kitchen printed for a print job',
        tag: 'Sandbox',
        errors: ['print_job.not_found'],
      },
    },
    schema: { params: printJobParams, querystring: merchantQuery, response: { 200: sandboxTickets } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const data = await listTickets(deps, merchant, request.params.printJobId)
      return reply.header('cache-control', 'no-store').send({ data })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/test/print/job/:printJobId/ticket/:ticketId',
    config: {
      ...config,
      doc: {
        operationId: 'getSandboxTicket',
        summary: 'Get one ticket of the simulated kitchen as text, picture or printer bytes',
        tag: 'Sandbox',
        errors: ['print_job.not_found', 'ticket.not_found'],
        produces: ['text/plain', 'image/svg+xml', 'application/octet-stream'],
      },
    },
    schema: { params: sandboxTicketParams, querystring: sandboxTicketQuery },
    handler: async (request, reply) => {
      const { merchantId, format } = request.query
      const merchant = await deps.authorize(principalOf(request), merchantId)
      const { mediaType, body } = await ticketDocument(deps, merchant, { ...request.params, format })
      return reply
        .header('cache-control', 'no-store')
        .header('content-security-policy', INERT)
        .type(mediaType)
        .send(body)
    },
  })
}
