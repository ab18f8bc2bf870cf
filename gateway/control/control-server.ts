// The control socket: operations over HTTP on a Unix socket that only the gateway's own user may open.
import { type FastifyError, type FastifyInstance, fastify } from 'fastify'
import { z } from 'zod'
import { listenLocally } from '#shared/local/local-socket.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { Control } from './control.ts'
import { ControlRefusal, REFUSAL_STATUS } from './control-refusal.ts'
import { OPERATIONS } from './operations.ts'

export interface ControlServerOptions {
  /** Path of the socket. */
  path: string
  control: Control
  log: Logger
}

const OWNER = { what: 'control socket', program: 'gateway', variable: 'GATEWAY_CONTROL_SOCKET' }
/** A logo in base64, or 200 routing rules. */
const MOST_BYTES = 1_048_576

export class ControlServer implements Service {
  readonly #options: ControlServerOptions
  #app: FastifyInstance | null = null

  constructor(options: ControlServerOptions) {
    this.#options = options
  }

  /**
   * @throws LocalSocketInUse when another gateway answers there, or a file that is not a socket is there
   * @throws the system's error, such as ENAMETOOLONG or EACCES
   */
  async start(): Promise<void> {
    if (this.#app) return
    const { path } = this.#options
    const app = fastify({
      logger: false,
      bodyLimit: MOST_BYTES,
      requestTimeout: 30_000,
      forceCloseConnections: true,
    })
    this.#routes(app)
    try {
      await listenLocally(path, OWNER, () => app.listen({ path }))
    } catch (error) {
      await app.close()
      throw error
    }
    this.#app = app
  }

  /** Also removes the socket. */
  async stop(): Promise<void> {
    const app = this.#app
    this.#app = null
    await app?.close()
  }

  #routes(app: FastifyInstance): void {
    const { control, log } = this.#options
    app.get('/v1/control', async () => ({
      operations: Object.entries(OPERATIONS).map(([name, { summary, input, changes }]) => ({
        name,
        summary,
        changes,
        input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      })),
    }))
    app.post<{ Params: { name: string } }>('/v1/control/:name', async ({ params, body }) => ({
      result: (await control.perform(params.name, body, { asker: 'control socket' })) ?? null,
    }))
    app.setNotFoundHandler((_request, reply) =>
      reply
        .code(404)
        .send({ code: 'not-found', message: 'Operations are POST /v1/control/<name>; GET /v1/control lists them.' }),
    )
    app.setErrorHandler((error: FastifyError | ControlRefusal, request, reply) => {
      if (error instanceof ControlRefusal)
        return reply
          .code(REFUSAL_STATUS[error.kind])
          .send({ code: error.kind, message: error.message, errors: error.errors })
      if ((error.statusCode ?? 500) < 500)
        return reply
          .code(error.statusCode ?? 400)
          .send({ code: 'invalid', message: 'The body must be JSON of at most 1 MiB.' })
      log.error({ err: error, operation: (request.params as { name?: string }).name }, 'an operation failed')
      return reply
        .code(500)
        .send({ code: 'internal', message: 'Something went wrong in the gateway. Its log says more.' })
    })
  }
}
