import { createSignal } from 'solid-js'

/** The key of a breakdown by cohort. */
const COHORT_KEY = '$cohort'

const [names, setNames] = createSignal<ReadonlyMap<string, string>>(new Map())

/** Gives the names that labels show in place of ids. */
export function nameCohorts(cohorts: readonly { readonly id: string; readonly name: string }[]): void {
  if (cohorts.length > 0) setNames(new Map(cohorts.map(({ id, name }) => [id, name])))
}

/** The label of a breakdown value that is a cohort; `undefined` for any other. */
export function cohortLabel(key: string, value: string): string | undefined {
  return key === COHORT_KEY ? (names().get(value) ?? value) : undefined
}
