// Whether a file is mounted by itself, as `docker run -v /srv/relay.db:/data/relay.db` does: files beside it in the host are not beside it here.
import { readFileSync } from 'node:fs'

/** Of this process, with the paths that it sees. Only Linux has it. */
const MOUNTS = '/proc/self/mountinfo'

/** @param path absolute, without links. False where the system does not say what is mounted. */
export function isMountPoint(path: string, mounts: string = mountsOfThisProcess()): boolean {
  return mounts.split('\n').some((line) => mountPointOf(line) === path)
}

function mountsOfThisProcess(): string {
  try {
    return readFileSync(MOUNTS, 'utf8')
  } catch {
    return ''
  }
}

/** The fifth field, in which the kernel writes blanks and backslashes as octal numbers (proc_pid_mountinfo(5)). */
function mountPointOf(line: string): string | undefined {
  const written = line.split(' ')[4]
  return written?.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
