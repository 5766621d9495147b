import type { Call, Millrace, Options } from './api.ts'
import { millrace } from './millrace.ts'

declare global {
  interface Window {
    millrace?: Millrace | Call[]
  }
}

const stub = window.millrace
if (!stub || !('init' in stub)) {
  window.millrace = millrace
  stub?.forEach(millrace.push)
  const script = document.currentScript
  if (script instanceof HTMLScriptElement && script.dataset.key) {
    const attributes = script.dataset as unknown as Options
    millrace.init({ ...attributes, url: attributes.url || script.src.replace(/\/[^/]*$/, '') })
  }
}
