/** The part of the address below People that leads to cohorts; addresses of people begin with `id:` or `user:`. */
const COHORTS_REST = 'cohorts'

/** What the editor shows: a stored cohort by its id, or a new one. */
export type OpenedCohort = { readonly id: string } | { readonly isNew: 'dynamic' | 'static' }

/** The address of the list of cohorts. */
export function cohortsHref(projectId: string): string {
  return `/p/${projectId}/people/${COHORTS_REST}`
}

/** The address of one cohort. */
export function cohortHref(projectId: string, id: string): string {
  return `${cohortsHref(projectId)}/${id}`
}

/** The address of the editor of a new cohort. */
export function newCohortHref(projectId: string, kind: 'dynamic' | 'static'): string {
  return `${cohortsHref(projectId)}/${kind === 'dynamic' ? 'new' : 'new-list'}`
}

/** Whether the rest of an address below People is about cohorts. */
export function isAboutCohorts(rest: string): boolean {
  return rest === COHORTS_REST || rest.startsWith(`${COHORTS_REST}/`)
}

/** What the rest of an address opens; `undefined` for the list. */
export function parseCohortRest(rest: string): OpenedCohort | undefined {
  const name = rest.slice(COHORTS_REST.length + 1)
  if (name === '') return undefined
  if (name === 'new') return { isNew: 'dynamic' }
  return name === 'new-list' ? { isNew: 'static' } : { id: name }
}
