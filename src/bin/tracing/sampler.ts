import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

const PARENT_BASED = 'parentbased_'
const DEFAULT_NAME = 'parentbased_always_on'

/** The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name; warns about an unknown name. */
export function createSampler(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Sampler {
  const name = environment.OTEL_TRACES_SAMPLER?.trim() || DEFAULT_NAME
  const ratio = readRatio(environment.OTEL_TRACES_SAMPLER_ARG, warn)
  const isParentBased = name.startsWith(PARENT_BASED)
  const root = createRoot(isParentBased ? name.slice(PARENT_BASED.length) : name, ratio)
  if (!root) {
    warn(`OTEL_TRACES_SAMPLER names an unknown sampler; ${DEFAULT_NAME} is used`)
    return new ParentBasedSampler({ root: new AlwaysOnSampler() })
  }
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function createRoot(name: string, ratio: number): Sampler | undefined {
  if (name === 'always_on') return new AlwaysOnSampler()
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : undefined
}

function readRatio(text: string | undefined, warn: (message: string) => void): number {
  if (!text) return 1
  const ratio = Number(text)
  if (ratio >= 0 && ratio <= 1) return ratio
  warn('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; 1 is used')
  return 1
}
