import type { ExclusionDraft, FunnelOptionsDraft } from './funnel-options.ts'

/** Where each row of a changed list comes from: the index that it had; `undefined` for a new row. */
export type Origins = readonly (number | undefined)[]

/**
 * The options of a funnel whose steps were moved, removed or added: those of a step go with it. Events that must not come
 * between two steps stay between their neighbours when one of them is removed.
 */
export function arrangeSteps(options: FunnelOptionsDraft, origins: Origins): FunnelOptionsDraft {
  const toNew = (step: number): number => origins.indexOf(step - 1) + 1
  const times = { fromStep: toNew(options.fromStep), toStep: toNew(options.toStep) }
  const isInOrder = (times.fromStep || 1) < (times.toStep || origins.length)
  return {
    ...options,
    optionalSteps: options.optionalSteps
      .map(toNew)
      .filter((step) => step > 0)
      .sort((a, b) => a - b),
    stepWindows: windowsOf(options.stepWindows, origins),
    attributionStep: toNew(options.attributionStep),
    ...(isInOrder ? times : { fromStep: 0, toStep: 0 }),
    exclusions: options.exclusions.flatMap((exclusion) => moveExclusion(exclusion, origins)),
  }
}

function windowsOf(windows: readonly string[], origins: Origins): readonly string[] {
  const moved = origins.map((origin) => (origin === undefined ? undefined : windows[origin]) ?? '0s')
  return moved.slice(0, moved.findLastIndex((window) => Number.parseFloat(window) > 0) + 1)
}

/** An exclusion between its steps, or their nearest neighbours; none where these are one step. */
function moveExclusion(exclusion: ExclusionDraft, origins: Origins): readonly ExclusionDraft[] {
  const ends = [nearestStep(exclusion.after, origins, -1), nearestStep(exclusion.before, origins, 1)]
  const [after = 1, before = 1] = ends.sort((a, b) => a - b)
  return after === before ? [] : [{ ...exclusion, after, before }]
}

/** The new number of a step; for one that was removed, that of the nearest one in a direction that stayed. */
function nearestStep(step: number, origins: Origins, direction: 1 | -1): number {
  const kept = origins.filter((origin) => origin !== undefined)
  const [first, last] = [Math.min(...kept), Math.max(...kept)]
  let at = step - 1
  while (!kept.includes(at) && at >= first && at <= last) at += direction
  return origins.indexOf(Math.max(first, Math.min(last, at))) + 1
}
