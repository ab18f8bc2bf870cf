// What our tests use of pngjs, which brings no types of its own.
declare module 'pngjs' {
  export class PNG {
    /** `fill`: black and whole, in place of whatever was in the memory. */
    constructor(size: { width: number; height: number; fill?: boolean })
    readonly width: number
    readonly height: number
    /** RGBA. */
    readonly data: Buffer
    static readonly sync: { write(picture: PNG, options?: { colorType?: number; filterType?: number }): Buffer }
  }
}
