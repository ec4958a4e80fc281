/** 0 is the public one, 1 the private one. */
export type InterfaceNumber = 0 | 1

/** What an interface has sent and received. */
export interface Carried {
  readonly sendBytes: number
  readonly receiveBytes: number
}

/** In the five minutes from `at`, in epoch milliseconds. */
export interface MonitorStep extends Carried {
  readonly at: number
}

/** Two lists as one, oldest first; steps at the same time become one. */
export function addSteps(
  some: readonly MonitorStep[],
  others: readonly MonitorStep[],
): readonly MonitorStep[] {
  if (others.length === 0) return some
  const byTime = new Map(some.map((step) => [step.at, step]))
  for (const { at, sendBytes, receiveBytes } of others) {
    const known = byTime.get(at) ?? { sendBytes: 0, receiveBytes: 0 }
    byTime.set(at, {
      at,
      sendBytes: known.sendBytes + sendBytes,
      receiveBytes: known.receiveBytes + receiveBytes,
    })
  }
  return [...byTime.values()].sort((a, b) => a.at - b.at)
}
