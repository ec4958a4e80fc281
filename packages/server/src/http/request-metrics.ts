/** Counts of answered requests, for `/metrics`. */
export interface RequestCount {
  readonly operation: string
  readonly status: number
  readonly requests: number
  readonly milliseconds: number
}

export class RequestMetrics {
  readonly #counts = new Map<string, Map<number, { requests: number; milliseconds: number }>>()

  record(operation: string, status: number, milliseconds: number): void {
    const entry = this.#counts.get(operation)?.get(status) ?? this.#add(operation, status)
    entry.requests += 1
    entry.milliseconds += milliseconds
  }

  /** What another process has counted. */
  addAll(counts: readonly RequestCount[]): void {
    for (const { operation, status, requests, milliseconds } of counts) {
      const entry = this.#counts.get(operation)?.get(status) ?? this.#add(operation, status)
      entry.requests += requests
      entry.milliseconds += milliseconds
    }
  }

  /** All of it, and begins anew. */
  take(): RequestCount[] {
    const counts = [...this.#counts].flatMap(([operation, statuses]) =>
      [...statuses].map(([status, entry]) => ({ operation, status, ...entry })),
    )
    this.#counts.clear()
    return counts
  }

  #add(operation: string, status: number) {
    const entry = { requests: 0, milliseconds: 0 }
    const statuses = this.#counts.get(operation) ?? new Map()
    this.#counts.set(operation, statuses.set(status, entry))
    return entry
  }

  /** Prometheus text. */
  lines(): string[] {
    const entries = [...this.#counts].flatMap(([operation, statuses]) =>
      [...statuses].map(
        ([status, entry]) => [`operation="${operation}",status="${status}"`, entry] as const,
      ),
    )
    return [
      '# HELP kumoi_requests_total Answered requests.',
      '# TYPE kumoi_requests_total counter',
      ...entries.map(([labels, { requests }]) => `kumoi_requests_total{${labels}} ${requests}`),
      '# HELP kumoi_request_seconds_total Time spent on answered requests.',
      '# TYPE kumoi_request_seconds_total counter',
      ...entries.map(
        ([labels, { milliseconds }]) =>
          `kumoi_request_seconds_total{${labels}} ${(milliseconds / 1000).toFixed(6)}`,
      ),
    ]
  }
}
