// /v1/print/job and /v1/printers: notes, receipts, labels and reprints, what became of them, and the printers that there are.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { cancelPrintJob, findPrintJob, hasNoOutcome, listPrinters } from '#cloud/orders/print-jobs.ts'
import { type SubmitDeps, submitPrintJob } from '#cloud/orders/submit-print-job.ts'
import { merchantBody, merchantQuery } from '#shared/wire/api/fields.ts'
import {
  printersList,
  printersQuery,
  printJobParams,
  printJobResource,
  printJobResult,
  submitPrintJob as submitPrintJobSchema,
} from '#shared/wire/api/printing.ts'

export interface PrintRouteDeps extends AnswerOnceDeps, SubmitDeps {
  authorize: Authorize
}

const access = 'printers:control'

export function printRoutes(app: App, deps: PrintRouteDeps): void {
  submitRoute(app, deps)

  app.route({
    method: 'GET',
    url: '/v1/print/job/:printJobId',
    config: {
      access,
      doc: {
        operationId: 'getPrintJob',
        summary: 'Read what became of a print job',
        tag: 'Printing',
        errors: ['print_job.not_found'],
      },
    },
    schema: { params: printJobParams, querystring: merchantQuery, response: { 200: printJobResource } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const job = await findPrintJob(deps, merchant, request.params.printJobId)
      return reply.header('cache-control', 'no-store').send(job)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/print/job/:printJobId/cancel',
    config: {
      access,
      doc: {
        operationId: 'cancelPrintJob',
        summary: 'Take a print job back',
        tag: 'Printing',
        errors: ['print_job.not_found', 'print_job.not_cancellable', 'request.idempotency_mismatch'],
      },
    },
    schema: { params: printJobParams, body: merchantBody, response: { 200: printJobResource } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      return answerOnce(deps, (tx) => cancelPrintJob(tx, deps, { merchant, printJobId: request.params.printJobId }), {
        request,
        reply,
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/printers',
    config: {
      access,
      doc: {
        operationId: 'listPrinters',
        summary: 'List the printers and how they are',
        tag: 'Printing',
        errors: ['location.unknown'],
      },
    },
    schema: { querystring: printersQuery, response: { 200: printersList } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const data = await listPrinters(deps, merchant, request.query.locationId)
      return reply.header('cache-control', 'no-store').send({ data })
    },
  })
}

function submitRoute(app: App, deps: PrintRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/print/job',
    config: {
      access,
      doc: {
        operationId: 'submitPrintJob',
        summary: 'Print a kitchen note, a receipt, a label, or an order again',
        tag: 'Printing',
        errors: [
          'printer.offline',
          'printer.not_found',
          'printer.no_route',
          'order.not_found',
          'order.invalid_transition',
          'location.unknown',
          'request.idempotency_mismatch',
        ],
      },
    },
    schema: { body: submitPrintJobSchema, response: { 200: printJobResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      return answerOnce(deps, (tx) => submitPrintJob(tx, deps, { merchant, body: request.body }), {
        request,
        reply,
        stillWaits: (tx, { printJobId }) => hasNoOutcome(tx, deps, { merchant, printJobId }),
      })
    },
  })
}
