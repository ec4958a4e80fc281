/**
 * Whether another process of this number runs, for files that name their owner. Our own number is no answer: in a
 * container every start is process 1, so what bears it may be of a start before.
 */
export function isOtherRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
