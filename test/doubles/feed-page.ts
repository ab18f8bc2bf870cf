// A page that listens to a feed of server-sent events, through Fastify but without a socket: what it heard, in order, and whether it was let go.
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'

export interface FeedEvent {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: events of any shape
  data: any
}

/** A server whose feeds can be opened without a socket. */
export function feedApp(): FastifyInstance {
  const app = fastify()
  withoutSocket(app)
  return app
}

/** Its feeds can be opened without a socket, as `FeedPage` does it. */
export function withoutSocket(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onRequest', async (_request, { raw }) => {
    // What stands in for the socket here knows nothing of networks.
    Object.assign(raw.socket ?? {}, { setNoDelay: () => raw.socket })
  })
}

export class FeedPage {
  readonly events: FeedEvent[] = []
  readonly #raw: FastifyReply['raw']

  private constructor(raw: FastifyReply['raw'], stream: NodeJS.ReadableStream) {
    this.#raw = raw
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      this.events.push(...parts.map(eventOf))
    })
  }

  /** Resolves when the feed has answered, whatever it has said by then. */
  static async open(app: FastifyInstance, url: string, headers: Record<string, string> = {}): Promise<FeedPage> {
    const answer = await app.inject({ method: 'GET', url, headers, payloadAsStream: true })
    return new FeedPage(answer.raw.res as unknown as FastifyReply['raw'], answer.stream())
  }

  /** It was let go, or has left. */
  get hasEnded(): boolean {
    return this.#raw.destroyed
  }

  names(): string[] {
    return this.events.map(({ event }) => event)
  }

  /** Its screen was switched off, or its network is gone. */
  leave(): void {
    this.#raw.destroy()
  }
}

function eventOf(text: string): FeedEvent {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') }
}
