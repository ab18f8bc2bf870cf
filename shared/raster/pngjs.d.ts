// What our tests use of pngjs, which brings no types of its own.
declare module 'pngjs' {
  export class PNG {
    constructor(size: { width: number; height: number })
    readonly width: number
    readonly height: number
    /** RGBA. */
    readonly data: Buffer
    static readonly sync: { write(picture: PNG, options?: { colorType?: number; filterType?: number }): Buffer }
  }
}
