// What `npm run package` has made, for the tests of this folder.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '#shared/version.ts'

export const ROOT = new URL('../../', import.meta.url).pathname
export const RELEASE = join(ROOT, 'dist/release')

export type Arch = 'x64' | 'arm64'

export const executableOf = (arch: Arch): string => join(RELEASE, `ticketrail-gateway-linux-${arch}`)
export const debOf = (arch: 'amd64' | 'arm64'): string => join(RELEASE, `ticketrail-gateway_${VERSION}_${arch}.deb`)

/** How this machine runs the executable: another architecture's by qemu, over that architecture's libraries. */
export function commandOf(arch: Arch): readonly string[] {
  const executable = executableOf(arch)
  if (!existsSync(executable)) throw new Error(`${executable} is not there: npm run package`)
  if (arch === process.arch) return [executable]
  const libraries = join(ROOT, 'dist/cache/arm64-sysroot')
  execFileSync(join(ROOT, 'scripts/package/arm64-sysroot.sh'), [libraries])
  return ['qemu-aarch64-static', '-L', libraries, executable]
}

/** Runs a command of the command line to its end. */
export function runLine(
  arch: Arch,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { code: number; out: string } {
  const [file = '', ...before] = commandOf(arch)
  try {
    const options = { env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' as const }
    return { code: 0, out: execFileSync(file, [...before, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }) }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string }
    return { code: status ?? -1, out: `${stdout}${stderr}` }
  }
}
