import { hostname } from 'node:os'
import type { TracerProviderOptions } from '@opentelemetry/sdk-trace'

type Resource = NonNullable<TracerProviderOptions['resource']>
type Attributes = Readonly<Record<string, string | number>>

const DEFAULT_SERVICE = 'millrace'

/** The attributes that all spans of a process share: `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`, and the process. */
export function createResource(
  environment: Readonly<Record<string, string | undefined>>,
  role: string,
): Resource {
  const sent = parseAttributes(environment.OTEL_RESOURCE_ATTRIBUTES ?? '')
  return resourceOf({
    'host.name': hostname(),
    'process.pid': process.pid,
    'service.name': DEFAULT_SERVICE,
    ...sent,
    ...(environment.OTEL_SERVICE_NAME ? { 'service.name': environment.OTEL_SERVICE_NAME } : {}),
    'millrace.role': role,
  })
}

/** Parses percent-encoded `key=value` pairs separated by commas; malformed pairs are skipped. */
function parseAttributes(text: string): Attributes {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    const key = pair.slice(0, at).trim()
    return at < 1 || key === '' ? [] : [[decode(key), decode(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function resourceOf(attributes: Attributes): Resource {
  return {
    attributes,
    merge: (other) => resourceOf({ ...attributes, ...(other?.attributes as Attributes | undefined) }),
    getRawAttributes: () => Object.entries(attributes),
  }
}
