import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { Methods } from '../api.ts'

/** Records the Core Web Vitals of a page, each once when its value is final. */
export function start({ track }: Pick<Methods, 'track'>): void {
  const report = ({ name, value, rating }: Metric): void =>
    track('web_vital', { name, value: Math.round(value * 10_000) / 10_000, rating })
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(report)
}
