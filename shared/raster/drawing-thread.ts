// The lifecycle of the drawing worker: started on first use, one job at a time, ended when idle, killed when it hangs.
import { Worker } from 'node:worker_threads'
import type { Cancel, Clock } from '#shared/clock.ts'
import { readEngine, workerProgram } from './raster-files.ts'

export interface Drawing {
  svg: string
  /** Ids of the fonts that the SVG uses. */
  faces: readonly number[]
}

/** Blackness of each dot, 0 to 255, row by row. */
export interface Drawn {
  width: number
  height: number
  black: Uint8Array
}

/** The engine failed on the content of the drawing. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure'
}

export interface DrawingThreadOptions {
  clock: Clock
  /** Reads the file of a font that the worker does not have yet. */
  fontFile: (face: number) => Promise<Uint8Array>
  timeoutMs: number
  idleMs: number
  /** Default: the bundled worker. */
  workerFile?: URL
}

interface Running {
  worker: Worker
  sent: Set<number>
}

export class DrawingThread {
  readonly #options: DrawingThreadOptions
  #running: Running | null = null
  /** Kept when the worker ends, so that the next one can draw at once. */
  #engine: WebAssembly.Module | null = null
  #last: Promise<unknown> = Promise.resolve()
  #cancelIdle: Cancel | null = null
  #stopped = false

  constructor(options: DrawingThreadOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Starts the worker early, so that it is ready for the drawing. */
  prepare(): void {
    if (!this.#stopped) this.#last = this.#last.then(() => this.#start()).catch(() => undefined)
  }

  /** Draws after the jobs before it. Rejects if the worker fails or exceeds the timeout; the next job gets a new worker. */
  draw(drawing: Drawing): Promise<Drawn> {
    const drawn = this.#last.then(() => this.#draw(drawing))
    this.#last = drawn.catch(() => undefined)
    return drawn
  }

  /** Rejects the current drawing and all later ones. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#end()
    await this.#last
  }

  async #draw(drawing: Drawing): Promise<Drawn> {
    if (this.#stopped) throw new Error('The raster is stopped')
    this.#cancelIdle?.()
    this.#cancelIdle = null
    const running = await this.#start()
    const missing = drawing.faces.filter((face) => !running.sent.has(face))
    const fonts = await Promise.all(missing.map(async (face) => ({ face, file: await this.#options.fontFile(face) })))
    try {
      const drawn = await this.#ask(running.worker, { ...drawing, fonts })
      for (const face of missing) running.sent.add(face)
      this.#cancelIdle = this.#options.clock.after(this.#options.idleMs, () => void this.#end())
      return drawn
    } catch (error) {
      // After a panic the engine cannot be trusted, and a hanging one does not return.
      await this.#end()
      throw error
    }
  }

  async #start(): Promise<Running> {
    if (this.#running !== null) return this.#running
    this.#engine ??= await readEngine()
    if (this.#stopped) throw new Error('The raster is stopped')
    // No execArgv: the worker is plain JavaScript and must not inherit the loader of a test runner.
    const { program, isText } = workerProgram()
    const worker = new Worker(this.#options.workerFile ?? program, {
      eval: isText,
      workerData: this.#engine,
      execArgv: [],
    })
    worker.on('error', () => undefined)
    worker.unref()
    this.#running = { worker, sent: new Set() }
    return this.#running
  }

  /** Sends one message and waits for the answer. */
  #ask(worker: Worker, job: Drawing & { fonts: readonly { face: number; file: Uint8Array }[] }): Promise<Drawn> {
    const { clock, timeoutMs } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
    const cancelTimeout = clock.after(timeoutMs, () => reject(new Error(`Not drawn within ${timeoutMs} ms`)))
    const onMessage = (answer: Drawn | { error: string }): void => {
      if ('error' in answer) reject(new EngineFailure(answer.error))
      else resolve(answer)
    }
    const onExit = (): void => reject(new Error('The drawing worker ended'))
    worker.once('message', onMessage).once('error', reject).once('exit', onExit)
    worker.ref()
    worker.postMessage(job)
    return promise.finally(() => {
      cancelTimeout()
      worker.off('message', onMessage).off('error', reject).off('exit', onExit)
      worker.unref()
    })
  }

  async #end(): Promise<void> {
    this.#cancelIdle?.()
    this.#cancelIdle = null
    const running = this.#running
    this.#running = null
    await running?.worker.terminate()
  }
}
