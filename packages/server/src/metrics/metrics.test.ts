import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from './metrics.ts'

test('shows a histogram of requests by operation and status, and the jobs', async () => {
  const metrics = new Metrics()
  metrics.record('itemRead', 200, 2)
  metrics.record('itemRead', 200, 40)
  metrics.record('itemRead', 404, 1)
  const finishedAt = new Date(5000)
  const job = { name: 'sweep', runs: 3, failures: 1, outcome: 'ok', finishedAt, lagSeconds: 2 }
  const backlogs = [{ topic: 'webhook', waiting: 4, oldestSeconds: 90 }]
  const state = { jobs: [job], backlogs }
  // Asked twice: what was counted is not counted again.
  await metrics.text({ jobs: [job], backlogs: [{ topic: 'gone', waiting: 1, oldestSeconds: 1 }] })
  const text = await metrics.text(state)
  for (const line of [
    'kumoi_request_duration_seconds_sum{operation="itemRead",status="200"} 0.042',
    'kumoi_request_duration_seconds_count{operation="itemRead",status="404"} 1',
    '# TYPE kumoi_request_duration_seconds histogram',
    'kumoi_request_duration_seconds_bucket{le="0.0025",operation="itemRead",status="200"} 1',
    'kumoi_request_duration_seconds_bucket{le="+Inf",operation="itemRead",status="200"} 2',
    'kumoi_request_duration_seconds_count{operation="itemRead",status="200"} 2',
    'kumoi_job_runs_total{job="sweep"} 3',
    'kumoi_job_failures_total{job="sweep"} 1',
    'kumoi_job_last_ok{job="sweep"} 1',
    'kumoi_job_last_finished_seconds{job="sweep"} 5',
    'kumoi_job_lag_seconds{job="sweep"} 2',
    'kumoi_outbox_waiting{topic="webhook"} 4',
    'kumoi_outbox_oldest_seconds{topic="webhook"} 90',
  ]) {
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
  }
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  assert.match(text, /^process_uptime_seconds [\d.]+$/m)
  assert.match(text, /^kumoi_database_up 1$/m)
  // What is no more does not keep its last value.
  assert.doesNotMatch(text, /gone/)
  const alone = await metrics.text(undefined)
  assert.match(alone, /^kumoi_database_up 0$/m)
  assert.match(alone, /^kumoi_request_duration_seconds_count/m)
  assert.doesNotMatch(alone, /sweep|webhook/)
})
