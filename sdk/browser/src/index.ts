import { millrace } from './millrace.ts'

export type { Call, Consent, Methods, Millrace, Options, Properties } from './api.ts'
export { millrace }

export const { init, push, track, page, identify, reset, setConsent, flush } = millrace
