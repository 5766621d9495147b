import type { Component } from 'solid-js'

/** An entry of the command palette. */
export interface Command {
  /** Its kind: entries of a kind stand together. */
  readonly group: string
  readonly label: string
  readonly icon?: Component
  /** The keys that do the same, separated by blanks. */
  readonly keys?: string
  readonly run: () => void
}

/** Case, blanks, `_` and `-` are ignored. */
function fold(text: string): string {
  return text.toLocaleLowerCase().replaceAll(/[\s_-]+/g, '')
}

/** The commands that contain a text: in their groups, those that begin with it first. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const wanted = fold(text)
  const groups = [...new Set(commands.map(({ group }) => group))]
  const rank = ({ label }: Command): number => (fold(label).startsWith(wanted) ? 0 : 1)
  return commands
    .filter(({ label }) => fold(label).includes(wanted))
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || rank(a) - rank(b))
}
