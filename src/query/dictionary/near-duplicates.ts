import type { ListedName } from './name-list.ts'

const GROUPS_MAX = 100
const NAMES_PER_GROUP_MAX = 50

/** The form that names share which differ only in case and separators: `sign_up`, `sign-up`, `signUp`. */
function formOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, '')
}

/**
 * Groups of names with the same form, in the order of the list, each in its order. Names that count as another, hidden and blocked ones are
 * in none, and neither is a group of ignored names only.
 */
export function findNearDuplicates(
  names: readonly ListedName[],
  { merged, ignored }: { readonly merged: ReadonlySet<string>; readonly ignored: ReadonlySet<string> },
): readonly (readonly ListedName[])[] {
  const candidates = names.filter(
    ({ name, seen, definition: { state } }) =>
      seen !== undefined && !merged.has(name) && state !== 'hidden' && state !== 'blocked',
  )
  return [...Map.groupBy(candidates, ({ name }) => formOf(name)).entries()]
    .filter(
      ([form, group]) => form !== '' && group.length > 1 && !group.every(({ name }) => ignored.has(name)),
    )
    .slice(0, GROUPS_MAX)
    .map(([, group]) => group.slice(0, NAMES_PER_GROUP_MAX))
}
