// What tests start as the gateway: the executable that `npm test` has built, otherwise gateway/main.ts on this Node.

/** Tests have their printers on this machine: GATEWAY_ALLOWED_PRINTERS. */
export const LOOPBACK_PRINTERS = '127.0.0.0/8:1-65535'

/** Command line of the gateway, without a subcommand. */
export function gatewayProgram(): readonly string[] {
  const executable = process.env['TEST_GATEWAY_EXECUTABLE']
  return executable ? [executable] : [process.execPath, 'gateway/main.ts']
}
