/** The text of `/metrics`. */
import type { RequestMetrics } from '../http/request-metrics.ts'
import type { JobDriver } from '../jobs/driver.ts'
import type { Crew, CrewMember } from './company.ts'

export async function metricsText(
  requests: RequestMetrics,
  jobs: JobDriver,
  crew: Crew | undefined,
): Promise<string> {
  await crew?.gathered()
  const results = await jobs.results()
  const members = crew?.members ?? []
  const memoryBytes = members.reduce((sum, one) => sum + one.memoryBytes, process.memoryUsage().rss)
  const seconds = (date: Date | undefined) => (date === undefined ? 0 : date.getTime() / 1000)
  const perJob = (name: string, value: (result: (typeof results)[number]) => number) =>
    results.map((result) => `${name}{job="${result.name}"} ${value(result)}`)
  return [
    '# HELP process_resident_memory_bytes Resident memory.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${memoryBytes}`,
    '# HELP process_uptime_seconds Time since the process started.',
    '# TYPE process_uptime_seconds gauge',
    `process_uptime_seconds ${process.uptime().toFixed(3)}`,
    ...requests.lines(),
    ...(crew === undefined ? [] : workerLines(members)),
    '# HELP kumoi_job_runs_total Finished runs of each job.',
    '# TYPE kumoi_job_runs_total counter',
    ...perJob('kumoi_job_runs_total', ({ runs }) => runs),
    '# HELP kumoi_job_failures_total Runs that failed.',
    '# TYPE kumoi_job_failures_total counter',
    ...perJob('kumoi_job_failures_total', ({ failures }) => failures),
    '# HELP kumoi_job_last_ok Whether the last run succeeded.',
    '# TYPE kumoi_job_last_ok gauge',
    ...perJob('kumoi_job_last_ok', ({ outcome }) => (outcome === 'ok' ? 1 : 0)),
    '# HELP kumoi_job_last_finished_seconds When the last run ended, on the clock of the server.',
    '# TYPE kumoi_job_last_finished_seconds gauge',
    ...perJob('kumoi_job_last_finished_seconds', ({ finishedAt }) => seconds(finishedAt)),
    '',
  ].join('\n')
}

/** How the requests of the counter above are spread; what is missing in the sum is the lead's. */
function workerLines(members: readonly CrewMember[]): string[] {
  return [
    '# HELP kumoi_worker_requests_total Requests that a worker beside the first has answered by itself.',
    '# TYPE kumoi_worker_requests_total counter',
    ...members.map(({ pid, answered }) => `kumoi_worker_requests_total{pid="${pid}"} ${answered}`),
  ]
}
