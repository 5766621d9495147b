import { activeTracer, type Span } from '../../kernel/tracing.ts'

/** Begins the span of a statement to ClickHouse, when somebody traces; neither its text nor a value of it is told. */
export function startStatementSpan(operation: 'SELECT' | 'INSERT' | 'COMMAND'): Span | undefined {
  return activeTracer()?.start({
    name: `clickhouse ${operation}`,
    kind: 'client',
    attributes: { 'db.system': 'clickhouse', 'db.operation.name': operation },
  })
}
