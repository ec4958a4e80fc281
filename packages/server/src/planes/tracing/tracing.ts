/**
 * OpenTelemetry traces by OTLP over HTTP. The libraries read their settings from the environment themselves
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`); this file is loaded only where the first is set.
 */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { pause } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { TracedAnswer, TracedRequest, Tracing } from '../../kernel/tracing.ts'

const CLOSE_LIMIT_MS = 1000

const HEADERS = {
  get: (headers: TracedRequest['headers'], name: string) => headers[name],
  keys: (headers: TracedRequest['headers']) => Object.keys(headers),
}

export function otlpTracing(version: string, log: Log): Tracing {
  // By itself the library drops what it cannot send, and nobody hears of it.
  setGlobalErrorHandler((err) => log.error({ err }, 'traces could not be sent'))
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'kumoi', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('kumoi', version)
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<object, Span>()

  async function within<T>(span: Span, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    begin(request) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, HEADERS)
      const attributes = { 'http.request.method': request.method, 'kumoi.serial': request.serial }
      spans.set(
        request,
        tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent),
      )
    },
    end(request, answer) {
      const span = spans.get(request)
      if (span === undefined) return
      span.updateName(`${request.method} ${answer.route ?? answer.name}`)
      span.setAttributes(attributesOf(answer))
      if (answer.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    transaction(kind, request, run) {
      const span = request && spans.get(request)
      // A transaction of a job is seen as part of its run.
      if (span === undefined) return run()
      const parent = trace.setSpan(ROOT_CONTEXT, span)
      return within(tracer.startSpan(`database ${kind}`, { kind: SpanKind.CLIENT }, parent), run)
    },
    job: (name, run) => within(tracer.startSpan(`job ${name}`), run),
    close: () => Promise.race([provider.shutdown(), tooLate()]),
  }
}

/** The library itself waits for as long as a drain may take. */
async function tooLate(): Promise<never> {
  await pause(CLOSE_LIMIT_MS)
  throw new Error(`The collector has not answered within ${CLOSE_LIMIT_MS} ms.`)
}

function attributesOf({ name, route, status, account }: TracedAnswer) {
  return {
    'http.response.status_code': status,
    'kumoi.operation': name,
    ...(route !== undefined && { 'http.route': route }),
    ...(account !== undefined && { 'kumoi.account': account }),
  }
}
