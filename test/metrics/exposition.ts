/** A metric as `/metrics` shows it. */
export interface ShownMetric {
  readonly type: string
  readonly help: string
  /** Labels of its samples besides the role and the bounds of buckets; none when it has no sample. */
  readonly labels: ReadonlySet<string>
  readonly hasSamples: boolean
}

interface Growing {
  type: string
  help: string
  readonly labels: Set<string>
  hasSamples: boolean
}

const SUFFIX = /_(bucket|sum|count)$/

/** Reads Prometheus's text format: the metrics by name. Throws for a sample whose metric was not announced. */
export function parseExposition(text: string): ReadonlyMap<string, ShownMetric> {
  const metrics = new Map<string, Growing>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line)
    if (comment) announce(metrics, comment)
    else addSample(metrics, line)
  }
  return metrics
}

function announce(metrics: Map<string, Growing>, [, word, name = '', rest = '']: RegExpExecArray): void {
  const metric = metrics.get(name) ?? { type: '', help: '', labels: new Set<string>(), hasSamples: false }
  if (word === 'HELP') metric.help = rest
  else metric.type = rest
  metrics.set(name, metric)
}

function addSample(metrics: ReadonlyMap<string, Growing>, line: string): void {
  const [, name = '', labels = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? \S+$/i.exec(line) ?? []
  const metric = metrics.get(name) ?? metrics.get(name.replace(SUFFIX, ''))
  if (!metric) throw new Error(`no metric was announced for: ${line}`)
  metric.hasSamples = true
  for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) {
    if (label !== 'role' && label !== 'le') metric.labels.add(label)
  }
}

/** The names under which a metric can be selected. */
export function selectable(metrics: ReadonlyMap<string, ShownMetric>): ReadonlyMap<string, ShownMetric> {
  const entries = [...metrics].flatMap(([name, metric]): [string, ShownMetric][] => {
    if (metric.type !== 'histogram') return [[name, metric]]
    return ['_bucket', '_sum', '_count'].map((suffix) => [name + suffix, metric])
  })
  return new Map(entries)
}
