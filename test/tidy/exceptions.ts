import type { Breach, Rule } from './breach.ts'

/** A breach that is there for a reason. */
export interface Exception {
  readonly rule: Rule
  readonly path: string
  /** The subject of the breach; other breaches of the same file stay breaches. */
  readonly subject: string
  readonly reason: string
}

/** One line each. A line that no longer excuses anything has to go. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'text',
    path: 'console/src/pages/create-project.tsx',
    subject: 'Acme',
    reason: 'an invented company has one name in all languages',
  },
  {
    rule: 'text',
    path: 'console/src/pages/first-run/project-key.ts',
    subject: 'First steps',
    reason: 'the name of a key is stored, and read in any language',
  },
  {
    rule: 'package',
    path: 'src/pipeline/enrich/user-agent/pattern-list.test.ts',
    subject: 'yaml',
    reason: 'the slow twin of a parser that the product does without',
  },
]

/** Parts the breaches that an exception excuses from those that count, and finds the exceptions without a breach. */
export function applyExceptions(
  breaches: readonly Breach[],
  exceptions: readonly Exception[],
): { readonly counting: readonly Breach[]; readonly unused: readonly Exception[] } {
  const counting = breaches.filter((breach) => !exceptions.some((exception) => excuses(exception, breach)))
  const unused = exceptions.filter((exception) => !breaches.some((breach) => excuses(exception, breach)))
  return { counting, unused }
}

function excuses({ rule, path, subject }: Exception, breach: Breach): boolean {
  return breach.rule === rule && breach.path === path && breach.subject === subject
}
