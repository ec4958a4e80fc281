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
