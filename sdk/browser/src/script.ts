import type { Call, Millrace, Options } from './api.ts'
import { millrace } from './millrace.ts'

declare global {
  interface Window {
    millrace?: Millrace | Call[]
  }
}

const stub = window.millrace
if (!(stub && 'init' in stub)) {
  window.millrace = millrace
  stub?.forEach(millrace.push)
  const script = document.currentScript as HTMLScriptElement | null
  if (script) {
    const base = script.src.replace(/\/[^/]*$/, '')
    const { dataset } = script
    if (dataset.key) millrace.init({ ...(dataset as object as Options), url: dataset.url || base })
    dataset.modules?.split(' ').forEach((name) => {
      import(`${base}/sdk-${name}.js`).then((module) => module.start(millrace)).catch(() => {})
    })
  }
}
