// postject comes without types: what of it is used here.
declare module 'postject' {
  /** Writes `data` into the program `file` as the resource `name`, and sets the sentinel. */
  export function inject(file: string, name: string, data: Buffer, options: { sentinelFuse: string }): Promise<void>
}
