// Processor time of another process, from Linux's own account of its threads.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processor time of all threads that the process has now, in milliseconds since each began, user and system together. In nanoseconds inside,
 * where /proc/<pid>/stat counts in ticks of 10 ms. Threads that have ended and children are not in it: what we measure neither draws nor starts programs, which is where threads and children would end.
 */
export function cpuMsOf(pid: number): number {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += cpuMsOfThread(pid, Number(thread))
    } catch {
      // It ended between the two readings.
    }
  }
  return sum
}

/** The same of one thread. The first, which has the number of the process, is the one that all requests wait for. */
export function cpuMsOfThread(pid: number, thread: number = pid): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}
