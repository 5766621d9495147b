export { generateRequest, generateSegmentRequest, INSIGHT_TYPES } from './generate-request.ts'
export { type GeneratedWorld, generateWorld, type WorldOptions } from './generate-world.ts'
