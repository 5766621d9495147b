import { readFileSync } from 'node:fs'

// Loaded into every process and thread of a service by NODE_OPTIONS: see skewed-clock.ts.

/** How long a setting of the clock may go unnoticed, in milliseconds. */
const LOOK_EVERY_MS = 10

const path = process.env.TEST_CLOCK_SKEW
const unskewed = Date.now
let skewMs = 0
let lookedMs = Number.NEGATIVE_INFINITY

Date.now = () => {
  const nowMs = performance.now()
  if (nowMs - lookedMs >= LOOK_EVERY_MS) {
    lookedMs = nowMs
    skewMs = readSkew()
  }
  return unskewed() + skewMs
}

function readSkew(): number {
  try {
    return path === undefined ? 0 : Number(readFileSync(path, 'utf8'))
  } catch {
    // The test is over and has removed it.
    return skewMs
  }
}
