// Types of the part of WebAssembly that this folder uses: Node's types leave them to those of browsers, which the project does not load.
declare namespace WebAssembly {
  /** Compiled code, which threads can share. */
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>
}
