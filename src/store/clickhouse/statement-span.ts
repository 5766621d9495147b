import { activeTracer, type Span } from '../../kernel/tracing.ts'

/** Starts the span of a ClickHouse statement if tracing is on; it contains neither the text nor values of the statement. */
export function startStatementSpan(operation: 'SELECT' | 'INSERT' | 'COMMAND'): Span | undefined {
  return activeTracer()?.start({
    name: `clickhouse ${operation}`,
    kind: 'client',
    attributes: { 'db.system': 'clickhouse', 'db.operation.name': operation },
  })
}
