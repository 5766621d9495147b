import type { Breach } from './breach.ts'
import type { TextFile } from './code-file.ts'

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const FILE_ENDING = /(\.test|\.d)?\.[a-z0-9]+$/

// `rows-utils` hides its subject as `utils` does; a common prefix or a service error is a subject.
const EMPTY_WORD = /^(common|service)$|\b(utils?|helpers?|managers?)\b/

/** Files and folders are in kebab-case and named after the thing they hold. */
export function checkName({ path }: TextFile): readonly Breach[] {
  const folders = path.split('/').slice(0, -1)
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(FILE_ENDING, '')
  return [...folders, stem].flatMap((name) => {
    const problem = problemOf(name)
    return problem === undefined
      ? []
      : [{ rule: 'name' as const, path, line: 1, subject: name, message: `${name} ${problem}` }]
  })
}

function problemOf(name: string): string | undefined {
  if (!KEBAB_CASE.test(name)) return 'is not in kebab-case: use small letters, digits and single hyphens'
  return EMPTY_WORD.test(name) ? 'says nothing: name a file or folder after the thing it holds' : undefined
}
