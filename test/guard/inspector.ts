// A client of V8's inspector in another process: processor profiles, heap after a collection.

export interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}

/** What `Profiler.stop` answers with. */
export interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  /** Microseconds since the sample before. */
  timeDeltas: number[]
}

export interface HeapNode {
  callFrame: { functionName: string; url: string }
  selfSize: number
  children: HeapNode[]
}

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

/** Much finer than the millisecond that is the default would disturb; an order takes some milliseconds. */
const SAMPLE_EVERY_US = 500

export class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))))
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the inspector hung up'))
    })
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)))
    })
    return new Inspector(socket)
  }

  close(): void {
    this.#socket.close()
  }

  /** Bytes in use after everything that can go has gone: V8's objects and the buffers outside its heap. */
  async heapBytes(): Promise<number> {
    await this.#send('HeapProfiler.collectGarbage')
    // What the first collection let go of (finalizers, weak caches) the second takes away.
    await this.#send('HeapProfiler.collectGarbage')
    const usage = (await this.#send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
    return usage.usedSize + (usage.backingStorageSize ?? 0)
  }

  async startProfile(): Promise<void> {
    await this.#send('Profiler.enable')
    await this.#send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })
    await this.#send('Profiler.start')
  }

  async stopProfile(): Promise<CpuProfile> {
    const { profile } = (await this.#send('Profiler.stop')) as { profile: CpuProfile }
    await this.#send('Profiler.disable')
    return profile
  }

  /** Notes from now on where what stays was made. */
  async startHeapSampling(): Promise<void> {
    await this.#send('HeapProfiler.startSampling', { samplingInterval: 16_384 })
  }

  async stopHeapSampling(): Promise<HeapNode> {
    const { profile } = (await this.#send('HeapProfiler.stopSampling')) as { profile: { head: HeapNode } }
    return profile.head
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  #take({ id, result, error }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || !waiting) return
    this.#waiting.delete(id)
    if (error) waiting.reject(new Error(error.message))
    else waiting.resolve(result)
  }
}
