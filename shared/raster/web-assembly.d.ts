// What this room uses of WebAssembly: the types of Node leave it to those of browsers, which the project does not load.
declare namespace WebAssembly {
  /** Compiled code: a value that threads can share. */
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>
}
