// The control socket: operations over HTTP on a Unix socket that only the gateway's own user may open.
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { type FastifyError, type FastifyInstance, fastify } from 'fastify'
import { z } from 'zod'
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

/** Another gateway answers at the socket, or a file that is no socket stands there. */
export class ControlSocketInUse extends Error {
  override readonly name = 'ControlSocketInUse'
}

/** A logo in base64, or 200 routing rules. */
const MOST_BYTES = 1_048_576

export class ControlServer implements Service {
  readonly #options: ControlServerOptions
  #app: FastifyInstance | null = null

  constructor(options: ControlServerOptions) {
    this.#options = options
  }

  /**
   * @throws ControlSocketInUse when somebody answers there
   * @throws the error of the system, such as ENAMETOOLONG or EACCES
   */
  async start(): Promise<void> {
    if (this.#app) return
    const { path } = this.#options
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await removeStale(path)
    const app = fastify({
      logger: false,
      bodyLimit: MOST_BYTES,
      requestTimeout: 30_000,
      forceCloseConnections: true,
    })
    this.#routes(app)
    try {
      await app.listen({ path })
      chmodSync(path, 0o600)
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
      result: (await control.perform(params.name, body, 'control socket')) ?? null,
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

/** A gateway that was killed leaves its socket behind; one that lives answers at it. */
async function removeStale(path: string): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isSocket())
    throw new ControlSocketInUse(`${path} is not a socket: set GATEWAY_CONTROL_SOCKET to another path`)
  if (await answers(path))
    throw new ControlSocketInUse(
      `the control socket ${path} is in use by another gateway: end that one, or set GATEWAY_CONTROL_SOCKET to another path`,
    )
  rmSync(path, { force: true })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const end = (answered: boolean): void => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => end(true))
    // Only a refusal proves that nobody is there.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
  })
}
