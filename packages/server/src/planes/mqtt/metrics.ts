/** What `/metrics` shows of devices that are connected. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'

// As in metrics/metrics.ts: the package as a whole costs more.
const require = createRequire(import.meta.url)
const Counter: typeof prometheus.Counter = require('prom-client/lib/counter.js')
const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')

export interface MqttMetrics {
  /** `refused`: one of the device that was not taken. */
  count(direction: 'up' | 'down' | 'refused'): void
}

export function mqttMetrics(registry: prometheus.Registry, connections: () => number): MqttMetrics {
  const registers = [registry]
  new Gauge({
    name: 'kumoi_mqtt_connections',
    help: 'Devices that are connected by MQTT.',
    registers,
    collect() {
      this.set(connections())
    },
  })
  const messages = new Counter({
    name: 'kumoi_mqtt_messages_total',
    help: 'Messages of devices and to them by MQTT, and those of devices that were refused.',
    labelNames: ['direction'],
    registers,
  })
  return { count: (direction) => messages.inc({ direction }) }
}
