/** Counts of answered requests, for `/metrics`. */
export class RequestMetrics {
  readonly #counts = new Map<string, { requests: number; milliseconds: number }>()

  record(operation: string, status: number, milliseconds: number): void {
    const key = `operation="${operation}",status="${status}"`
    const entry = this.#counts.get(key) ?? { requests: 0, milliseconds: 0 }
    entry.requests += 1
    entry.milliseconds += milliseconds
    this.#counts.set(key, entry)
  }

  /** Prometheus text. */
  lines(): string[] {
    const entries = [...this.#counts.entries()]
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
