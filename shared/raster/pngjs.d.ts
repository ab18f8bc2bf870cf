// Types of the part of pngjs that our tests use; the package has none.
declare module 'pngjs' {
  export class PNG {
    /** `fill` initializes the picture to black; otherwise its memory is uninitialized. */
    constructor(size: { width: number; height: number; fill?: boolean })
    readonly width: number
    readonly height: number
    /** RGBA. */
    readonly data: Buffer
    static readonly sync: { write(picture: PNG, options?: { colorType?: number; filterType?: number }): Buffer }
  }
}
